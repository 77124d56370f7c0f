import { describe, expect, it } from "vitest";
import { content, everything, truthOf, version, web } from "./small-history.ts";

const inside = content("1", { app: "web" });
const outside = content("2", { app: "db" });
const truth = truthOf(["b", inside], ["a", outside], ["b", outside], ["b", undefined], ["a", inside]);

describe("Truth", () => {
  it("returns the state at every revision, sorted by key", () => {
    expect([...truth.stateAt(12, everything)]).toEqual([
      ["a", version(12, outside)],
      ["b", version(11, inside)],
    ]);
    expect([...truth.stateAt(12, web)]).toEqual([["b", version(11, inside)]]);
    expect([...truth.stateAt(10, everything)]).toEqual([]);
  });

  it("returns the expected watch events: ADDED on entering a scope, DELETED with the last state on leaving it", () => {
    expect(truth.expected(web, 10, 15)).toEqual([
      { type: "ADDED", id: "b", revision: 11, content: inside },
      { type: "DELETED", id: "b", revision: 13, content: inside },
      { type: "ADDED", id: "a", revision: 15, content: inside },
    ]);
    expect(truth.expected(everything, 12, 14).map(({ type, revision }) => [type, revision])).toEqual([
      ["MODIFIED", 13],
      ["DELETED", 14],
    ]);
  });

  it("returns each write by its revision", () => {
    expect(truth.at(14)).toMatchObject({ id: "b", after: undefined });
    expect(truth.at(16)).toBeUndefined();
    expect(truth.oldest).toBe(10);
  });
});
