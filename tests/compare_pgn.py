"""Compares what three readers saw; `compare-pgn` makes the files and calls this with their folder."""

import io
import multiprocessing
import pathlib
import sys

import chess.pgn


def texts(path):
    """The games of a file as text, by python-chess's own idea of where they begin."""
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
        data = file.read().replace("\r\n", "\n")
    starts = [0] if data.startswith("[Event ") else []
    position = data.find("\n\n[Event ")
    while position >= 0:
        starts.append(position + 2)
        position = data.find("\n\n[Event ", position + 2)
    return [data[start:end] for start, end in zip(starts, starts[1:] + [len(data)])]


def with_python_chess(text):
    """Moves and result of a game, and every position of its variations as moves; what python-chess complains of."""
    game = chess.pgn.read_game(io.StringIO(text))
    if game is None:
        return None, None, "no game"
    board = game.board()
    line = []
    for move in game.mainline_moves():
        # As pgn-extract writes castling and null moves.
        line.append(board.uci(move))
        board.push(move)
    tree = []
    stack = [game]
    while stack:
        node = stack.pop()
        tree.append((node.ply(), [str(child.move) for child in node.variations], sorted(node.nags)))
        stack.extend(node.variations)
    return line + [game.headers["Result"]], tree, "; ".join(str(error) for error in game.errors)


def with_pgn_extract(path):
    """Moves and result of each game, from one line a game; promotions in small letters, as UCI has them."""
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    return [line.lower().split() for line in lines if line.strip()]


def differences(seen):
    """Moves of one game, and where its readers differ."""
    made, clean, extracted, clean_extracted = seen
    line, tree, errors = with_python_chess(made)
    clean_line, clean_tree, clean_errors = with_python_chess(clean)
    found = [
        ("python-chess complains of the made game", errors),
        ("python-chess complains of our output", clean_errors),
        ("our moves and python-chess's differ", line != clean_line and f"{line} / {clean_line}"),
        ("our variations and python-chess's differ", tree != clean_tree and f"{tree} / {clean_tree}"),
        ("pgn-extract's moves and python-chess's differ", line != extracted and f"{extracted} / {line}"),
        ("pgn-extract's moves of our output differ", clean_line != clean_extracted and f"{clean_extracted}"),
    ]
    return len(line or [None]) - 1, [f"{what}: {str(shown)[:300]}" for what, shown in found if shown]


def main():
    work = pathlib.Path(sys.argv[1])
    made, clean = texts(work / "made.pgn"), texts(work / "clean.pgn")
    extract_made, extract_clean = with_pgn_extract(work / "made.extract"), with_pgn_extract(work / "clean.extract")
    log = (work / "clean.log").read_text(encoding="utf-8").splitlines()
    complaints = [line for line in (work / "complaints.log").read_text(errors="replace").splitlines()
                  if line and not line.startswith("Processing ")]
    counts = {"games": len(made), "boardcast refused": len(log), "pgn-extract complains of our output": len(complaints)}
    print(", ".join(f"{name}: {count}" for name, count in counts.items()), flush=True)
    for line in (log + complaints)[:20]:
        print("  " + line)
    if not len(made) == len(clean) == len(extract_made) == len(extract_clean):
        print(f"  games: {len(made)} made, {len(clean)} clean; pgn-extract saw {len(extract_made)} and {len(extract_clean)}")
        return 1

    moves, wrong = 0, 0
    with multiprocessing.Pool() as pool:
        games = pool.imap(differences, zip(made, clean, extract_made, extract_clean), chunksize=256)
        for number, (plies, found) in enumerate(games, 1):
            moves += plies
            for difference in found:
                wrong += 1
                if wrong <= 20:
                    print(f"  game {number}: {difference}", flush=True)
    print(f"{len(made)} games, {moves} moves of the main lines, {wrong} differences")
    return 1 if wrong or complaints else 0


if __name__ == "__main__":
    sys.exit(main())
