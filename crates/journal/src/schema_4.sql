-- From schema 3 to 4: when views with a delay released what they held back.

-- The moments of a view, in order. Replayed over the record, they give it the same events under the same numbers.
CREATE TABLE release (
    number INTEGER PRIMARY KEY,
    -- Names the view.
    view TEXT NOT NULL,
    -- The view knew the entries of the record with smaller numbers.
    known INTEGER NOT NULL,
    -- Hall time: what was due by then was released.
    at INTEGER NOT NULL,
    -- 1 for a start of the daemon; then nothing is released.
    is_start INTEGER NOT NULL,
    -- At a start: hall time gained over true time since the last start, in milliseconds; null when true time is not known.
    shift_ms INTEGER,
    -- At a start: the machine's boot and its monotonic clock in milliseconds, if it has them.
    boot TEXT,
    monotonic_ms INTEGER
) STRICT;
CREATE INDEX release_by_view ON release (view);

-- Rounds of which a view holds nothing back, up to an entry of their games.
CREATE TABLE released_round (
    view TEXT NOT NULL,
    event TEXT NOT NULL,
    number INTEGER NOT NULL,
    -- Number of the entry.
    last INTEGER NOT NULL,
    PRIMARY KEY (view, event, number)
) STRICT, WITHOUT ROWID;
