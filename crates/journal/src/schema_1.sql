-- The journal, schema 1. Instants are milliseconds since 1970 in UTC, hall time. JSON is in the forms of `stored`, events
-- in those of `game_core`. `game_event` and `board_event` only grow; `game` and `round` follow from them and are compared
-- with them by `boardcast check`.

-- The journal itself: one row.
CREATE TABLE journal (
    -- Always 1.
    id INTEGER PRIMARY KEY CHECK (id = 1),
    -- Part of the names of the live feed's streams. A backup gets another one: a restored copy starts new stream ids.
    identity TEXT NOT NULL
) STRICT;

-- A game: which one it is and where it is found. `over` follows from its events.
CREATE TABLE game (
    -- Short for the id, in the order in which games began.
    key INTEGER PRIMARY KEY,
    -- The game's id; never changes.
    id TEXT NOT NULL UNIQUE,
    -- Slug of the event or section.
    event TEXT NOT NULL,
    -- Round number, from 1.
    round INTEGER NOT NULL,
    -- Table number, from 1.
    tbl INTEGER NOT NULL,
    -- 1 when it has a result or has ended for its board.
    over INTEGER NOT NULL
) STRICT;
CREATE INDEX game_by_round ON game (event, round);

-- What happened in games, in the order of the commits.
CREATE TABLE game_event (
    -- Position in the record, from 0 without gaps.
    number INTEGER PRIMARY KEY,
    game INTEGER NOT NULL REFERENCES game (key),
    -- When the session gave it out.
    at INTEGER NOT NULL,
    -- When it was handed to its first commit that succeeded.
    committed_at INTEGER NOT NULL,
    -- The instant by which delay counts: `committed_at`, or for a correction that of what it corrects.
    effective_at INTEGER NOT NULL,
    -- Number in the public stream of its round; null for the tags that go out with the start of their game.
    seq INTEGER,
    -- Who says so, JSON.
    author TEXT NOT NULL,
    -- Why it is believed, JSON.
    evidence TEXT NOT NULL,
    -- What happened, JSON; of an event that sets tags only the kind.
    event TEXT NOT NULL
) STRICT;
CREATE INDEX game_event_by_game ON game_event (game, number);

-- The values of events that set tags: apart from what only grows, because a person can be removed.
CREATE TABLE game_tags (
    -- The event.
    number INTEGER PRIMARY KEY REFERENCES game_event (number),
    -- Tag name to value, JSON.
    tags TEXT NOT NULL
) STRICT;

-- What happened to boards, in the order of the commits.
CREATE TABLE board_event (
    -- From 1.
    number INTEGER PRIMARY KEY,
    -- When.
    at INTEGER NOT NULL,
    -- Slug of the event that is played.
    event TEXT NOT NULL,
    -- Serial number.
    board TEXT NOT NULL,
    -- What happened, JSON: {"seated":{"table"}}, {"began":{"game","round"}} (nulls when no pairing knows the game),
    -- {"facing":{"rotated","white_is_left"}}.
    fact TEXT NOT NULL
) STRICT;
CREATE INDEX board_event_by_board ON board_event (event, board, number);

-- A round as far as its events tell.
CREATE TABLE round (
    event TEXT NOT NULL,
    -- Round number, from 1.
    number INTEGER NOT NULL,
    -- The last number given in its public stream.
    seq INTEGER NOT NULL,
    -- When the first move of the round was committed.
    first_move_at INTEGER,
    PRIMARY KEY (event, number)
) STRICT, WITHOUT ROWID;
