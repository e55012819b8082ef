/** The dashboard before a hall that the test speaks itself: doubts, 0 and 300 tables, hostile text. */
import { expect, test, type Locator } from "@playwright/test";
import { AT, E4_E5, SECTION, board, game, hall, moves, speak } from "./spoken-dashboard";

test("an empty hall says what to do first", async ({ page }) => {
  await speak(page, { hall: hall() });
  await expect(page.getByTestId("empty")).toContainText("No boards and no pairings yet");
  await page.getByRole("link", { name: "Start the set-up" }).click();
  await expect(page.getByRole("button", { name: "A tournament" })).toBeVisible();
});

test("a doubtful gap is decided in two taps from the hall", async ({ page }) => {
  const set = {
    hall: hall([SECTION]),
    "game/g7": game(7),
    "board/107": board(7, {
      candidates: [
        ["e5", "Nf3"],
        ["d5", "Nf3"],
      ],
    }),
    "moves/g7": moves("g7"),
  };
  const { orders } = await speak(page, set);
  const tile = page.getByTestId("now").getByTestId("tile");
  await expect(tile).toContainText("Table 7");
  await expect(tile).toContainText("doubtful");
  await expect(tile).toContainText("e5 Nf3 / d5 Nf3");
  await tile.click();
  await page.getByRole("button", { name: "It was played: d5 Nf3" }).click();
  await expect(page.getByTestId("bar")).toContainText("Recorded: d5 Nf3");
  const edit = { edit: "set", after: 1, moves: [{ san: "d5" }, { san: "Nf3" }], instead_of: 1 };
  expect(orders).toEqual([{ order: "edit_moves", game: "g7", edit }]);
  await page.getByTestId("bar").getByRole("button", { name: "Undo" }).click();
  expect(orders[1]).toEqual({ order: "undo", number: 7 });
});

test("an unexplained board shows the squares and the moves that would explain it", async ({ page }) => {
  const set = {
    hall: hall([SECTION]),
    "game/g3": game(3, { unexplained: true }),
    "board/103": board(3, { fen: E4_E5, unexplained: ["e5", "e7"] }),
    "moves/g3": moves("g3"),
  };
  const { orders, say } = await speak(page, set, "/admin#/table/g3");
  await expect(page.getByTestId("state")).toContainText("not readable");
  await expect(page.getByTestId("differing")).toContainText("e7 e5");
  await expect(page.locator("square.differs")).toHaveCount(4);
  await page.getByRole("button", { name: "It was played: e5" }).click();
  expect(orders).toHaveLength(1);
  say({ "board/103": board(3, { fen: E4_E5 }), "game/g3": game(3) });
  await expect(page.getByTestId("state")).toContainText("playing");
});

