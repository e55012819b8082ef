#!/bin/sh
# A UCI engine for tests: always plays Ke2, exits when Black is to move, reports the number of its searches as nodes.
searches=0
while read -r line; do
  case "$line" in
    uci) echo "id name fake"; echo uciok ;;
    isready) echo readyok ;;
    "position fen "*" b "*) exit 1 ;;
    go*)
      searches=$((searches + 1))
      echo "info depth 1 score cp 20 nodes $searches time 2500 pv e1e2 e8e7 e2e1"
      echo "bestmove e1e2"
      ;;
    quit) exit 0 ;;
  esac
done
