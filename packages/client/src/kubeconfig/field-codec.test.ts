import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { jsonEqual } from "@drover/machinery";
import type { JsonObject, JsonValue, Secret } from "@drover/machinery";
import { anything, data, flag, list, map, object, secret, text } from "./field-codec.ts";
import type { Codec } from "./field-codec.ts";

const read = <T>(codec: Codec<T>, value: JsonValue): [T | undefined, string[]] => {
  const problems: string[] = [];
  return [codec.read(value, { path: "at", problems }), problems];
};
interface Thing {
  readonly a?: string;
  readonly b?: boolean;
  readonly other?: Secret<JsonObject>;
}
const thing = object<Thing>({ a: text, b: flag });

describe("field codecs", () => {
  it.each<[Codec<unknown>, JsonValue, string]>([
    [text as Codec<unknown>, 7, "at: must be text, not a number; put it in quotes"],
    [text as Codec<unknown>, true, "at: must be text, not true or false; put it in quotes"],
    [text as Codec<unknown>, null, "at: must be text, not nothing"],
    [text as Codec<unknown>, {}, "at: must be text, not a mapping"],
    [flag as Codec<unknown>, "yes", "at: must be true or false, not text"],
    [data as Codec<unknown>, "?", "at: is not base64; encode the file with `base64 -w0`, or name it in the field without -data"],
    [list(text) as Codec<unknown>, ["a", 1], "at[1]: must be text, not a number; put it in quotes"],
    [map(text) as Codec<unknown>, { k: 1 }, 'at["k"]: must be text, not a number; put it in quotes'],
    [map(text) as Codec<unknown>, [], "at: must be a mapping, not a list"],
    [thing as Codec<unknown>, { b: 1 }, "at.b: must be true or false, not a number"],
    [thing as Codec<unknown>, 9n, "at: must be a mapping, not a number"],
  ])("reject an invalid value and name its path (%#)", (codec, value, problem) => {
    expect(read(codec, value)[1]).toEqual([problem]);
  });

  it("keep unknown fields as secrets and print them again, under any name", () => {
    const value = JSON.parse('{ "a": "x", "other": "canary", "__proto__": { "polluted": 1 }, "toString": 1 }') as JsonObject;
    const [found, problems] = read(thing, value);
    expect([found?.a, problems, inspect(found).includes("canary")]).toEqual(["x", [], false]);
    expect(jsonEqual(thing.print(found ?? {}), value)).toBe(true);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it("read null as absent", () => {
    expect([read(thing, null), read(thing, { a: null, b: true })]).toEqual([
      [{}, []],
      [{ b: true }, []],
    ]);
  });

  it("redact a secret and print it again", () => {
    const [hidden] = read(secret(text), "canary");
    expect([inspect(hidden), hidden === undefined ? "" : secret(text).print(hidden)]).toEqual(["[redacted]", "canary"]);
    expect(read(secret(text), 1)[0]).toBeUndefined();
  });

  it("pass any JSON through", () => {
    const value = { a: [1, 2n] };
    expect(read(anything, value)[0]).toBe(value);
  });
});