test("what can be put right about a tapped move opens in a phone's window, away from the finger, and moves nothing", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const pieces = [
    ["Nf3", "g1f3", "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1"],
    ["Nf6", "g8f6", "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 2 2"],
    ["Ng1", "f3g1", "rnbqkb1r/pppppppp/5n2/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 3 2"],
    ["Ng8", "f6g8", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 4 3"],
  ].map(([san, uci, fen]) => ({ san, uci, fen, clk_ms: 5_400_000, emt_ms: 3000 }));
  const set = {
    hall: hall([SECTION]),
    "game/g1": game(1),
    "board/101": board(1),
    "moves/g1": { ...moves("g1"), moves: Array.from({ length: 10 }, () => pieces).flat() },
  };
  const { orders } = await speak(page, set, "/admin#/table/g1");
  const panel = page.getByTestId("correct");
  const list = page.getByTestId("moves");
  const move = list.getByRole("button", { name: /^Nf6/ }).nth(4);
  const others = panel.getByText("All other moves");
  const middle = async (locator: Locator) => {
    const box = await locator.boundingBox();
    return { x: (box?.x ?? 0) + 30, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
  };
  // The list is drawn part by part from its end, and shows it: until then nothing in it stays below a finger.
  await expect(list.getByRole("button")).toHaveCount(40);
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))));
  await expect
    .poll(() => list.evaluate((all) => all.scrollHeight - all.clientHeight - all.scrollTop))
    .toBeLessThan(1);
  for (const y of [790, 430, 100]) {
    await move.scrollIntoViewIfNeeded();
    await move.evaluate((button, y) => scrollBy(0, button.getBoundingClientRect().top - y), y);
    const finger = await middle(move);
    await page.mouse.click(finger.x, finger.y);
    await expect(panel).toContainText("instead of Nf6");
    await expect(panel).toBeInViewport({ ratio: 1 });
    await expect(panel).toBeFocused();
    for (const offer of ["f6, deletes", "d5, deletes", "Close"]) {
      await expect(panel.getByRole("button", { name: offer })).toBeInViewport({ ratio: 1 });
    }
    await page.mouse.click(finger.x, finger.y);
    expect(await middle(move)).toEqual(finger);
    await expect(move).toBeInViewport({ ratio: 1 });

    // More moves are shown within it.
    const before = await middle(others);
    await page.mouse.click(before.x, before.y);
    await expect(panel.getByRole("button", { name: "a5, deletes" })).toBeVisible();
    expect(await middle(others)).toEqual(before);
    await page.keyboard.press("Escape");
    await expect(panel).toHaveCount(0);
    await expect(move).toBeFocused();
  }
  expect(orders).toEqual([]);

  // What is said in the bar stays to be read and taken back.
  await move.click();
  await panel.getByRole("button", { name: "Set the time" }).click();
  await expect(page.getByTestId("bar")).toBeVisible();
  await panel.getByRole("button", { name: "Close" }).click();
  await move.evaluate((button) => scrollBy(0, button.getBoundingClientRect().top - 100));
  await move.click();
  const bar = await page.getByTestId("bar").boundingBox();
  const box = await panel.boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
});

test("a cable that is out comes first; the board is swapped in three taps", async ({ page }) => {
  const set = {
    hall: { ...hall([SECTION]), seats: { 1: "101", 2: "102" } },
    "game/g1": game(1),
    "board/101": board(1),
    "game/g2": game(2),
    "board/102": board(2, { connected: false }),
    "board/900": board(9, { board: "900", game: null, fen: "" }),
    "moves/g2": moves("g2"),
  };
  const { orders } = await speak(page, set);
  const tile = page.getByTestId("now").getByTestId("tile");
  await expect(tile).toHaveCount(1);
  await expect(tile).toContainText("moves unseen (cable)");
  await tile.click();
  await page.getByRole("button", { name: "Another board" }).click();
  await page.getByRole("button", { name: "Board 900" }).click();
  await expect.poll(() => orders).toEqual([{ order: "swap_board", game: "g2", board: "900" }]);
});

test("a spare board that shows the position of a game is offered, and taken in one tap", async ({ page }) => {
  const later = "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R";
  const set = {
    hall: hall([SECTION]),
    "game/g7": game(7, { plies: 4, fen: `${later} w KQkq - 2 3` }),
    "board/107": board(7, { connected: false }),
    "board/555": board(7, { board: "555", game: null, fen: later }),
  };
  const { orders, say } = await speak(page, set);
  const offer = page.getByTestId("spare");
  await expect(offer).toContainText("Board 555 shows the position of: Table 7");
  await offer.getByRole("button", { name: "Use this board" }).click();
  await expect.poll(() => orders).toHaveLength(1);
  expect(orders[0]).toEqual({ order: "swap_board", game: "g7", board: "555" });
  say({ "game/g7": game(7, { plies: 4, board: "555" }) });
  await expect(offer).toHaveCount(0);
});

