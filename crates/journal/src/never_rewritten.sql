-- The tables that only grow.
CREATE TRIGGER game_event_is_not_changed BEFORE UPDATE ON game_event
BEGIN SELECT RAISE(ABORT, 'what happened is never rewritten: add a correction'); END;
CREATE TRIGGER game_event_is_not_removed BEFORE DELETE ON game_event
BEGIN SELECT RAISE(ABORT, 'what happened is never rewritten: add a correction'); END;
CREATE TRIGGER board_event_is_not_changed BEFORE UPDATE ON board_event
BEGIN SELECT RAISE(ABORT, 'what happened is never rewritten: add a correction'); END;
CREATE TRIGGER board_event_is_not_removed BEFORE DELETE ON board_event
BEGIN SELECT RAISE(ABORT, 'what happened is never rewritten: add a correction'); END;
CREATE TRIGGER hall_event_is_not_changed BEFORE UPDATE ON hall_event
BEGIN SELECT RAISE(ABORT, 'what happened is never rewritten: add a correction'); END;
CREATE TRIGGER hall_event_is_not_removed BEFORE DELETE ON hall_event
BEGIN SELECT RAISE(ABORT, 'what happened is never rewritten: add a correction'); END;
