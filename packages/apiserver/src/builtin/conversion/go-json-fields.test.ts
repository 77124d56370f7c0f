import type { JsonValue } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { GoJsonFields, readGoJson, readList } from "./go-json-fields.ts";

const fields = (value: JsonValue): GoJsonFields => new GoJsonFields(value);

describe("readGoJson", () => {
  it("matches keys case-insensitively and takes the last", () => {
    expect(fields({ TargetValue: "1" }).text("targetValue")).toBe("1");
    expect(fields({ a: "1", A: "2" }).text("a")).toBe("2");
  });

  it("treats null as absent", () => {
    expect(fields(null).text("a")).toBe("");
    expect([fields({ a: null }).int32("a"), fields({ a: null }).quantity("a"), fields({ a: null }).optionalQuantity("a")]).toEqual([
      0,
      "0",
      undefined,
    ]);
    expect(readList(null, () => 1)).toEqual([]);
  });

  it("returns undefined for a value of another type", () => {
    for (const read of [
      () => fields([]),
      () => fields({ a: 1 }).text("a"),
      () => fields({ a: "1" }).int32("a"),
      () => fields({ a: 2 ** 31 }).int32("a"),
      () => fields({ a: 1.5 }).int32("a"),
      () => fields({ a: "x" }).quantity("a"),
      () => fields({ a: {} }).quantity("a"),
      () => fields({ a: "yesterday" }).optionalTime("a"),
      () => readList({}, () => 1),
      () => fields({ s: { matchLabels: { a: 1 } } }).optionalSelector("s"),
      () => fields({ s: { matchLabels: [] } }).optionalSelector("s"),
    ])
      expect(read).toThrow(Error);
    expect(readGoJson("{", () => 1)).toBeUndefined();
    expect(readGoJson("[1]", (value) => readList(value, () => 1))).toBeUndefined();
  });

  it("writes quantities and times in canonical form", () => {
    expect(fields({ a: "1000m" }).quantity("a")).toBe("1");
    expect(fields({ a: 5 }).quantity("a")).toBe("5");
    expect(fields({ a: "2024-01-02T03:04:05+01:00" }).optionalTime("a")).toBe("2024-01-02T02:04:05Z");
  });

  it("drops empty parts of selectors", () => {
    expect(
      fields({ s: { matchLabels: {}, matchExpressions: [{ key: "k", operator: "In", values: ["v", null] }] } }).optionalSelector("s"),
    ).toEqual({ matchExpressions: [{ key: "k", operator: "In", values: ["v", ""] }] });
    expect(fields({ s: {} }).optionalSelector("s")).toEqual({});
    expect(fields({}).optionalSelector("s")).toBeUndefined();
  });
});