test("boards that show each other's game are exchanged in one tap", async ({ page }) => {
  const set = {
    hall: hall([SECTION]),
    "game/g7": game(7, { plies: 4 }),
    "game/g8": game(8, { plies: 4 }),
    "board/107": board(7, { shows_other: "g8" }),
    "board/108": board(8, { shows_other: "g7" }),
  };
  const { orders } = await speak(page, set);
  const offer = page.getByTestId("exchanged");
  await expect(offer).toHaveCount(1);
  await expect(offer).toContainText("Board 107 of Table 7 shows the game of: Table 8");
  await offer.getByRole("button", { name: "Exchange the boards" }).click();
  await expect
    .poll(() => orders)
    .toEqual([{ order: "swap_board", game: "g8", board: "107", exchange: true }]);
});

test("the arbiter checks a claim and prints the moves with their times", async ({ page }) => {
  const alarm = {
    id: 3,
    kind: "threefold_repetition",
    audience: "arbiter",
    rule: "9.2.2",
    game: "g7",
    tables: [7],
    sides: ["white"],
    text: "Table 7: the same position for the third time",
    sentences: [],
    can_wait: true,
    raised_at: AT,
    acknowledged_by: null,
  };
  const way = ["f6g8", "f3g1", "g8f6", "g1f3"];
  const stands = [
    "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq -",
    "rnbqkb1r/pppppppp/5n2/8/8/8/PPPPPPPP/RNBQKBNR b KQkq -",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
    "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq -",
  ];
  const sans = ["Nf3", "Nf6", "Ng1", "Ng8"];
  const played = Array.from({ length: 8 }, (_, ply) => ({
    san: sans[ply % 4],
    uci: way[(7 - ply) % 4],
    fen: `${[stands[3], stands[0], stands[1], stands[2]][ply % 4]} ${ply + 1} ${1 + Math.floor((ply + 1) / 2)}`,
    clk_ms: 5_400_000 - 1000 * ply,
    emt_ms: 1000,
  }));
  const set = {
    hall: hall([SECTION]),
    "game/g7": game(7, { plies: 8 }),
    "game/g8": game(8),
    "board/107": board(7),
    "alarm/3": alarm,
    "moves/g7": { ...moves("g7"), moves: played },
    "players/open": { 13: { name: "Anna Arndt" }, 14: { name: "Bo Berg" } },
  };
  await speak(page, set);
  await page.getByRole("link", { name: "Arbiter" }).click();
  await expect(page.getByTestId("alarm")).toContainText("Laws 9.2.2");
  await page.getByTestId("alarm").getByRole("link", { name: "Look" }).click();
  const check = page.getByTestId("claims");
  await expect(check).toContainText("The same position stood three times.");
  await expect(check).toContainText("start, 2… Ng8, 4… Ng8");
  await check.getByRole("textbox").fill("e4");
  await expect(check).toContainText("Nothing that ends the game");
  await check.getByRole("textbox").fill("Ke5");
  await expect(check.getByRole("alert")).toContainText("Ke5 is not a legal move here");
  const sheet = page.getByTestId("sheet");
  await expect(sheet).toContainText("Anna Arndt – Bo Berg");
  await expect(sheet.getByRole("row")).toHaveCount(5);
  await expect(sheet).toContainText("1:29:59");
  await page.emulateMedia({ media: "print" });
  await expect(sheet).toBeVisible();
  await expect(check).toBeHidden();
  await expect(page.getByRole("navigation")).toBeHidden();
});

