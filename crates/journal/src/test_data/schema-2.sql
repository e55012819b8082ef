-- A journal of schema 2 as the build before the journal's own stored forms wrote it: facts of every kind, and a
-- correction with every command that was ever kept as its undo. Round 1 is over and archived, with snapshots of its games.
PRAGMA application_id = 1650684788;
PRAGMA user_version = 2;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE journal (
    -- Always 1.
    id INTEGER PRIMARY KEY CHECK (id = 1),
    -- Part of the names of the live feed's streams; another one in every backup, because what follows it there is
    -- another story.
    identity TEXT NOT NULL
) STRICT;
INSERT INTO journal VALUES(1,'31b44b4f');
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
INSERT INTO game VALUES(1,'20004-20261120-1','live-games',1,4,0);
INSERT INTO game VALUES(2,'open-a-1-1','open-a',1,1,1);
INSERT INTO game VALUES(3,'open-a-1-2','open-a',1,2,1);
INSERT INTO game VALUES(4,'open-a-1-3','open-a',1,3,0);
INSERT INTO game VALUES(5,'20001-apart-1','-',1,5,0);
INSERT INTO game VALUES(6,'open-a-2-1','open-a',2,1,0);
INSERT INTO game VALUES(7,'open-a-2-2','open-a',2,2,0);
INSERT INTO game VALUES(8,'open-a-2-3','open-a',2,3,0);
INSERT INTO game VALUES(9,'open-a-3-1','open-a',3,1,0);
INSERT INTO game VALUES(10,'20001-apart-2','-',1,5,1);
INSERT INTO game VALUES(11,'open-a-4-1','open-a',4,1,0);
INSERT INTO game VALUES(12,'20001-apart-3','-',1,5,0);
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
INSERT INTO game_event VALUES(10,1,1795176007000,1795176007000,1795176007000,1,'"board"','"start_position"','{"event":"game_started","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","variant":"standard"}');
INSERT INTO game_event VALUES(11,1,1795176007000,1795176007000,1795176007000,NULL,'"board"','"start_position"','{"event":"tags","tags":{}}');
INSERT INTO game_event VALUES(12,1,1795176012000,1795176012000,1795176012000,2,'"board"','"lever"','{"event":"move","ply":1,"san":"d4","uci":"d2d4","clk_ms":5400000,"emt_ms":5000}');
INSERT INTO game_event VALUES(13,1,1795176017000,1795176017000,1795176017000,3,'"board"','"lever"','{"event":"move","ply":2,"san":"d5","uci":"d7d5","clk_ms":5395000,"emt_ms":5000}');
INSERT INTO game_event VALUES(37,2,1795176034000,1795176034000,1795176034000,1,'{"operator":"Ada"}','"command"','{"event":"tags","tags":{}}');
INSERT INTO game_event VALUES(38,3,1795176034000,1795176034000,1795176034000,2,'{"operator":"Ada"}','"command"','{"event":"tags","tags":{}}');
INSERT INTO game_event VALUES(39,4,1795176034000,1795176034000,1795176034000,3,'{"operator":"Ada"}','"command"','{"event":"tags","tags":{}}');
INSERT INTO game_event VALUES(42,2,1795176035000,1795176035000,1795176035000,4,'"board"','"start_position"','{"event":"game_started","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","variant":"standard"}');
INSERT INTO game_event VALUES(43,2,1795176035000,1795176035000,1795176035000,NULL,'"board"','"start_position"','{"event":"tags","tags":{}}');
INSERT INTO game_event VALUES(45,3,1795176036000,1795176036000,1795176036000,5,'"board"','"start_position"','{"event":"game_started","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","variant":"standard"}');
INSERT INTO game_event VALUES(46,3,1795176036000,1795176036000,1795176036000,NULL,'"board"','"start_position"','{"event":"tags","tags":{}}');
INSERT INTO game_event VALUES(47,2,1795176041000,1795176041000,1795176041000,6,'"board"','"lever"','{"event":"move","ply":1,"san":"e4","uci":"e2e4","clk_ms":5400000,"emt_ms":5000}');
INSERT INTO game_event VALUES(48,2,1795176046000,1795176046000,1795176046000,7,'"board"','"lever"','{"event":"move","ply":2,"san":"e5","uci":"e7e5","clk_ms":5395000,"emt_ms":5000}');
INSERT INTO game_event VALUES(49,2,1795176051000,1795176051000,1795176051000,8,'"board"','"lever"','{"event":"move","ply":3,"san":"Nf3","uci":"g1f3","clk_ms":5390000,"emt_ms":5000}');
INSERT INTO game_event VALUES(50,3,1795176056000,1795176056000,1795176056000,9,'"board"','"lever"','{"event":"move","ply":1,"san":"e4","uci":"e2e4","clk_ms":5400000,"emt_ms":5000}');
INSERT INTO game_event VALUES(51,3,1795176061000,1795176061000,1795176061000,10,'"board"','"lever"','{"event":"move","ply":2,"san":"c5","uci":"c7c5","clk_ms":5395000,"emt_ms":5000}');
INSERT INTO game_event VALUES(54,4,1795176062000,1795176062000,1795176062000,11,'{"operator":"Ada"}','"command"','{"event":"result","result":"1-0","reason":"forfeit"}');
INSERT INTO game_event VALUES(57,2,1795176063000,1795176063000,1795176063000,12,'{"operator":"Ada"}','"command"','{"event":"tags","tags":{}}');
INSERT INTO game_event VALUES(59,3,1795176064000,1795176064000,1795176064000,13,'{"operator":"Ada"}','"command"','{"event":"tags","tags":{}}');
INSERT INTO game_event VALUES(61,2,1795176065000,1795176065000,1795176046000,14,'{"operator":"Ada"}','"command"','{"event":"amend","ply":2,"clk_ms":5300000,"emt_ms":null}');
INSERT INTO game_event VALUES(69,3,1795176068000,1795176068000,1795176061000,15,'{"operator":"Ada"}','"command"','{"event":"retract","to_ply":1}');
INSERT INTO game_event VALUES(70,3,1795176068000,1795176068000,1795176061000,16,'{"operator":"Ada"}','"command"','{"event":"move","ply":2,"san":"e5","uci":"e7e5","clk_ms":5395000,"emt_ms":5000}');
INSERT INTO game_event VALUES(72,3,1795176069000,1795176069000,1795176069000,17,'{"operator":"Ada"}','"command"','{"event":"move","ply":3,"san":"Nf3","uci":"g1f3","clk_ms":null,"emt_ms":null}');
INSERT INTO game_event VALUES(74,3,1795176070000,1795176070000,1795176069000,18,'{"operator":"Ada"}','"command"','{"event":"retract","to_ply":2}');
INSERT INTO game_event VALUES(76,3,1795176071000,1795176071000,1795176061000,19,'{"operator":"Ada"}','"command"','{"event":"retract","to_ply":1}');
INSERT INTO game_event VALUES(77,3,1795176071000,1795176071000,1795176061000,20,'{"operator":"Ada"}','"command"','{"event":"move","ply":2,"san":"d5","uci":"d7d5","clk_ms":1000,"emt_ms":5000}');
INSERT INTO game_event VALUES(82,2,1795176073000,1795176073000,1795176073000,21,'{"operator":"Ada"}','"command"','{"event":"tags","tags":{}}');
INSERT INTO game_event VALUES(85,2,1795176074000,1795176074000,1795176074000,22,'{"operator":"Ada"}','"command"','{"event":"tags","tags":{}}');
INSERT INTO game_event VALUES(91,2,1795176077000,1795176077000,1795176077000,23,'"board"','"quiet"','{"event":"result","result":"1-0","reason":"kings in the centre"}');
INSERT INTO game_event VALUES(92,2,1795176077000,1795176077000,1795176077000,24,'"board"','"quiet"','{"event":"game_ended"}');
INSERT INTO game_event VALUES(95,2,1795176078000,1795176078000,1795176077000,25,'{"operator":"Ada"}','"command"','{"event":"result","result":"1/2-1/2","reason":"operator"}');
INSERT INTO game_event VALUES(98,4,1795176079000,1795176079000,1795176062000,26,'{"operator":"Ada"}','"command"','{"event":"result","result":"*","reason":"0-0"}');
INSERT INTO game_event VALUES(101,4,1795176080000,1795176080000,1795176080000,27,'{"operator":"Ada"}','"command"','{"event":"tags","tags":{}}');
INSERT INTO game_event VALUES(110,3,1795176085000,1795176085000,1795176085000,28,'"board"','"quiet"','{"event":"result","result":"0-1","reason":"kings in the centre"}');
INSERT INTO game_event VALUES(111,3,1795176085000,1795176085000,1795176085000,29,'"board"','"quiet"','{"event":"game_ended"}');
INSERT INTO game_event VALUES(120,5,1795176093000,1795176093000,1795176093000,1,'"board"','"start_position"','{"event":"game_started","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","variant":"standard"}');
INSERT INTO game_event VALUES(121,5,1795176093000,1795176093000,1795176093000,NULL,'"board"','"start_position"','{"event":"tags","tags":{}}');
INSERT INTO game_event VALUES(122,5,1795176098000,1795176098000,1795176098000,2,'"board"','"lever"','{"event":"move","ply":1,"san":"c4","uci":"c2c4","clk_ms":5400000,"emt_ms":5000}');
INSERT INTO game_event VALUES(125,6,1795176099000,1795176099000,1795176099000,1,'{"operator":"Ada"}','"command"','{"event":"tags","tags":{}}');
INSERT INTO game_event VALUES(126,7,1795176099000,1795176099000,1795176099000,2,'{"operator":"Ada"}','"command"','{"event":"tags","tags":{}}');
INSERT INTO game_event VALUES(127,8,1795176099000,1795176099000,1795176099000,3,'{"operator":"Ada"}','"command"','{"event":"tags","tags":{}}');
INSERT INTO game_event VALUES(131,6,1795176100000,1795176100000,1795176100000,4,'{"operator":"Ada"}','"command"','{"event":"game_started","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","variant":"standard"}');
INSERT INTO game_event VALUES(132,6,1795176100000,1795176100000,1795176100000,NULL,'{"operator":"Ada"}','"command"','{"event":"tags","tags":{}}');
INSERT INTO game_event VALUES(133,6,1795176100000,1795176100000,1795176100000,5,'{"operator":"Ada"}','"command"','{"event":"move","ply":1,"san":"c4","uci":"c2c4","clk_ms":5400000,"emt_ms":5000}');
INSERT INTO game_event VALUES(135,7,1795176101000,1795176101000,1795176101000,6,'"board"','"start_position"','{"event":"game_started","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","variant":"standard"}');
INSERT INTO game_event VALUES(136,7,1795176101000,1795176101000,1795176101000,NULL,'"board"','"start_position"','{"event":"tags","tags":{}}');
INSERT INTO game_event VALUES(137,7,1795176106000,1795176106000,1795176106000,7,'"board"','"lever"','{"event":"move","ply":1,"san":"Nc3","uci":"b1c3","clk_ms":5400000,"emt_ms":5000}');
INSERT INTO game_event VALUES(146,9,1795176110000,1795176110000,1795176110000,1,'{"operator":"Ada"}','"command"','{"event":"tags","tags":{}}');
INSERT INTO game_event VALUES(149,10,1795176111000,1795176111000,1795176111000,3,'"board"','"start_position"','{"event":"game_started","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","variant":"standard"}');
INSERT INTO game_event VALUES(150,10,1795176111000,1795176111000,1795176111000,NULL,'"board"','"start_position"','{"event":"tags","tags":{}}');
INSERT INTO game_event VALUES(151,10,1795176116000,1795176116000,1795176116000,4,'"board"','"lever"','{"event":"move","ply":1,"san":"g3","uci":"g2g3","clk_ms":5400000,"emt_ms":5000}');
INSERT INTO game_event VALUES(152,10,1795176117000,1795176117000,1795176117000,5,'"board"','"quiet"','{"event":"result","result":"1/2-1/2","reason":"kings in the centre"}');
INSERT INTO game_event VALUES(153,10,1795176117000,1795176117000,1795176117000,6,'"board"','"quiet"','{"event":"game_ended"}');
INSERT INTO game_event VALUES(158,11,1795176119000,1795176119000,1795176119000,1,'{"operator":"Ada"}','"command"','{"event":"tags","tags":{}}');
INSERT INTO game_event VALUES(160,12,1795176120000,1795176120000,1795176120000,7,'"board"','"start_position"','{"event":"game_started","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","variant":"standard"}');
INSERT INTO game_event VALUES(161,12,1795176120000,1795176120000,1795176120000,NULL,'"board"','"start_position"','{"event":"tags","tags":{}}');
INSERT INTO game_event VALUES(162,12,1795176125000,1795176125000,1795176125000,8,'"board"','"lever"','{"event":"move","ply":1,"san":"g3","uci":"g2g3","clk_ms":5400000,"emt_ms":5000}');
CREATE TABLE game_tags (
    -- The event.
    number INTEGER PRIMARY KEY REFERENCES game_event (number),
    -- Tag name to value, JSON.
    tags TEXT NOT NULL
) STRICT;
INSERT INTO game_tags VALUES(11,'{"Board":"4","Date":"2026.11.20","Event":"Live games","GameId":"20004-20261120-1","Round":"1.4","Site":"?"}');
INSERT INTO game_tags VALUES(37,'{"Black":"Baker, Ruth","BlackElo":"2398","BlackFed":"NED","BlackFideId":"1002","BlackTeam":"Utrecht","Board":"1","Date":"2026.11.20","Event":"Open A of Utrecht","GameId":"open-a-1-1","Round":"1.1","Site":"Utrecht","TimeControl":"5400+30","White":"Adler, Ida","WhiteElo":"2399","WhiteFed":"NED","WhiteFideId":"1001","WhiteTeam":"Utrecht","WhiteTitle":"WGM"}');
INSERT INTO game_tags VALUES(38,'{"Black":"Dürer, Albrecht","BlackElo":"2396","BlackFed":"NED","BlackFideId":"1004","BlackTeam":"Utrecht","Board":"2","Date":"2026.11.20","Event":"Open A of Utrecht","GameId":"open-a-1-2","Round":"1.2","Site":"Utrecht","TimeControl":"5400+30","White":"Clark, Ada","WhiteElo":"2397","WhiteFed":"NED","WhiteFideId":"1003","WhiteTeam":"Utrecht"}');
INSERT INTO game_tags VALUES(39,'{"Black":"Fuchs, Eva","BlackElo":"2394","BlackFed":"NED","BlackFideId":"1006","BlackTeam":"Utrecht","Board":"3","Date":"2026.11.20","Event":"Open A of Utrecht","GameId":"open-a-1-3","Round":"1.3","Site":"Utrecht","TimeControl":"5400+30","White":"Evans, Owen","WhiteElo":"2395","WhiteFed":"NED","WhiteFideId":"1005","WhiteTeam":"Utrecht"}');
INSERT INTO game_tags VALUES(43,'{"Black":"Baker, Ruth","BlackElo":"2398","BlackFed":"NED","BlackFideId":"1002","BlackTeam":"Utrecht","Board":"1","Date":"2026.11.20","Event":"Open A of Utrecht","GameId":"open-a-1-1","Round":"1.1","Site":"Utrecht","TimeControl":"5400+30","White":"Adler, Ida","WhiteElo":"2399","WhiteFed":"NED","WhiteFideId":"1001","WhiteTeam":"Utrecht","WhiteTitle":"WGM"}');
INSERT INTO game_tags VALUES(46,'{"Black":"Dürer, Albrecht","BlackElo":"2396","BlackFed":"NED","BlackFideId":"1004","BlackTeam":"Utrecht","Board":"2","Date":"2026.11.20","Event":"Open A of Utrecht","GameId":"open-a-1-2","Round":"1.2","Site":"Utrecht","TimeControl":"5400+30","White":"Clark, Ada","WhiteElo":"2397","WhiteFed":"NED","WhiteFideId":"1003","WhiteTeam":"Utrecht"}');
INSERT INTO game_tags VALUES(57,'{"Black":"B., R.","BlackElo":"","BlackFed":"","BlackFideId":"","BlackTeam":""}');
INSERT INTO game_tags VALUES(59,'{"White":"Clarke, Ada","WhiteFed":"","WhiteFideId":"","WhiteTeam":""}');
INSERT INTO game_tags VALUES(82,'{"Annotator":"Baker, Ruth","Opening":"Ruy Lopez"}');
INSERT INTO game_tags VALUES(85,'{"Annotator":"","Opening":"Spanish"}');
INSERT INTO game_tags VALUES(101,'{"Black":"Evans, Owen","BlackElo":"2395","BlackFideId":"1005","White":"Fuchs, Eva","WhiteElo":"2394","WhiteFideId":"1006"}');
INSERT INTO game_tags VALUES(121,'{}');
INSERT INTO game_tags VALUES(125,'{"Black":"Clarke, Ada","BlackElo":"2397","BlackTimeControl":"240","Board":"1","Event":"Open A of Utrecht","FEN":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","GameId":"open-a-2-1","Round":"2.1","SetUp":"1","Site":"Utrecht","Variant":"Chess960","White":"Adler, Ida","WhiteElo":"2399","WhiteFed":"NED","WhiteFideId":"1001","WhiteTeam":"Utrecht","WhiteTimeControl":"300","WhiteTitle":"WGM"}');
INSERT INTO game_tags VALUES(126,'{"Black":"B., R.","BlackTimeControl":"240","Board":"2","Event":"Open A of Utrecht","FEN":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","GameId":"open-a-2-2","Round":"2.2","SetUp":"1","Site":"Utrecht","Variant":"Chess960","White":"Dürer, Albrecht","WhiteElo":"2396","WhiteFed":"NED","WhiteFideId":"1004","WhiteTeam":"Utrecht","WhiteTimeControl":"300"}');
INSERT INTO game_tags VALUES(127,'{"Black":"Hart, Mo","BlackElo":"2392","BlackFed":"NED","BlackFideId":"1008","BlackTeam":"Utrecht","BlackTimeControl":"240","Board":"3","Event":"Open A of Utrecht","FEN":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","GameId":"open-a-2-3","Round":"2.3","SetUp":"1","Site":"Utrecht","Variant":"Chess960","White":"Evans, Owen","WhiteElo":"2395","WhiteFed":"NED","WhiteFideId":"1005","WhiteTeam":"Utrecht","WhiteTimeControl":"300"}');
INSERT INTO game_tags VALUES(132,'{"Black":"Clarke, Ada","BlackElo":"2397","BlackTimeControl":"240","Board":"1","Date":"2026.11.20","Event":"Open A of Utrecht","GameId":"open-a-2-1","Round":"2.1","Site":"Utrecht","White":"Adler, Ida","WhiteElo":"2399","WhiteFed":"NED","WhiteFideId":"1001","WhiteTeam":"Utrecht","WhiteTimeControl":"300","WhiteTitle":"WGM"}');
INSERT INTO game_tags VALUES(136,'{"Black":"B., R.","BlackTimeControl":"240","Board":"2","Date":"2026.11.20","Event":"Open A of Utrecht","GameId":"open-a-2-2","Round":"2.2","Site":"Utrecht","White":"Dürer, Albrecht","WhiteElo":"2396","WhiteFed":"NED","WhiteFideId":"1004","WhiteTeam":"Utrecht","WhiteTimeControl":"300"}');
INSERT INTO game_tags VALUES(146,'{"Black":"B., R.","BlackTimeControl":"240","Board":"1","Event":"Open A of Utrecht","GameId":"open-a-3-1","Round":"3.1","Site":"Utrecht","White":"Adler, Ida","WhiteElo":"2399","WhiteFed":"NED","WhiteFideId":"1001","WhiteTeam":"Utrecht","WhiteTimeControl":"300","WhiteTitle":"WGM"}');
INSERT INTO game_tags VALUES(150,'{}');
INSERT INTO game_tags VALUES(158,'{"Black":"B., R.","BlackTimeControl":"240","Board":"1","Event":"Open A of Utrecht","GameId":"open-a-4-1","Round":"4.1","Site":"Utrecht","White":"Adler, Ida","WhiteElo":"2399","WhiteFed":"NED","WhiteFideId":"1001","WhiteTeam":"Utrecht","WhiteTimeControl":"300","WhiteTitle":"WGM"}');
INSERT INTO game_tags VALUES(161,'{}');
CREATE TABLE board_event (
    -- From 1.
    number INTEGER PRIMARY KEY,
    -- When.
    at INTEGER NOT NULL,
    -- Slug of the event that is played.
    board TEXT NOT NULL,
    -- What happened, JSON: {"seated":{"table"}}, {"began":{"game","round"}} (nulls when no pairing knows the game),
    -- {"facing":{"rotated","white_is_left"}}.
    fact TEXT NOT NULL
) STRICT;
INSERT INTO board_event VALUES(1,1795176007000,'20004','{"facing":{"rotated":false,"white_is_left":true}}');
INSERT INTO board_event VALUES(2,1795176035000,'20001','{"facing":{"rotated":false,"white_is_left":true}}');
INSERT INTO board_event VALUES(3,1795176036000,'20002','{"facing":{"rotated":true,"white_is_left":true}}');
INSERT INTO board_event VALUES(4,1795176093000,'20001','{"facing":{"rotated":false,"white_is_left":true}}');
INSERT INTO board_event VALUES(5,1795176101000,'20002','{"facing":{"rotated":true,"white_is_left":true}}');
INSERT INTO board_event VALUES(6,1795176108000,'20002','{"blind":{"squares":["a1","h8"]}}');
INSERT INTO board_event VALUES(7,1795176111000,'20001','{"facing":{"rotated":false,"white_is_left":true}}');
INSERT INTO board_event VALUES(8,1795176120000,'20001','{"facing":{"rotated":false,"white_is_left":true}}');
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
INSERT INTO round VALUES('-',1,8,1795176098000);
INSERT INTO round VALUES('live-games',1,3,1795176012000);
INSERT INTO round VALUES('open-a',1,29,1795176041000);
INSERT INTO round VALUES('open-a',2,7,1795176100000);
INSERT INTO round VALUES('open-a',3,1,NULL);
INSERT INTO round VALUES('open-a',4,1,NULL);
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
INSERT INTO hall_event VALUES(0,1795176001000,1795176001000,'{"operator":"Ada"}','{"fact":"section_set","section":"live-games","settings":{"tournament":"","name":"Live games","site":"?","zone":"UTC","first_table":1,"time_control":{},"auto_publish":false,"arm_by_publishing":true,"result_rule":"shown","boardless_games":false,"forfeits":false,"simultaneous":false,"open_play":true}}');
INSERT INTO hall_event VALUES(1,1795176002000,1795176002000,'{"operator":"Ada"}','{"fact":"seated","table":1,"board":"20001"}');
INSERT INTO hall_event VALUES(2,1795176003000,1795176003000,'{"operator":"Ada"}','{"fact":"seated","table":2,"board":"20002"}');
INSERT INTO hall_event VALUES(3,1795176004000,1795176004000,'{"operator":"Ada"}','{"fact":"seated","table":3,"board":"20003"}');
INSERT INTO hall_event VALUES(4,1795176005000,1795176005000,'{"operator":"Ada"}','{"fact":"seated","table":4,"board":"20004"}');
INSERT INTO hall_event VALUES(5,1795176006000,1795176006000,'{"operator":"Ada"}','{"fact":"seated","table":5,"board":"20005"}');
INSERT INTO hall_event VALUES(6,1795176007000,1795176007000,'"board"','{"fact":"round_set","section":"live-games","round":1,"settings":{"date":"2026-11-20","delay_s":0}}');
INSERT INTO hall_event VALUES(7,1795176007000,1795176007000,'"board"','{"fact":"round_state","section":"live-games","round":1,"state":"running"}');
INSERT INTO hall_event VALUES(8,1795176007000,1795176007000,'"board"','{"fact":"paired","section":"live-games","round":1,"game":"20004-20261120-1","pair":{"number":4,"boardless":false,"white":null,"black":null}}');
INSERT INTO hall_event VALUES(9,1795176007000,1795176007000,'"board"','{"fact":"began","board":"20004","game":"20004-20261120-1","day":"2026-11-20"}');
INSERT INTO hall_event VALUES(14,1795176018000,1795176018000,'{"operator":"Ada"}','{"fact":"tournament_set","tournament":"festival","settings":{"name":"Festival","site":"Utrecht","zone":"Europe/Amsterdam"}}');
INSERT INTO hall_event VALUES(15,1795176019000,1795176019000,'{"operator":"Ada"}','{"fact":"tournament_set","tournament":"festival","settings":{"name":"Festival of Utrecht","site":"Utrecht","zone":"Europe/Amsterdam"}}');
INSERT INTO hall_event VALUES(16,1795176019000,1795176019000,'{"operator":"Ada"}','{"fact":"corrected","number":1,"what":"tournament «festival»: settings","undo":{"order":"set_tournament","tournament":"festival","settings":{"name":"Festival","site":"Utrecht","zone":"Europe/Amsterdam"}}}');
INSERT INTO hall_event VALUES(17,1795176020000,1795176020000,'{"operator":"Ada"}','{"fact":"section_set","section":"open-a","settings":{"tournament":"festival","name":"Open A","site":"Utrecht","zone":"Europe/Amsterdam","first_table":1,"time_control":{"white":"300","black":"240"},"last_day":"2026-11-29","auto_publish":false,"arm_by_publishing":true,"result_rule":"by_rules","boardless_games":true,"forfeits":true,"simultaneous":false,"open_play":false}}');
INSERT INTO hall_event VALUES(18,1795176021000,1795176021000,'{"operator":"Ada"}','{"fact":"section_set","section":"open-a","settings":{"tournament":"festival","name":"Open A of Utrecht","site":"Utrecht","zone":"Europe/Amsterdam","first_table":1,"time_control":{"white":"300","black":"240"},"last_day":"2026-11-29","auto_publish":false,"arm_by_publishing":true,"result_rule":"by_rules","boardless_games":true,"forfeits":true,"simultaneous":false,"open_play":false}}');
INSERT INTO hall_event VALUES(19,1795176021000,1795176021000,'{"operator":"Ada"}','{"fact":"corrected","number":2,"what":"section «open-a»: settings","undo":{"order":"set_section","section":"open-a","settings":{"tournament":"festival","name":"Open A","site":"Utrecht","zone":"Europe/Amsterdam","first_table":1,"time_control":{"white":"300","black":"240"},"last_day":"2026-11-29","auto_publish":false,"arm_by_publishing":true,"result_rule":"by_rules","boardless_games":true,"forfeits":true,"simultaneous":false,"open_play":false}}}');
INSERT INTO hall_event VALUES(20,1795176022000,1795176022000,'{"operator":"Ada"}','{"fact":"round_set","section":"open-a","round":1,"settings":{"name":"First","date":"2026-11-20","planned_start":1795176000000,"time_control":{"white":"5400+30","black":"5400+30"},"delay_s":0,"default_time_s":1800}}');
INSERT INTO hall_event VALUES(21,1795176023000,1795176023000,'{"operator":"Ada"}','{"fact":"round_set","section":"open-a","round":1,"settings":{"name":"First round","date":"2026-11-20","planned_start":1795176000000,"time_control":{"white":"5400+30","black":"5400+30"},"delay_s":0,"default_time_s":1800}}');
INSERT INTO hall_event VALUES(22,1795176023000,1795176023000,'{"operator":"Ada"}','{"fact":"corrected","number":3,"what":"«open-a», round 1: settings","undo":{"order":"set_round","section":"open-a","round":1,"settings":{"name":"First","date":"2026-11-20","planned_start":1795176000000,"time_control":{"white":"5400+30","black":"5400+30"},"delay_s":0,"default_time_s":1800}}}');
INSERT INTO hall_event VALUES(23,1795176024000,1795176024000,'{"operator":"Ada"}','{"fact":"player_set","section":"open-a","player":1,"number":1,"display":"full"}');
INSERT INTO hall_event VALUES(24,1795176025000,1795176025000,'{"operator":"Ada"}','{"fact":"player_set","section":"open-a","player":2,"number":2,"display":"full"}');
INSERT INTO hall_event VALUES(25,1795176026000,1795176026000,'{"operator":"Ada"}','{"fact":"player_set","section":"open-a","player":3,"number":3,"display":"full"}');
INSERT INTO hall_event VALUES(26,1795176027000,1795176027000,'{"operator":"Ada"}','{"fact":"player_set","section":"open-a","player":4,"number":4,"display":"full"}');
INSERT INTO hall_event VALUES(27,1795176028000,1795176028000,'{"operator":"Ada"}','{"fact":"player_set","section":"open-a","player":5,"number":5,"display":"full"}');
INSERT INTO hall_event VALUES(28,1795176029000,1795176029000,'{"operator":"Ada"}','{"fact":"player_set","section":"open-a","player":6,"number":6,"display":"full"}');
INSERT INTO hall_event VALUES(29,1795176030000,1795176030000,'{"operator":"Ada"}','{"fact":"player_set","section":"open-a","player":7,"number":7,"display":"full"}');
INSERT INTO hall_event VALUES(30,1795176031000,1795176031000,'{"operator":"Ada"}','{"fact":"player_set","section":"open-a","player":8,"number":8,"display":"full"}');
INSERT INTO hall_event VALUES(31,1795176032000,1795176032000,'{"operator":"Ada"}','{"fact":"paired","section":"open-a","round":1,"game":"open-a-1-1","pair":{"number":1,"boardless":false,"white":1,"black":2}}');
INSERT INTO hall_event VALUES(32,1795176032000,1795176032000,'{"operator":"Ada"}','{"fact":"paired","section":"open-a","round":1,"game":"open-a-1-2","pair":{"number":2,"boardless":false,"white":3,"black":4}}');
INSERT INTO hall_event VALUES(33,1795176032000,1795176032000,'{"operator":"Ada"}','{"fact":"paired","section":"open-a","round":1,"game":"open-a-1-3","pair":{"number":3,"boardless":false,"white":5,"black":6}}');
INSERT INTO hall_event VALUES(34,1795176033000,1795176033000,'{"operator":"Ada"}','{"fact":"bye_set","section":"open-a","round":1,"player":7,"kind":"half"}');
INSERT INTO hall_event VALUES(35,1795176034000,1795176034000,'{"operator":"Ada"}','{"fact":"round_state","section":"open-a","round":1,"state":"published"}');
INSERT INTO hall_event VALUES(36,1795176034000,1795176034000,'{"operator":"Ada"}','{"fact":"round_state","section":"open-a","round":1,"state":"armed"}');
INSERT INTO hall_event VALUES(40,1795176035000,1795176035000,'"board"','{"fact":"round_state","section":"open-a","round":1,"state":"running"}');
INSERT INTO hall_event VALUES(41,1795176035000,1795176035000,'"board"','{"fact":"began","board":"20001","game":"open-a-1-1","day":"2026-11-20"}');
INSERT INTO hall_event VALUES(44,1795176036000,1795176036000,'"board"','{"fact":"began","board":"20002","game":"open-a-1-2","day":"2026-11-20"}');
INSERT INTO hall_event VALUES(52,1795176062000,1795176062000,'{"operator":"Ada"}','{"fact":"result_imported","game":"open-a-1-3","result":{"white":"one","black":"zero","kind":"forfeit"}}');
INSERT INTO hall_event VALUES(53,1795176062000,1795176062000,'{"operator":"Ada"}','{"fact":"result_set","game":"open-a-1-3","result":{"white":"one","black":"zero","kind":"forfeit"}}');
INSERT INTO hall_event VALUES(55,1795176063000,1795176063000,'{"operator":"Ada"}','{"fact":"player_set","section":"open-a","player":2,"number":2,"display":"initials"}');
INSERT INTO hall_event VALUES(56,1795176063000,1795176063000,'{"operator":"Ada"}','{"fact":"corrected","number":4,"what":"player 2: shown otherwise","undo":{"order":"set_display","player":2,"display":"full"}}');
INSERT INTO hall_event VALUES(58,1795176064000,1795176064000,'{"operator":"Ada"}','{"fact":"corrected","number":5,"what":"player 3: corrected","undo":{"order":"restore_player","player":3}}');
INSERT INTO hall_event VALUES(60,1795176065000,1795176065000,'{"operator":"Ada"}','{"fact":"corrected","number":6,"what":"open-a-1-1: times of ply 2","game":"open-a-1-1","undo":{"order":"set_clock","game":"open-a-1-1","ply":2,"clk_ms":5395000,"emt_ms":5000}}');
INSERT INTO hall_event VALUES(62,1795176066000,1795176066000,'{"operator":"Ada"}','{"fact":"seated","table":1,"board":"20005"}');
INSERT INTO hall_event VALUES(63,1795176066000,1795176066000,'{"operator":"Ada"}','{"fact":"seated","table":5,"board":"20001"}');
INSERT INTO hall_event VALUES(64,1795176066000,1795176066000,'{"operator":"Ada"}','{"fact":"moved","game":"open-a-1-1","from":"20001","to":"20005"}');
INSERT INTO hall_event VALUES(65,1795176066000,1795176066000,'{"operator":"Ada"}','{"fact":"corrected","number":7,"what":"open-a-1-1: board 20005 instead of 20001","game":"open-a-1-1","undo":{"order":"swap_board","game":"open-a-1-1","board":"20001"}}');
INSERT INTO hall_event VALUES(66,1795176067000,1795176067000,'{"operator":"Ada"}','{"fact":"adjourned","game":"open-a-1-2"}');
INSERT INTO hall_event VALUES(67,1795176067000,1795176067000,'{"operator":"Ada"}','{"fact":"corrected","number":8,"what":"open-a-1-2: adjourned","game":"open-a-1-2","undo":{"order":"resume","game":"open-a-1-2","board":"20002"}}');
INSERT INTO hall_event VALUES(68,1795176068000,1795176068000,'{"operator":"Ada"}','{"fact":"corrected","number":9,"what":"open-a-1-2: moves","game":"open-a-1-2","undo":{"order":"edit_moves","game":"open-a-1-2","edit":{"edit":"replace","ply":2,"played":{"san":"c7c5","clk_ms":5395000,"emt_ms":5000}},"cut":false}}');
INSERT INTO hall_event VALUES(71,1795176069000,1795176069000,'{"operator":"Ada"}','{"fact":"corrected","number":10,"what":"open-a-1-2: moves","game":"open-a-1-2","undo":{"order":"edit_moves","game":"open-a-1-2","edit":{"edit":"delete","ply":3},"cut":false}}');
INSERT INTO hall_event VALUES(73,1795176070000,1795176070000,'{"operator":"Ada"}','{"fact":"corrected","number":11,"what":"open-a-1-2: moves","game":"open-a-1-2","undo":{"order":"edit_moves","game":"open-a-1-2","edit":{"edit":"insert","ply":3,"played":{"san":"g1f3"}},"cut":false}}');
INSERT INTO hall_event VALUES(75,1795176071000,1795176071000,'{"operator":"Ada"}','{"fact":"corrected","number":12,"what":"open-a-1-2: moves","game":"open-a-1-2","undo":{"order":"edit_moves","game":"open-a-1-2","edit":{"edit":"set","after":0,"moves":[{"san":"e2e4","clk_ms":5400000,"emt_ms":5000},{"san":"e7e5","clk_ms":5395000,"emt_ms":5000}],"instead_of":2},"cut":false}}');
INSERT INTO hall_event VALUES(78,1795176072000,1795176072000,'{"operator":"Ada"}','{"fact":"moved","game":"open-a-1-2","from":null,"to":"20002"}');
INSERT INTO hall_event VALUES(79,1795176072000,1795176072000,'{"operator":"Ada"}','{"fact":"corrected","number":13,"what":"open-a-1-2: goes on on board 20002","game":"open-a-1-2","undo":{"order":"adjourn","game":"open-a-1-2"}}');
INSERT INTO hall_event VALUES(80,1795176073000,1795176073000,'{"operator":"Ada"}','{"fact":"tags_set","game":"open-a-1-1","tags":{}}');
INSERT INTO hall_event VALUES(81,1795176073000,1795176073000,'{"operator":"Ada"}','{"fact":"corrected","number":14,"what":"open-a-1-1: tags","game":"open-a-1-1","undo":{"order":"set_tags","game":"open-a-1-1","tags":{}}}');
INSERT INTO hall_event VALUES(83,1795176074000,1795176074000,'{"operator":"Ada"}','{"fact":"tags_set","game":"open-a-1-1","tags":{}}');
INSERT INTO hall_event VALUES(84,1795176074000,1795176074000,'{"operator":"Ada"}','{"fact":"corrected","number":15,"what":"open-a-1-1: tags","game":"open-a-1-1","undo":{"order":"set_tags","game":"open-a-1-1","tags":{}}}');
INSERT INTO hall_event VALUES(86,1795176075000,1795176075000,'{"operator":"Ada"}','{"fact":"withdrawn","game":"open-a-1-1","withdrawn":true}');
INSERT INTO hall_event VALUES(87,1795176075000,1795176075000,'{"operator":"Ada"}','{"fact":"corrected","number":16,"what":"open-a-1-1: withdrawn","game":"open-a-1-1","undo":{"order":"restore","game":"open-a-1-1"}}');
INSERT INTO hall_event VALUES(88,1795176076000,1795176076000,'{"operator":"Ada"}','{"fact":"withdrawn","game":"open-a-1-1","withdrawn":false}');
INSERT INTO hall_event VALUES(89,1795176076000,1795176076000,'{"operator":"Ada"}','{"fact":"corrected","number":17,"what":"open-a-1-1: public again","game":"open-a-1-1","undo":{"order":"withdraw","game":"open-a-1-1"}}');
INSERT INTO hall_event VALUES(90,1795176077000,1795176077000,'{"rule":"session"}','{"fact":"result_set","game":"open-a-1-1","result":{"white":"one","black":"zero","kind":"played"}}');
INSERT INTO hall_event VALUES(93,1795176078000,1795176078000,'{"operator":"Ada"}','{"fact":"result_set","game":"open-a-1-1","result":{"white":"half","black":"half","kind":"played"}}');
INSERT INTO hall_event VALUES(94,1795176078000,1795176078000,'{"operator":"Ada"}','{"fact":"corrected","number":18,"what":"open-a-1-1: result 1/2-1/2 instead of 1-0","game":"open-a-1-1","undo":{"order":"set_result","game":"open-a-1-1","result":"1-0","reason":"kings in the centre"}}');
INSERT INTO hall_event VALUES(96,1795176079000,1795176079000,'{"operator":"Ada"}','{"fact":"result_set","game":"open-a-1-3","result":{"white":"zero","black":"zero","kind":"played"}}');
INSERT INTO hall_event VALUES(97,1795176079000,1795176079000,'{"operator":"Ada"}','{"fact":"corrected","number":19,"what":"open-a-1-3: result 0-0 instead of + - -","game":"open-a-1-3","undo":{"order":"set_result","game":"open-a-1-3","result":"+ - -","reason":"forfeit"}}');
INSERT INTO hall_event VALUES(99,1795176080000,1795176080000,'{"operator":"Ada"}','{"fact":"paired","section":"open-a","round":1,"game":"open-a-1-3","pair":{"number":3,"boardless":false,"white":6,"black":5}}');
INSERT INTO hall_event VALUES(100,1795176080000,1795176080000,'{"operator":"Ada"}','{"fact":"corrected","number":20,"what":"open-a-1-3: players","game":"open-a-1-3","undo":{"order":"set_players","game":"open-a-1-3","white":5,"black":6,"confirm":true}}');
INSERT INTO hall_event VALUES(102,1795176081000,1795176081000,'{"operator":"Ada"}','{"fact":"event_ended","section":"open-a","ended":true}');
INSERT INTO hall_event VALUES(103,1795176081000,1795176081000,'{"operator":"Ada"}','{"fact":"corrected","number":21,"what":"«open-a»: ended","undo":{"order":"resume_event","section":"open-a"}}');
INSERT INTO hall_event VALUES(104,1795176082000,1795176082000,'{"operator":"Ada"}','{"fact":"event_ended","section":"open-a","ended":false}');
INSERT INTO hall_event VALUES(105,1795176082000,1795176082000,'{"operator":"Ada"}','{"fact":"corrected","number":22,"what":"«open-a»: goes on","undo":{"order":"end_event","section":"open-a","confirm":true}}');
INSERT INTO hall_event VALUES(106,1795176083000,1795176083000,'{"operator":"Ada"}','{"fact":"tournament_set","tournament":"festival","settings":{"name":"Festival","site":"Utrecht","zone":"Europe/Amsterdam"}}');
INSERT INTO hall_event VALUES(107,1795176083000,1795176083000,'{"operator":"Ada"}','{"fact":"corrected","number":23,"what":"correction 1 taken back: tournament «festival»: settings","undo":{"order":"set_tournament","tournament":"festival","settings":{"name":"Festival of Utrecht","site":"Utrecht","zone":"Europe/Amsterdam"}},"undoes":1}');
INSERT INTO hall_event VALUES(108,1795176085000,1795176085000,'{"rule":"session"}','{"fact":"result_set","game":"open-a-1-2","result":{"white":"zero","black":"one","kind":"played"}}');
INSERT INTO hall_event VALUES(109,1795176085000,1795176085000,'{"rule":"session"}','{"fact":"round_state","section":"open-a","round":1,"state":"finished"}');
INSERT INTO hall_event VALUES(112,1795176087000,1795176087000,'{"operator":"Ada"}','{"fact":"round_set","section":"open-a","round":2,"settings":{"delay_s":0}}');
INSERT INTO hall_event VALUES(113,1795176087000,1795176087000,'{"operator":"Ada"}','{"fact":"paired","section":"open-a","round":2,"game":"open-a-2-1","pair":{"number":1,"boardless":false,"white":1,"black":3}}');
INSERT INTO hall_event VALUES(114,1795176088000,1795176088000,'{"operator":"Ada"}','{"fact":"paired","section":"open-a","round":2,"game":"open-a-2-2","pair":{"number":2,"boardless":false,"white":4,"black":2}}');
INSERT INTO hall_event VALUES(115,1795176089000,1795176089000,'{"operator":"Ada"}','{"fact":"paired","section":"open-a","round":2,"game":"open-a-2-3","pair":{"number":3,"boardless":true,"white":5,"black":8}}');
INSERT INTO hall_event VALUES(116,1795176090000,1795176090000,'{"operator":"Ada"}','{"fact":"paired","section":"open-a","round":2,"game":"open-a-2-4","pair":{"number":4,"boardless":false,"white":6,"black":7}}');
INSERT INTO hall_event VALUES(117,1795176091000,1795176091000,'{"operator":"Ada"}','{"fact":"unpaired","game":"open-a-2-4"}');
INSERT INTO hall_event VALUES(118,1795176092000,1795176092000,'{"operator":"Ada"}','{"fact":"start_set","section":"open-a","round":2,"start":{"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","variant":"chess960","number":518}}');
INSERT INTO hall_event VALUES(119,1795176093000,1795176093000,'"board"','{"fact":"parked","board":"20001","game":"20001-apart-1"}');
INSERT INTO hall_event VALUES(123,1795176099000,1795176099000,'{"operator":"Ada"}','{"fact":"round_state","section":"open-a","round":2,"state":"published"}');
INSERT INTO hall_event VALUES(124,1795176099000,1795176099000,'{"operator":"Ada"}','{"fact":"round_state","section":"open-a","round":2,"state":"armed"}');
INSERT INTO hall_event VALUES(128,1795176100000,1795176100000,'{"operator":"Ada"}','{"fact":"round_state","section":"open-a","round":2,"state":"running"}');
INSERT INTO hall_event VALUES(129,1795176100000,1795176100000,'{"operator":"Ada"}','{"fact":"began","board":"20001","game":"open-a-2-1","day":"2026-11-20"}');
INSERT INTO hall_event VALUES(130,1795176100000,1795176100000,'{"operator":"Ada"}','{"fact":"claimed","parked":"20001-apart-1","game":"open-a-2-1"}');
INSERT INTO hall_event VALUES(134,1795176101000,1795176101000,'"board"','{"fact":"began","board":"20002","game":"open-a-2-2","day":"2026-11-20"}');
INSERT INTO hall_event VALUES(138,1795176107000,1795176107000,'{"operator":"Ada"}','{"fact":"player_forgotten","player":7}');
INSERT INTO hall_event VALUES(139,1795176108000,1795176108000,'{"rule":"upgrade"}','{"fact":"bye_imported","section":"open-a","round":2,"player":6,"kind":"pairing"}');
INSERT INTO hall_event VALUES(140,1795176108000,1795176108000,'{"rule":"upgrade"}','{"fact":"result_set","game":"open-a-2-3","result":{"white":"one","black":"zero","kind":"unrated"}}');
INSERT INTO hall_event VALUES(141,1795176108000,1795176108000,'{"rule":"upgrade"}','{"fact":"result_missing","game":"open-a-2-2"}');
INSERT INTO hall_event VALUES(142,1795176109000,1795176109000,'{"operator":"Ada"}','{"fact":"round_set","section":"open-a","round":3,"settings":{"delay_s":0}}');
INSERT INTO hall_event VALUES(143,1795176109000,1795176109000,'{"operator":"Ada"}','{"fact":"paired","section":"open-a","round":3,"game":"open-a-3-1","pair":{"number":1,"boardless":false,"white":1,"black":2}}');
INSERT INTO hall_event VALUES(144,1795176110000,1795176110000,'{"operator":"Ada"}','{"fact":"round_state","section":"open-a","round":3,"state":"published"}');
INSERT INTO hall_event VALUES(145,1795176110000,1795176110000,'{"operator":"Ada"}','{"fact":"round_state","section":"open-a","round":3,"state":"armed"}');
INSERT INTO hall_event VALUES(147,1795176111000,1795176111000,'"board"','{"fact":"result_missing","game":"open-a-2-1"}');
INSERT INTO hall_event VALUES(148,1795176111000,1795176111000,'"board"','{"fact":"parked","board":"20001","game":"20001-apart-2"}');
INSERT INTO hall_event VALUES(154,1795176118000,1795176118000,'{"operator":"Ada"}','{"fact":"round_set","section":"open-a","round":4,"settings":{"delay_s":0}}');
INSERT INTO hall_event VALUES(155,1795176118000,1795176118000,'{"operator":"Ada"}','{"fact":"paired","section":"open-a","round":4,"game":"open-a-4-1","pair":{"number":1,"boardless":false,"white":1,"black":2}}');
INSERT INTO hall_event VALUES(156,1795176119000,1795176119000,'{"operator":"Ada"}','{"fact":"round_state","section":"open-a","round":4,"state":"published"}');
INSERT INTO hall_event VALUES(157,1795176119000,1795176119000,'{"operator":"Ada"}','{"fact":"round_state","section":"open-a","round":4,"state":"armed"}');
INSERT INTO hall_event VALUES(159,1795176120000,1795176120000,'"board"','{"fact":"parked","board":"20001","game":"20001-apart-3"}');
CREATE TABLE hall_text (
    -- The decision.
    number INTEGER PRIMARY KEY REFERENCES hall_event (number),
    -- Why, in the author's words.
    reason TEXT,
    -- The tags of a game that it sets, JSON.
    tags TEXT
) STRICT;
INSERT INTO hall_text VALUES(80,NULL,'{"Annotator":"Baker, Ruth","Opening":"Ruy Lopez"}');
INSERT INTO hall_text VALUES(83,NULL,'{"Opening":"Spanish"}');
INSERT INTO hall_text VALUES(84,NULL,'{"Annotator":"Baker, Ruth","Opening":"Ruy Lopez"}');
INSERT INTO hall_text VALUES(93,'protest',NULL);
INSERT INTO hall_text VALUES(94,'protest',NULL);
INSERT INTO hall_text VALUES(96,'protest',NULL);
INSERT INTO hall_text VALUES(97,'protest',NULL);
INSERT INTO hall_text VALUES(139,'by hand',NULL);
INSERT INTO hall_text VALUES(140,'by hand',NULL);
INSERT INTO hall_text VALUES(141,'by hand',NULL);
CREATE TABLE person (
    -- The player's number, never given twice.
    id INTEGER PRIMARY KEY,
    -- Name, title, rating and the like, JSON.
    person TEXT NOT NULL
) STRICT;
INSERT INTO person VALUES(1,'{"person":{"name":"Adler, Ida","title":"WGM","rating":2399,"federation":"NED","fide_id":1001,"team":"Utrecht"},"earlier":[]}');
INSERT INTO person VALUES(2,'{"person":{"name":"Baker, Ruth","rating":2398,"federation":"NED","fide_id":1002,"team":"Utrecht"},"earlier":[]}');
INSERT INTO person VALUES(3,'{"person":{"name":"Clarke, Ada","rating":2397},"earlier":[{"name":"Clark, Ada","rating":2397,"federation":"NED","fide_id":1003,"team":"Utrecht"}]}');
INSERT INTO person VALUES(4,'{"person":{"name":"Dürer, Albrecht","rating":2396,"federation":"NED","fide_id":1004,"team":"Utrecht"},"earlier":[]}');
INSERT INTO person VALUES(5,'{"person":{"name":"Evans, Owen","rating":2395,"federation":"NED","fide_id":1005,"team":"Utrecht"},"earlier":[]}');
INSERT INTO person VALUES(6,'{"person":{"name":"Fuchs, Eva","rating":2394,"federation":"NED","fide_id":1006,"team":"Utrecht"},"earlier":[]}');
INSERT INTO person VALUES(8,'{"person":{"name":"Hart, Mo","rating":2392,"federation":"NED","fide_id":1008,"team":"Utrecht"},"earlier":[]}');
CREATE TABLE finished_round (
    event TEXT NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (event, number)
) STRICT, WITHOUT ROWID;
INSERT INTO finished_round VALUES('open-a',1);
CREATE TABLE folded (
    game INTEGER PRIMARY KEY REFERENCES game (key),
    pgn TEXT NOT NULL
) STRICT;
INSERT INTO folded VALUES(2,replace('[Event "Open A of Utrecht"]\n[Site "Utrecht"]\n[Date "2026.11.20"]\n[Round "1.1"]\n[White "Adler, Ida"]\n[Black "B., R."]\n[Result "1/2-1/2"]\n[Board "1"]\n[GameId "open-a-1-1"]\n[Mode "OTB"]\n[Opening "Spanish"]\n[PlyCount "3"]\n[TimeControl "5400+30"]\n[WhiteElo "2399"]\n[WhiteFed "NED"]\n[WhiteFideId "1001"]\n[WhiteTeam "Utrecht"]\n[WhiteTitle "WGM"]\n\n1. e4 {[%clk 1:30:00] [%emt 0:00:05]} 1... e5 {[%clk 1:28:20]} 2. Nf3\n{[%clk 1:29:50] [%emt 0:00:05]} 1/2-1/2\n\n','\n',char(10)));
INSERT INTO folded VALUES(3,replace('[Event "Open A of Utrecht"]\n[Site "Utrecht"]\n[Date "2026.11.20"]\n[Round "1.2"]\n[White "Clarke, Ada"]\n[Black "Dürer, Albrecht"]\n[Result "0-1"]\n[BlackElo "2396"]\n[BlackFed "NED"]\n[BlackFideId "1004"]\n[BlackTeam "Utrecht"]\n[Board "2"]\n[GameId "open-a-1-2"]\n[Mode "OTB"]\n[PlyCount "2"]\n[Termination "normal"]\n[TimeControl "5400+30"]\n[WhiteElo "2397"]\n\n1. e4 {[%clk 1:30:00] [%emt 0:00:05]} 1... d5 {[%clk 0:00:01] [%emt 0:00:05]}\n0-1\n\n','\n',char(10)));
INSERT INTO folded VALUES(4,replace('[Event "Open A of Utrecht"]\n[Site "Utrecht"]\n[Date "2026.11.20"]\n[Round "1.3"]\n[White "Fuchs, Eva"]\n[Black "Evans, Owen"]\n[Result "*"]\n[BlackElo "2395"]\n[BlackFed "NED"]\n[BlackFideId "1005"]\n[BlackTeam "Utrecht"]\n[Board "3"]\n[GameId "open-a-1-3"]\n[Mode "OTB"]\n[TimeControl "5400+30"]\n[WhiteElo "2394"]\n[WhiteFed "NED"]\n[WhiteFideId "1006"]\n[WhiteTeam "Utrecht"]\n\n*\n\n','\n',char(10)));
CREATE INDEX game_by_round ON game (event, round);
CREATE INDEX game_event_by_game ON game_event (game);
CREATE INDEX board_event_by_board ON board_event (board, number);
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
COMMIT;
