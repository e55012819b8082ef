import { expect, test } from "vitest";
import { videoLink } from "./video";

test("only https addresses become links", () => {
  expect(videoLink("https://video.example/watch?v=1&t=2#x")).toBe("https://video.example/watch?v=1&t=2#x");
  for (const wrong of [
    null,
    undefined,
    "",
    "http://video.example",
    "javascript:alert(1)",
    " javascript:alert(1)",
    "data:text/html,<script>",
    "//video.example",
    "video.example",
  ])
    expect(videoLink(wrong)).toBeNull();
});