test("alarms are heard only where the sound is on, and acknowledged in one tap", async ({ page }) => {
  const { say } = await speak(page, { hall: hall([SECTION]), "game/g1": game(1), "board/101": board(1) });
  await page.evaluate(() => {
    const counted = window as unknown as { tones: number };
    counted.tones = 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...given) {
      counted.tones++;
      return start.apply(this, given);
    };
  });
  const tones = () => page.evaluate(() => (window as unknown as { tones: number }).tones);
  const alarm = (id: number, more: object = {}) => ({
    id,
    kind: "flag_down",
    audience: "arbiter",
    rule: "6.9",
    game: "g1",
    tables: [1],
    sides: ["white"],
    text: "White's flag is down. <b>Check</b>",
    sentences: [{ text: "White's flag is down. <b>Check</b>" }],
    can_wait: false,
    raised_at: AT,
    acknowledged_by: null,
    ...more,
  });
  say({ "alarm/1": alarm(1) });
  await expect(page.getByTestId("alarms")).toContainText("Flag down");
  await expect(page.getByTestId("alarms")).toContainText("Laws 6.9");
  await expect(page.getByTestId("alarms")).toContainText("<b>Check</b>");
  expect(await tones()).toBe(0);
  await page.getByRole("button", { name: "Sound is off" }).click();
  const before = await tones();
  say({ "alarm/2": alarm(2) });
  await expect.poll(tones).toBeGreaterThan(before);
  const acknowledged: string[] = [];
  await page.route(/\/alarms\/\d+\/acknowledge$/, (route) => {
    acknowledged.push(route.request().url());
    say({ "alarm/2": alarm(2, { acknowledged_by: "anna" }) });
    return route.fulfill({ json: {} });
  });
  await page.getByRole("button", { name: "Acknowledge" }).last().click();
  await expect(page.getByRole("heading", { name: "1 alarm", exact: true })).toBeVisible();
  expect(acknowledged).toHaveLength(1);
});

const RAISED: { kind: string; sentences: { code: string; params: object; text: string }[] }[] = [
  {
    kind: "board_silent",
    sentences: [
      { code: "alarm_board_silent", params: { table: 1 }, text: "The board of table 1 does not answer." },
    ],
  },
  {
    kind: "moves_unseen",
    sentences: [
      {
        code: "alarm_unseen_in_outage",
        params: { table: 2, from_at: Date.UTC(2026, 4, 1, 12, 3), to_at: Date.UTC(2026, 4, 1, 12, 5) },
        text: "Table 2: moves went unseen.",
      },
    ],
  },
  {
    kind: "moves_unclear",
    sentences: [
      {
        code: "alarm_moves_unclear",
        params: { table: 3, lines: "2. Na3 h6 3. Nb5 / 2. Nc3 h6 3. Nb5" },
        text: "Table 3: each of these lines leads to what the board shows.",
      },
    ],
  },
  {
    kind: "board_battery_low",
    sentences: [
      {
        code: "alarm_board_battery_low",
        params: { table: 4, percent: 14 },
        text: "Table 4: the battery is low.",
      },
    ],
  },
  {
    kind: "flag_down",
    sentences: [
      {
        code: "alarm_flag_down_of",
        params: { table: 5, player_side: "black", made: 1, asked: 40 },
        text: "Table 5: Black's flag is down.",
      },
      { code: "alarm_flag_lost", params: { opponent_side: "white" }, text: "The game is lost." },
    ],
  },
  {
    kind: "output_failing",
    sentences: [
      {
        code: "alarm_output_failing",
        params: {
          output: "lichess",
          reason: {
            code: "output_it_says",
            params: {
              sentence: {
                code: "output_server_fault",
                params: { who: { code: "words", params: { text: "Lichess" }, text: "Lichess" }, status: 502 },
                text: "Lichess has a fault (status 502); it is tried again.",
              },
              said: "<i>Bad gateway</i>",
            },
            text: "Lichess has a fault (status 502); it is tried again. It says: «<i>Bad gateway</i>»",
          },
        },
        text: "Output lichess: Lichess has a fault",
      },
      { code: "alarm_output_help", params: {}, text: "On the page Event of the dashboard" },
    ],
  },
];

