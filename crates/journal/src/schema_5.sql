-- From schema 4 to 5: a sum of what each row holds (`content_sum` gives what it is made of), so that a changed byte is seen.
DROP TRIGGER game_event_is_not_changed;
DROP TRIGGER board_event_is_not_changed;
DROP TRIGGER hall_event_is_not_changed;

ALTER TABLE game_event ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE game_tags ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE hall_event ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE hall_text ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE board_event ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE person ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;

UPDATE game_event SET sum = content_sum(game_event.number, game.id, game.event, game.round, at, committed_at, effective_at,
    author, evidence, game_event.event, step) FROM game WHERE game.key = game_event.game;
UPDATE game_tags SET sum = content_sum(number, tags);
UPDATE hall_event SET sum = content_sum(number, committed_at, effective_at, author, fact);
UPDATE hall_text SET sum = content_sum(number, reason, tags);
UPDATE board_event SET sum = content_sum(number, at, board, fact);
UPDATE person SET sum = content_sum(id, person);

-- Snapshots are made again: they have results of both losing, 0-0, now.
DELETE FROM folded;

CREATE TRIGGER game_event_is_not_changed BEFORE UPDATE ON game_event
BEGIN SELECT RAISE(ABORT, 'what happened is never rewritten: add a correction'); END;
CREATE TRIGGER board_event_is_not_changed BEFORE UPDATE ON board_event
BEGIN SELECT RAISE(ABORT, 'what happened is never rewritten: add a correction'); END;
CREATE TRIGGER hall_event_is_not_changed BEFORE UPDATE ON hall_event
BEGIN SELECT RAISE(ABORT, 'what happened is never rewritten: add a correction'); END;
