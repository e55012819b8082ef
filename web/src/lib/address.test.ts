import { describe, expect, it } from "vitest";
import { gameHref, parseRoute } from "./route";
import { backoff, liveAddress } from "./socket";

describe("the page's address", () => {
  it("names the hall, a game or a board", () => {
    expect(parseRoute("")).toEqual({ view: "hall" });
    expect(parseRoute("#/elsewhere")).toEqual({ view: "hall" });
    expect(parseRoute("#/board/3")).toEqual({ view: "board", board: 3 });
    expect(parseRoute(gameHref("12345-20261120-1 ä/%"))).toEqual({
      view: "game",
      game: "12345-20261120-1 ä/%",
    });
    expect(parseRoute("#/game/100%")).toEqual({ view: "game", game: "100%" });
  });
});

describe("the feed's address", () => {
  const at = (href: string) => new URL(href) as unknown as Location;

  it("stands beside the page, and resumes where it stopped", () => {
    expect(liveAddress(at("http://hall.local:8080/#/board/3"), null)).toBe(
      "ws://hall.local:8080/api/v1/live",
    );
    expect(liveAddress(at("https://chess.example/"), { stream: "hall/1/4f1c", seq: 17 })).toBe(
      "wss://chess.example/api/v1/live?stream=hall%2F1%2F4f1c&since=17",
    );
  });

  it("follows the section and the round that the page is about", () => {
    expect(liveAddress(at("http://hall.local/?event=open-b&round=2&theme=x#/board/3"), null)).toBe(
      "ws://hall.local/api/v1/live?event=open-b&round=2",
    );
  });

  it("is asked less and less often, and not by everybody at once", () => {
    expect(backoff(0, 0)).toBe(250);
    expect(backoff(0, 1)).toBe(500);
    expect(backoff(3, 1)).toBe(4000);
    expect(backoff(1000, 1)).toBe(15_000);
  });
});
