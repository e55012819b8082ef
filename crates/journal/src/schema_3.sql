-- From schema 2 to 3: numbers in public streams are given by publication when it releases an event, and are in no journal.

-- Number of the first entry that was recorded together with this event. Journals of schema 2 say it only of the tags of a
-- game that were recorded with its start.
DROP TRIGGER game_event_is_not_changed;
ALTER TABLE game_event ADD COLUMN step INTEGER NOT NULL DEFAULT 0;
UPDATE game_event SET step = number;
UPDATE game_event SET step = number - 1
    WHERE seq IS NULL AND event ->> '$.event' = 'tags' AND EXISTS (
        SELECT 1 FROM game_event AS start
        WHERE start.number = game_event.number - 1 AND start.game = game_event.game
            AND start.event ->> '$.event' = 'game_started');
ALTER TABLE game_event DROP COLUMN seq;
CREATE TRIGGER game_event_is_not_changed BEFORE UPDATE ON game_event
BEGIN SELECT RAISE(ABORT, 'what happened is never rewritten: add a correction'); END;

-- What publication counted in each round.
DROP TABLE round;