const SAID: readonly [string, string, readonly string[]][] = [
  [
    "de",
    "Ein Teil des Programms (Journal oder Turnier) antwortet nicht",
    [
      "Das Brett von Tisch 1 antwortet nicht: prüfen Sie Kabel und Strom; die Partie geht weiter.",
      "Kabel ohne Verbindung von 14:03 bis 14:05",
      "Jede dieser Zugfolgen führt zu dem, was das Brett zeigt: 2. Na3 h6 3. Nb5 / 2. Nc3 h6 3. Nb5;",
      "Der Akku des Bretts hat noch 14 %",
      "Tisch 5: Schwarz: das Fallblatt ist nach 1 der 40 verlangten Züge gefallen; prüfen Sie die Uhr und die Züge. Die Partie ist verloren, wenn Weiß",
      "Ausgabe lichess: Lichess hat einen Fehler (Status 502); es wird wieder versucht. Wörtlich: „<i>Bad gateway</i>“ Auf der Seite Turnier",
    ],
  ],
  [
    "pl",
    "Część programu (dziennik lub turniej) nie odpowiada",
    [
      "Szachownica stołu 1 nie odpowiada: sprawdź jej kabel i zasilanie; partia trwa dalej.",
      "kabel odłączony od 14:03 do 14:05",
      "każdy z tych wariantów prowadzi do tego, co pokazuje szachownica: 2. Na3 h6 3. Nb5 / 2. Nc3 h6 3. Nb5;",
      "bateria szachownicy ma jeszcze 14 %",
      "Stół 5: Czarne: chorągiewka opadła po 1 z 40 wymaganych posunięć; sprawdź zegar i posunięcia. Partia jest przegrana, chyba że Białe",
      "Wyjście lichess: Lichess zgłasza błąd (status 502); próba się powtórzy. Dosłownie: „<i>Bad gateway</i>” Na stronie Turniej",
    ],
  ],
];

for (const [language, unwell, said] of SAID) {
  test(`alarms say what happened and what to do in the reader's language: ${language}`, async ({ page }) => {
    await page.addInitScript((chosen) => localStorage.setItem("boardcast-language", chosen), language);
    const berlin = { ...SECTION, settings: { ...SECTION.settings, zone: "Europe/Berlin" } };
    const { say } = await speak(page, { hall: hall([berlin]), "game/g1": game(1), "board/101": board(1) });
    const raised = RAISED.map((alarm, index) => {
      const text = alarm.sentences.map((one) => one.text).join(" ");
      const rest = { audience: "arbiter", rule: null, game: null, tables: [index + 1], ply: null, sides: [] };
      const id = index + 1;
      return [
        `alarm/${id}`,
        { id, ...alarm, ...rest, text, can_wait: false, raised_at: AT, acknowledged_by: null },
      ];
    });
    say(Object.fromEntries(raised) as Record<string, unknown>);
    for (const [index, alarm] of RAISED.entries()) {
      const row = page.locator(`[data-testid="alarm"][data-kind="${alarm.kind}"]`);
      await expect(row).toContainText(said[index] ?? "");
      for (const one of alarm.sentences) await expect(row).not.toContainText(one.text);
    }
    await expect(page.locator('[data-testid="alarm"] [lang="en"]')).toHaveCount(0);
    const hangs = { code: "health_hangs", params: {}, text: "The recorder does not answer." };
    say({ health: { ok: false, troubles: [hangs] } });
    await expect(page.getByText(unwell)).toBeVisible();
  });
}

