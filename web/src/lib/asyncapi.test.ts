// The description of the live feed for programs: valid as AsyncAPI, and its examples are as it says. That the examples are what
// the server sends is tested there (crates/public-web/src/live_tests/described.rs).
import { readFileSync } from "node:fs";
import Ajv from "ajv";
import { parse } from "yaml";
import { describe, expect, test } from "vitest";
import schema from "@asyncapi/specs/schemas/3.0.0-without-$id.json";

interface Message {
  payload: object;
  examples?: { name: string; payload: object }[];
}

interface Document {
  components: { messages: Record<string, Message>; schemas: object };
}

const text = readFileSync(new URL("../../../docs/asyncapi.yaml", import.meta.url), "utf8");
const document = parse(text) as Document;
const messages = Object.entries(document.components.messages);

/** A check against a schema: what is wrong, or nothing. */
function checker(schema: object): (value: unknown) => string {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  const right = ajv.compile(schema);
  return (value) => (right(value) ? "" : ajv.errorsText(right.errors));
}

describe("docs/asyncapi.yaml", () => {
  // The schema is large: ajv needs seconds for it.
  test("is a valid document of AsyncAPI 3.0", { timeout: 120_000 }, () => {
    const check = checker(schema);
    expect(check(document)).toBe("");
    expect(check({ ...document, channels: { live: { messages: 1 } } })).not.toBe("");
  });

  test.each(messages)("has an example of %s that its own schema takes", (_, { payload, examples }) => {
    const check = checker({ ...payload, components: document.components });
    expect(examples?.length).toBeGreaterThan(0);
    for (const example of examples ?? []) {
      expect(check(example.payload)).toBe("");
    }
    expect(check({ nothing: true })).not.toBe("");
  });
});
