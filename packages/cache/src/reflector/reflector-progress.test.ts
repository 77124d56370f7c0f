import { describe, expect, it } from "vitest";
import { judgeVersion, versionAfter } from "./reflector-progress.ts";

describe("judgeVersion", () => {
  it.each([
    ["9", "10", "apply"],
    ["10", "10", "repeat"],
    ["10", "9", "older"],
    ["", "1", "apply"],
    ["0", "1", "apply"],
    ["99999999999999999999", "100000000000000000000", "apply"],
    ["100000000000000000000", "99999999999999999999", "older"],
  ])("after %j judges %j as: %s", (last, version, verdict) => {
    expect(judgeVersion(last, version)).toBe(verdict);
  });

  it("applies versions that are not numbers", () => {
    expect([judgeVersion("b", "a"), judgeVersion("a", "a"), judgeVersion("5", "a"), judgeVersion("a", "5")]).toEqual([
      "apply",
      "apply",
      "apply",
      "apply",
    ]);
  });
});

describe("versionAfter", () => {
  it("is the version of the event", () => {
    expect(versionAfter("5", "5", "ADDED", "6")).toBe("6");
    expect(versionAfter("5", "5", "ADDED", "")).toBe("5");
  });

  it.each(["", "0"])("stays unknown during the initial state of a watch from %j, until another event arrives", (since) => {
    expect(versionAfter(since, since, "ADDED", "6")).toBe(since);
    expect(versionAfter(since, since, "MODIFIED", "6")).toBe("6");
    expect(versionAfter("6", since, "ADDED", "7")).toBe("7");
  });
});