test("300 tables: those that need a person stand first, on a phone too", async ({ page }) => {
  const set: Record<string, unknown> = { hall: hall([SECTION]), "players/open": {} };
  for (let number = 1; number <= 300; number++) {
    set[`game/g${number}`] = game(number);
    set[`board/${100 + number}`] = board(number, { connected: number !== 222 });
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await speak(page, set);
  await expect(page.getByTestId("tile")).toHaveCount(1);
  await expect(page.getByTestId("tile")).toContainText("Table 222");
  await expect(page.getByTestId("small")).toHaveCount(299);
  const height = await page.evaluate(() => document.documentElement.scrollHeight / innerHeight);
  expect(height, "screens to scroll").toBeLessThan(6);
});

test("tables far from the window are a number each, and are whole as soon as they are scrolled to", async ({
  page,
}) => {
  const set: Record<string, unknown> = { hall: hall([SECTION]), "players/open": {} };
  for (let number = 1; number <= 300; number++) {
    set[`game/g${number}`] = game(number);
    set[`board/${100 + number}`] = board(number);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await speak(page, set);
  await expect(page.getByTestId("small")).toHaveCount(300);
  const clock = (table: number) => page.locator(`[data-table="${table}"] .clock.runs`);
  const seconds = async (table: number) =>
    ((await clock(table).textContent()) ?? "").split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
  const first = await seconds(1);
  await expect.poll(() => seconds(1)).toBeLessThan(first - 3);
  const far = page.locator('[data-table="300"]');
  await expect(far).toHaveText("300");
  await expect(far).toHaveAccessibleName(/^Table 300: playing/);
  await far.scrollIntoViewIfNeeded();
  await expect.poll(() => seconds(300)).toBeLessThan(first - 3);
  const shown = await seconds(300);
  await expect.poll(() => seconds(300)).toBeLessThan(shown);
  await expect(page.locator('[data-table="1"]'), "the first one is far now").toHaveText("1");
});

test("one of 300 tables is searched for, and all come back in their places", async ({ page }) => {
  const set: Record<string, unknown> = { hall: hall([SECTION]), "players/open": {} };
  for (let number = 1; number <= 300; number++) {
    set[`game/g${number}`] = game(number);
    set[`board/${100 + number}`] = board(number);
  }
  await speak(page, set);
  const small = page.getByTestId("small");
  await expect(small).toHaveCount(300);
  const search = page.getByRole("searchbox");
  await search.fill("222");
  await expect(small).toHaveCount(1);
  await expect(small).toHaveAttribute("data-table", "222");
  await search.fill("999");
  await expect(page.getByText("No table or player with this name")).toBeVisible();
  await search.fill("");
  await expect(small).toHaveCount(300);
  const order = await small.evaluateAll((all) => all.map((one) => Number(one.getAttribute("data-table"))));
  expect(order).toEqual(Array.from({ length: 300 }, (_, index) => index + 1));
});

test("messages that come faster than the page takes them end in what the last one says", async ({ page }) => {
  const set: Record<string, unknown> = { hall: hall([SECTION]), "players/open": {} };
  for (let number = 1; number <= 200; number++) {
    set[`game/g${number}`] = game(number);
    set[`board/${100 + number}`] = board(number);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  const { say } = await speak(page, set);
  for (let change = 0; change < 50; change++) {
    say({ "game/g3": game(3, { last_san: `N${"abcdefgh"[change % 8]}3`, plies: change + 2 }) });
  }
  // One message among many says it.
  say({ "board/105": board(5, { connected: false }) });
  for (let change = 0; change < 20; change++) say({ "game/g4": game(4, { plies: change + 2 }) });
  say({ "game/g3": game(3, { last_san: "Qh5", plies: 90 }) }, ["game/g200", "board/300"]);
  await expect(page.locator('[data-table="3"]')).toContainText("Qh5");
  await expect(page.getByTestId("tile")).toContainText("Table 5");
  await expect(page.getByTestId("small")).toHaveCount(198);
});

test("names of any length and script stay in their place, and stay text", async ({ page }) => {
  const long = `<script>document.title="x"</script>${"W".repeat(170)}`;
  const players = {
    1: { name: long },
    2: { name: "عبد الرحمن، محمد" },
    3: { name: "王".repeat(200) },
    4: { name: "🙂" },
  };
  const set = {
    hall: hall([SECTION]),
    "players/open": players,
    "game/g1": game(1),
    "board/101": board(1),
    "game/g2": game(2),
    "board/102": board(2, { connected: false }),
    "moves/g1": moves("g1"),
  };
  await page.setViewportSize({ width: 390, height: 844 });
  await speak(page, set);
  await page.getByRole("button", { name: "Names", exact: true }).click();
  await expect(page.getByText("<script>").first()).toBeVisible();
  const sideways = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(await sideways()).toBeLessThanOrEqual(0);
  await page.goto("/admin#/table/g1");
  await expect(page.getByText("<script>").first()).toBeVisible();
  expect(await sideways()).toBeLessThanOrEqual(0);
  await expect(page).toHaveTitle("Table · boardcast");
});

test("a long name keeps its family name in a tile, and is whole on the table's page", async ({ page }) => {
  const name = "Nepomniachtchi, Ian Alexandrovich Konstantin von Hohenstein";
  const endless = "Abcdefghij".repeat(20);
  const set = {
    hall: hall([SECTION]),
    "players/open": { 1: { name }, 2: { name: endless }, 3: { name: endless }, 4: { name } },
    "game/g1": game(1),
    "board/101": board(1),
    "game/g2": game(2),
    "board/102": board(2, { connected: false }),
    "moves/g1": moves("g1"),
  };
  for (const [width, shown] of [
    [1280, "Nepomniachtchi, I."],
    [390, "Nepomniachtchi, I. A. K. v. H."],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    await page.addInitScript(() => localStorage.setItem("boardcast-tiles", "names"));
    await speak(page, set);
    const tile = page.getByTestId("small");
    const [white, black] = [tile.locator(".name").first(), tile.locator(".name").last()];
    await expect(white).toHaveText(shown);
    await expect(black).toHaveText(/^Abcdefghij\w*…$/);
    await expect(tile).toHaveAttribute("title", new RegExp(`${name} – ${endless}`));
    const right = (it: typeof tile) => it.evaluate((element) => element.getBoundingClientRect().right);
    expect(await right(white), `${width} pixels: the name is within its tile`).toBeLessThan(
      await right(tile),
    );
    expect(await right(black), `${width} pixels: the sign of the cut is seen`).toBeLessThan(
      await right(tile),
    );
    // Of a table that needs a person both players are seen, however long the first name is.
    await expect(page.getByTestId("tile")).toContainText(/Abcdefghij\w*… – Nepomniachtchi, I/);
    await tile.click();
    await expect(page.getByText(name)).toBeVisible();
    await expect(page.getByText(endless)).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
  }
});

test("boards get tables by the proposal, or by a king on e4, one table after the other", async ({ page }) => {
  const empty = (number: number) => board(number, { game: null, fen: "" });
  const proposed_seats = [
    { table: 1, board: "101" },
    { table: 2, board: "102" },
  ];
  const open = { ...hall([SECTION]), proposed_seats, tables_without_board: [1, 2] };
  const set = { hall: open, "board/101": empty(1), "board/102": empty(2) };
  const { orders, say } = await speak(page, set, "/admin#/setup/boards");
  await expect(page.getByTestId("proposal")).toContainText("table 1: 101, table 2: 102");
  await page.getByRole("button", { name: "Use the order of serial numbers" }).click();
  await expect.poll(() => orders).toEqual([{ order: "assign_by_serial" }]);
  await page.getByRole("button", { name: "Put a king on e4" }).click();
  await expect.poll(() => orders[1]).toEqual({ order: "identify_table", table: 1 });
  say({ hall: { ...open, identifying: 1 } });
  await expect(page.getByTestId("king")).toContainText("e4 of table 1");
  say({ hall: { ...open, seats: { 1: "102" } } });
  await expect.poll(() => orders[2]).toEqual({ order: "identify_table", table: 2 });
  say({ hall: { ...open, seats: { 1: "102", 2: "101" } } });
  await expect(page.getByTestId("king")).toHaveCount(0);
  expect(orders).toHaveLength(3);
});
