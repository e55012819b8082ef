/** A daemon of its own for a test of the dashboard: with a data folder, an administrator, and simulated boards if wanted. */
import { expect, type Browser, type BrowserContext, type Page } from "@playwright/test";
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const DAEMON = process.env["BOARDCAST_BIN"] ?? "../target/debug/boardcast";
const SIMULATOR = process.env["BOARD_SIM_BIN"] ?? "../target/debug/board-sim";
export const PASSWORD = "four words are good";

export const PAIRINGS = `[Event "Spring Open"]
[Round "1.1"]
[White "Adler, Ida"]
[Black "Bos, Jan"]
[Result "*"]

*

[Event "Spring Open"]
[Round "1.2"]
[White "Clark, Ann"]
[Black "Davis, Tom"]
[Result "*"]

*
`;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

export class Daemon {
  readonly folder = mkdtempSync(join(tmpdir(), "boardcast-test-"));
  readonly ports = join(this.folder, "ports");
  /** The link for the first administrator. */
  link = "";
  port = 0;
  private readonly children: ChildProcess[] = [];
  private readonly contexts: BrowserContext[] = [];
  private daemon: ChildProcess | null = null;
  private csrf = "";
  private cookie = "";

  get url(): string {
    return `http://localhost:${this.port}`;
  }

  /** A daemon without boards and without a tournament. */
  static async start(): Promise<Daemon> {
    const own = new Daemon();
    own.port = await freePort();
    await own.run();
    return own;
  }

  /** A daemon with a published round of two games. */
  static async inRound(): Promise<Daemon> {
    return Daemon.with((own) => own.withRound());
  }

  /** A daemon with a round of two games that is not published. */
  static async paired(): Promise<Daemon> {
    return Daemon.with((own) => own.withPairings());
  }

  private static async with(prepare: (own: Daemon) => Promise<void>): Promise<Daemon> {
    const own = await Daemon.start();
    try {
      await prepare(own);
    } catch (error) {
      await own.end();
      throw error;
    }
    return own;
  }

  /** A rehearsal: simulated boards that play. */
  static async rehearse(...options: string[]): Promise<Daemon> {
    const own = new Daemon();
    own.port = await freePort();
    await own.spawn(["demo", "--seed", "7", "--listen", `127.0.0.1:${own.port}`, ...options]);
    return own;
  }

  /** Starts the daemon over its folder, also again. */
  async run(): Promise<void> {
    const data = join(this.folder, "data");
    const ports = join(this.ports, "*");
    await this.spawn(["run", "--data", data, "--listen", `127.0.0.1:${this.port}`, "--port", ports]);
  }

  private async spawn(args: string[]): Promise<void> {
    const child = spawn(DAEMON, args, { stdio: ["ignore", "pipe", "ignore"] });
    this.daemon = child;
    this.children.push(child);
    child.stdout?.on("data", (text: Buffer) => {
      this.link = /Make the first administrator: (\S+)/.exec(text.toString())?.[1] ?? this.link;
    });
    await expect
      .poll(
        () =>
          fetch(`${this.url}/health`).then(
            (answer) => answer.ok,
            () => false,
          ),
        { timeout: 90_000 },
      )
      .toBe(true);
  }

  /** Ends the daemon alone. */
  async stop(): Promise<void> {
    const child = this.daemon;
    this.daemon = null;
    if (child === null || child.exitCode !== null) return;
    const ended = new Promise((done) => child.once("exit", done));
    child.kill("SIGTERM");
    await ended;
  }

  /** Connects simulated boards, which begin to play. */
  connect(...options: string[]): void {
    const args = ["--folder", this.ports, "--seed", "3", ...options];
    this.children.push(spawn(SIMULATOR, args, { stdio: "ignore" }));
  }

  /** Closes every page of this daemon: one that stays open draws, and asks for its daemon, below all stories that follow. */
  async close(): Promise<void> {
    await Promise.all(this.contexts.splice(0).map((context) => context.close()));
  }

  async end(): Promise<void> {
    await this.close();
    await this.stop();
    for (const child of this.children) child.kill("SIGTERM");
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** A request as the administrator. */
  async api(method: string, path: string, body?: unknown): Promise<unknown> {
    if (this.cookie === "") await this.makeAdministrator();
    const form = body instanceof FormData;
    const answer = await fetch(`${this.url}/api/v1/admin${path}`, {
      method,
      headers: {
        cookie: this.cookie,
        "X-CSRF-Token": this.csrf,
        ...(body === undefined || form ? {} : { "Content-Type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: form ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    expect(answer.ok, `${method} ${path}: ${text}`).toBe(true);
    return text === "" ? null : JSON.parse(text);
  }

  private async makeAdministrator(): Promise<void> {
    await expect.poll(() => this.link).not.toBe("");
    const token = this.link.split("#")[1] ?? "";
    const answer = await fetch(`${this.url}/api/v1/admin/first-administrator`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ token, name: "anna", password: PASSWORD }),
    });
    expect(answer.ok).toBe(true);
    this.cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
    this.csrf = ((await answer.json()) as { csrf_token: string }).csrf_token;
  }

  order(order: object): Promise<unknown> {
    return this.api("POST", "/orders", order);
  }

  /** A round of two games that is not published. */
  async withPairings(): Promise<void> {
    const settings = { name: "Spring Open", site: "Prague", zone: "Europe/Prague" };
    await this.order({ order: "set_section", section: "spring-open", settings });
    const form = new FormData();
    form.append("file", new File([PAIRINGS], "round-1.pgn"));
    await this.api("POST", "/sections/spring-open/pairings", form);
  }

  /** A published round of two games. */
  async withRound(): Promise<void> {
    await this.withPairings();
    await this.order({ order: "publish", section: "spring-open", round: 1 });
  }

  /** The id of a game of round 1 by its number. */
  async game(number: number): Promise<string> {
    const view = (await this.api("GET", "/sections/spring-open/rounds/1")) as {
      round: { games: { id: string; pair: { number: number } }[] };
    };
    return view.round.games.find((game) => game.pair.number === number)?.id ?? "";
  }

  /** A browser without a login. */
  async stranger(browser: Browser, options: object = {}): Promise<BrowserContext> {
    const context = await browser.newContext({ baseURL: this.url, ...options });
    this.contexts.push(context);
    return context;
  }

  /** A browser that is logged in as the administrator, or as a person of a role. */
  async open(browser: Browser, role = "administrator", options: object = {}): Promise<Page> {
    if (this.cookie === "") await this.makeAdministrator();
    const context = await this.stranger(browser, options);
    const name = role === "administrator" ? "anna" : role;
    if (role !== "administrator") {
      const users = (await this.api("GET", "/users")) as { name: string }[];
      if (!users.some((user) => user.name === name)) {
        await this.api("POST", "/users", { name, role, password: PASSWORD });
      }
    }
    await logIn(context, this.url, name);
    const page = await context.newPage();
    await page.goto("/admin");
    await expect(page.getByTestId("link")).toContainText("Connected");
    return page;
  }
}

async function logIn(context: BrowserContext, url: string, name: string): Promise<void> {
  const answer = await context.request.post(`${url}/api/v1/admin/session`, {
    data: { name, password: PASSWORD },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
}
