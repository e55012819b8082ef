// Keeps a page of a static site up to date, and steps through the moves of a game. PIECES stands before this.
"use strict";

const POLL_MS = 10_000;
const SLOW_MS = 60_000;

const main = () => document.querySelector("main");

/** What `address` holds now; null when it cannot be had. From a folder nothing can. */
async function load(address) {
  if (location.protocol === "file:") return null;
  try {
    const answer = await fetch(address, { cache: "no-cache" });
    return answer.ok ? answer : null;
  } catch {
    return null;
  }
}

/** Replaces the contents by those of the page as it is now. */
async function renew() {
  const answer = await load(location.pathname);
  if (!answer) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const next = page.querySelector("main");
  if (!next) return;
  main().replaceWith(document.adoptNode(next));
  document.title = page.title;
  begin();
}

function fill(state) {
  for (const game of state.games) {
    const place = document.getElementById(game.game);
    if (!place) continue;
    const set = (selector, text) => {
      const element = place.querySelector(selector);
      if (element && element.textContent !== (text ?? "")) element.textContent = text ?? "";
    };
    set(".news", game.news);
    set(".result", game.result);
    set(".clock.white", game.white);
    set(".clock.black", game.black);
    const picture = place.querySelector("img");
    if (picture && picture.dataset.version !== game.picture) {
      const address = `game/${game.game}.svg`;
      picture.dataset.version = game.picture;
      picture.src = `${address}?${game.picture}`;
    }
  }
}

/** Looks once; says after how many milliseconds to look again. */
async function look() {
  const { page, up, state: address, version, game: id, round } = main().dataset;
  if (!address) {
    await renew();
    return SLOW_MS;
  }
  const answer = await load(up + address);
  if (!answer) {
    // The whole page is loaded again, unless a move is looked at.
    if (location.protocol === "file:" && document.querySelector("noscript") && ply === null) location.reload();
    return SLOW_MS;
  }
  let state;
  try {
    state = await answer.json();
  } catch {
    return POLL_MS;
  }
  if (page === "game") {
    const game = state.games.find((game) => game.game === id);
    if (game && game.version !== version) await renew();
  } else {
    const isFirst = !/round-\d+(-results)?\.html$/.test(location.pathname);
    if (page === "round" && (version !== state.version || (isFirst && String(state.current) !== round))) await renew();
    fill(state);
  }
  return state.over ? SLOW_MS : POLL_MS;
}

/** The ply that is shown; null for the latest. */
let ply = null;

function begin() {
  const moves = [...document.querySelectorAll(".move")];
  const list = document.querySelector(".moves");
  if (!list) return;
  main().dataset.live = "";
  document.querySelector(".steps").hidden = false;
  for (const [index, move] of moves.entries()) {
    move.addEventListener("click", () => show(index + 1));
  }
  for (const button of document.querySelectorAll("[data-step]")) {
    button.addEventListener("click", () => step(button.dataset.step));
  }
  if (ply !== null) show(ply);
}

function step(where) {
  const last = document.querySelectorAll(".move").length;
  const now = ply ?? last;
  show({ first: 0, back: now - 1, forward: now + 1, last }[where]);
}

/** Squares from the eighth rank down, a letter or a blank each. */
function read(fen) {
  const rows = fen.split(" ")[0].replace(/\d/g, (empty) => " ".repeat(Number(empty))).split("/");
  return rows.join("").padEnd(64).slice(0, 64).split("");
}

const square = (name) => "abcdefgh".indexOf(name[0]) + 8 * (8 - Number(name[1]));

/** Plays a move in UCI under the usual rules. */
function play(board, uci) {
  const [from, to] = [square(uci), square(uci.slice(2))];
  const piece = board[from];
  const files = to % 8 - from % 8;
  if (/p/i.test(piece) && files && board[to] === " ") board[from + files] = " ";
  if (/k/i.test(piece) && Math.abs(files) === 2) {
    const rook = files > 0 ? to + 1 : to - 2;
    board[(from + to) / 2] = board[rook];
    board[rook] = " ";
  }
  board[from] = " ";
  board[to] = uci[4] ? (piece === "P" ? uci[4].toUpperCase() : uci[4]) : piece;
}

function show(wanted) {
  const moves = [...document.querySelectorAll(".move")];
  const at = Math.max(0, Math.min(moves.length, wanted));
  ply = at === moves.length ? null : at;
  let board = read(document.querySelector(".moves").dataset.fen);
  for (const move of moves.slice(0, at)) {
    if (move.dataset.fen) board = read(move.dataset.fen);
    else play(board, move.dataset.uci);
  }
  for (const [index, move] of moves.entries()) move.classList.toggle("here", index + 1 === at);
  const last = moves[at - 1]?.dataset.uci;
  const moved = last ? [last.slice(0, 2), last.slice(2, 4)].map(square) : [];
  const drawn = moved.map((place) => `<path class="moved" d="M${place % 8} ${Math.floor(place / 8)}h1v1h-1z"/>`);
  const pieces = board.map((piece, place) => {
    if (!/[pnbrqk]/i.test(piece)) return "";
    const name = (piece < "a" ? "w" : "b") + piece.toUpperCase();
    return `<use href="#${name}" x="${45 * (place % 8)}" y="${45 * Math.floor(place / 8)}"/>`;
  });
  // Nothing but digits and names of pieces: no text of the page comes in here.
  document.querySelector(".board").innerHTML = `<svg viewBox="0 0 8 8" aria-hidden="true">${PIECES}<use href="#sq"/>${drawn.join("")}` +
    `<g transform="scale(.022222)">${pieces.join("")}</g></svg>`;
}

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || !document.querySelector(".moves")) return;
  const where = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" }[event.key];
  if (!where) return;
  event.preventDefault();
  step(where);
});

async function follow() {
  const after = document.hidden ? SLOW_MS : await look();
  // Not all visitors at the same instant.
  setTimeout(follow, after * (0.9 + Math.random() * 0.2));
}

addEventListener("visibilitychange", () => {
  if (!document.hidden) look();
});

begin();
follow();
