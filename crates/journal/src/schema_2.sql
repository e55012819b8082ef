-- From schema 1 to 2: the tournament, the persons in it, and the games of finished rounds as they are shown.

-- What the organisers decided, in the order of the commits.
CREATE TABLE hall_event (
    -- Position in the record: one count for this table and `game_event` together.
    number INTEGER PRIMARY KEY,
    -- When it was handed to its first commit that succeeded.
    committed_at INTEGER NOT NULL,
    -- The instant by which delay counts.
    effective_at INTEGER NOT NULL,
    -- Who says so, JSON.
    author TEXT NOT NULL,
    -- What was decided, JSON; persons stand in it with their numbers, never with their names. Tags are in `hall_text`.
    fact TEXT NOT NULL
) STRICT;

-- What people wrote with a decision: apart from what only grows, because it may name a person.
CREATE TABLE hall_text (
    -- The decision.
    number INTEGER PRIMARY KEY REFERENCES hall_event (number),
    -- Why, in the author's words.
    reason TEXT,
    -- The tags of a game that it sets, JSON.
    tags TEXT
) STRICT;

-- Who has a player's number: apart from what only grows, because a person can be removed.
CREATE TABLE person (
    -- The player's number, never given twice.
    id INTEGER PRIMARY KEY,
    -- Name, title, rating and the like, JSON.
    person TEXT NOT NULL
) STRICT;

-- Rounds that the organisers know to be over, whatever their games say. Follows from `hall_event`.
CREATE TABLE finished_round (
    event TEXT NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (event, number)
) STRICT, WITHOUT ROWID;

-- Games of rounds that are over, or in which every game is, as PGN writes them. Follows from the game's events: whatever happens to
-- the game removes its row.
CREATE TABLE folded (
    game INTEGER PRIMARY KEY REFERENCES game (key),
    pgn TEXT NOT NULL
) STRICT;

-- An event's number is in every index already.
DROP INDEX game_event_by_game;
CREATE INDEX game_event_by_game ON game_event (game);

-- A board is what it is in every event.
DROP TRIGGER IF EXISTS board_event_is_not_changed;
DROP TRIGGER IF EXISTS board_event_is_not_removed;
DROP INDEX board_event_by_board;
ALTER TABLE board_event DROP COLUMN event;
CREATE INDEX board_event_by_board ON board_event (board, number);

-- Events get numbers after those of the facts that the upgrade makes.
DROP TRIGGER IF EXISTS game_event_is_not_changed;
DROP TRIGGER IF EXISTS game_event_is_not_removed;
