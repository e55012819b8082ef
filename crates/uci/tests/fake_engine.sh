#!/bin/sh
# A UCI engine for tests: always plays Ke2, reports the number of its searches as nodes, and writes the positions that it was given
# to the file `asked` beside it. The name by which it is started says how it fails, once a position has Black to move:
#   dying    exits            hanging  answers nothing any more
#   babbling writes rubbish without end
# The fake_engine itself exits as well. A sound one has the name `sound`, and one that never speaks UCI `mute`.
name=$(basename "$0")
folder=$(dirname "$0")
searches=0
[ "$name" = mute ] && exec cat >/dev/null
while read -r line; do
  case "$line" in
    uci) echo "id name Fake 1"; echo uciok ;;
    isready) echo readyok ;;
    "position fen "*)
      [ "$name" = fake_engine.sh ] || echo "${line#position fen }" >>"$folder/asked"
      case "$name $line" in
        sound*) ;;
        *" b "*)
          case "$name" in
            hanging) exec sleep 600 ;;
            babbling) exec yes "info depth rubbish score cp lots" ;;
            *) exit 1 ;;
          esac
          ;;
      esac
      ;;
    go*)
      searches=$((searches + 1))
      echo "info depth 1 score cp 20 nodes $searches time 2500 pv e1e2 e8e7 e2e1"
      echo "bestmove e1e2"
      ;;
    quit) exit 0 ;;
  esac
done
