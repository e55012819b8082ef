import { expect, test } from "vitest";
import { LANGUAGES, type Language } from "../../lib/language";
import { refusalWords, withGames, worded, type CodedText } from "./refusals";

const said = {
  code: "round_empty",
  params: { round: 3, section: "open-a" },
  text: 'Round 3 of "open-a" has no pairings: load them first.',
};

test("a sentence is in the reader's language, with its parameters", async () => {
  expect(worded(said, await refusalWords("de"))).toBe(
    "Runde 3 von „open-a“ hat keine Paarungen: laden Sie sie zuerst.",
  );
  expect(worded(said, await refusalWords("en"))).toBe(said.text);
});

test("a reason why a file cannot be read is in the reader's language, with its place", async () => {
  const wrong = {
    code: "cell_not_a_result",
    params: { text: "won" },
    place: { file: "round-2.csv", line: 3, column: 5 },
    text: "round-2.csv, line 3, column 5: «won» is not a result, so the game is taken without one: write 1-0, 0-1, 1/2-1/2, + - - or nothing.",
  };
  const german = await refusalWords("de");
  expect(worded(wrong, german)).toBe(
    "round-2.csv, Zeile 3, Spalte 5: „won“ ist kein Ergebnis, daher wird die Partie ohne Ergebnis übernommen: schreiben Sie 1-0, 0-1, 1/2-1/2, + - - oder nichts.",
  );
  expect(worded(wrong, await refusalWords("en"))).toBe(wrong.text);
  expect(worded({ ...wrong, code: "from_the_future" }, german), "an unknown code stays English").toBe(
    wrong.text,
  );
  const whole = {
    code: "files_round_twice",
    params: { round: 2, other: "b.pgn" },
    text: "a.pgn: round 2 is in this file and in b.pgn.",
  };
  expect(worded({ ...whole, place: { file: "a.pgn" } }, german)).toBe(
    "a.pgn: Runde 2 steht in dieser Datei und in b.pgn: laden Sie nur eine davon; im Ordner der Paarungen löschen Sie die veraltete.",
  );
  expect(worded({ ...whole, place: { line: 4, column: 1 } }, german)).toMatch(/^Zeile 4, Spalte 1: Runde 2/);
});

test("an alarm says in the reader's language what happened and what to do", async () => {
  const alarm = {
    code: "alarm_board_battery_low",
    params: { table: 4, percent: 14 },
    text: "Table 4: the battery of the board has 14 % left; connect its charger.",
  };
  expect(worded(alarm, await refusalWords("de"))).toBe(
    "Tisch 4: Der Akku des Bretts hat noch 14 %; schließen Sie sein Ladegerät an.",
  );
  expect(worded(alarm, await refusalWords("pl"))).toBe(
    "Stół 4: bateria szachownicy ma jeszcze 14 %; podłącz ładowarkę.",
  );
  expect(worded(alarm, await refusalWords("en"))).toBe(alarm.text);
});

test("a sentence within a sentence is translated by its own code", async () => {
  const undone = {
    code: "corrected_undone",
    params: {
      number: 3,
      what: { code: "corrected_withdrawn", params: { game: "open-1-1" }, text: "open-1-1: withdrawn" },
    },
    text: "correction 3 undone: open-1-1: withdrawn",
  };
  const german = await refusalWords("de");
  expect(worded(undone, german)).toBe(
    "Korrektur 3 rückgängig gemacht: open-1-1: der Öffentlichkeit entzogen",
  );
  expect(worded(undone, await refusalWords("en"))).toBe(undone.text);
  const lost = {
    code: "loss_rows",
    params: { rows: { code: "rows_events", params: {}, text: "events of games" }, count: 3 },
    text: "Not brought back, damaged in the old journal: events of games (3).",
  };
  expect(worded(lost, german)).toBe(
    "Nicht wiederhergestellt, weil im alten Journal beschädigt: Ereignisse von Partien (3).",
  );
  expect(worded(lost, await refusalWords("en"))).toBe(lost.text);
  const unknown = {
    number: 3,
    what: { code: "from_the_future", params: {}, text: "a line of a newer version" },
  };
  expect(worded({ ...undone, params: unknown }, german)).toBe(
    "Korrektur 3 rückgängig gemacht: a line of a newer version",
  );
});

test("a game in a sentence has its players where the page knows it, else its id, round and table", async () => {
  const game = (id: string, table: number) => ({
    code: "game_at_table",
    params: { game: id, round: 1, table },
    text: `${id} (round 1, table ${table})`,
  });
  const withdrawn = (game: CodedText) => ({
    code: "corrected_withdrawn",
    params: { game },
    text: `${game.text}: withdrawn`,
  });
  const undone = (what: CodedText) => ({
    code: "corrected_undone",
    params: { number: 3, what },
    text: `correction 3 undone: ${what.text}`,
  });
  const nameOf = (id: string) => (id === "open-1-1" ? "$& – Bos, Jan (Table 1)" : null);
  const known = withGames(undone(withdrawn(game("open-1-1", 1))), nameOf);
  const other = withGames(undone(withdrawn(game("open-1-11", 11))), nameOf);
  const [german, english] = [await refusalWords("de"), await refusalWords("en")];
  expect(worded(known, english)).toBe("correction 3 undone: $& – Bos, Jan (Table 1): withdrawn");
  expect(worded(other, english)).toBe("correction 3 undone: open-1-11 (round 1, table 11): withdrawn");
  expect(worded(known, german)).toMatch(/: \$& – Bos, Jan \(Table 1\): der Öff/);
  expect(worded(other, german)).toMatch(/: open-1-11 \(Runde 1, Tisch 11\): der Öff/);
});

test("names from right to left are set apart, so that White stays before Black", async () => {
  const [white, black] = ["אברהם, דוד", "محمد, علي"];
  const added = {
    code: "change_new_game",
    params: { round: 1, table: 1, white, black },
    text: `Round 1, table 1: new, ${white} - ${black}.`,
  };
  const between = `\u2068${white}\u2069 - \u2068${black}\u2069`;
  expect(worded(added, await refusalWords("en"))).toBe(`Round 1, table 1: new, ${between}.`);
  expect(worded(added, await refusalWords("de"))).toContain(between.replace("-", "–"));
  const undone = {
    code: "corrected_undone",
    params: { number: 3, what: added },
    text: `undone: ${added.text}`,
  };
  expect(worded(undone, await refusalWords("en"))).toContain(between);
});

test("every language has its file", async () => {
  for (const language of Object.keys(LANGUAGES) as Language[]) {
    const words = await refusalWords(language);
    if (language !== "en") expect(Object.keys(words).length).toBeGreaterThan(100);
  }
});

test("a code that is not known, and a sentence without one, stay English", async () => {
  const words = await refusalWords("fr");
  expect(worded({ ...said, code: "from_the_future" }, words)).toBe(said.text);
  expect(worded({ ...said, code: "constructor" }, words)).toBe(said.text);
  expect(worded({ text: said.text }, words)).toBe(said.text);
});

test("hostile parameters stay text", async () => {
  const words = await refusalWords("it");
  expect(worded({ ...said, params: { round: 1, section: "<b>{round}</b>" } }, words)).toContain(
    "<b>{round}</b>",
  );
});
