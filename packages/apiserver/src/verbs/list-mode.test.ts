import { describe, expect, it } from "vitest";
import { encodeContinue } from "./continue-token.ts";
import { listMode } from "./list-mode.ts";

describe("listMode", () => {
  it.each([
    [{}, "latest"],
    [{ resourceVersion: "0" }, "not-older-than 0"],
    [{ resourceVersion: "0", limit: 5 }, "not-older-than 0"],
    [{ resourceVersion: "7" }, "not-older-than 7"],
    [{ resourceVersion: "7", limit: 5 }, "exact 7"],
    [{ resourceVersion: "7", resourceVersionMatch: "NotOlderThan", limit: 5 }, "not-older-than 7"],
    [{ resourceVersion: "7", resourceVersionMatch: "Exact" }, "exact 7"],
    [{ continue: encodeContinue({ revision: 7, after: "a" }) }, "exact 7 a"],
    [{ continue: encodeContinue({ revision: -1, after: "a" }), resourceVersion: "0" }, "latest a"],
  ] as const)("reads a list with %j at: %s", (options, mode) => {
    expect(Object.values(listMode(options)).join(" ")).toBe(mode);
  });
  it("refuses a resourceVersion together with a continue token", () => {
    expect(() => listMode({ continue: "x", resourceVersion: "7" })).toThrow(
      "specifying resource version is not allowed when using continue",
    );
  });
  it.each(["abc", "-1", "1.5", "99999999999999999999"])("refuses the resourceVersion %s", (resourceVersion) => {
    expect(() => listMode({ resourceVersion })).toThrow(`invalid resource version: resourceVersion: Invalid value: "${resourceVersion}"`);
  });
});
