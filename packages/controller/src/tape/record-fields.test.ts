import { describe, expect, it } from "vitest";
import { RecordFields } from "./record-fields.ts";

const fields = new RecordFields(
  JSON.parse('{"text":"a","number":1,"flag":false,"word":"b","inner":{"x":"y"},"items":[{"x":"1"},{"x":"2"}],"__proto__":{"hidden":"no"}}'),
  "line 2",
);

describe("RecordFields", () => {
  it("reads fields with their types", () => {
    expect([
      fields.string("text"),
      fields.number("number"),
      fields.boolean("flag"),
      fields.oneOf("word", ["a", "b"]),
      fields.object("inner").string("x"),
      fields.list("items", (item) => item.string("x")),
    ]).toEqual(["a", 1, false, "b", "y", ["1", "2"]]);
    expect([fields.optional("text", (name) => fields.string(name)), fields.optional("hidden", (name) => fields.string(name))]).toEqual([
      { text: "a" },
      {},
    ]);
  });

  it("throws with the position of an invalid field, and ignores prototypes", () => {
    expect(() => fields.string("number")).toThrow("line 2: number must be a string, not 1");
    expect(() => fields.string("hidden")).toThrow("line 2: hidden must be a string, not absent");
    expect(() => fields.string("toString")).toThrow("line 2: toString must be a string, not absent");
    expect(() => fields.list("items", (item) => item.number("x"))).toThrow('line 2, items[0]: x must be a number, not "1"');
    expect(() => fields.object("text")).toThrow("line 2, text is not an object");
  });
});
