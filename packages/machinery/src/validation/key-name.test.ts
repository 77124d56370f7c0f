import { describe, expect, it } from "vitest";
import {
  checkCIdentifier,
  checkConfigMapKey,
  checkEnvVarName,
  checkHttpHeaderName,
  checkPercent,
  checkPortName,
  checkPortNumber,
  checkRange,
  checkRelaxedEnvVarName,
  checkUnixId,
} from "./key-name.ts";

const bad = (check: (value: string) => string[], values: readonly string[]): string[] => values.filter((value) => check(value).length > 0);

describe("checks of keys, variables, headers and ports", () => {
  it("accept valid names", () => {
    expect(bad(checkConfigMapKey, ["a", "A.b-c_d", ".a", "1", "k".repeat(253)])).toEqual([]);
    expect(bad(checkEnvVarName, ["a", "A.b-c_d", ".a", "_", "-a"])).toEqual([]);
    expect(bad(checkRelaxedEnvVarName, ["a", "1", " ", "a b", "~!@#", "..", "<>"])).toEqual([]);
    expect(bad(checkHttpHeaderName, ["X-A", "a", "1"])).toEqual([]);
    expect(bad(checkCIdentifier, ["a", "_", "A1"])).toEqual([]);
    expect(bad(checkPercent, ["0%", "100%"])).toEqual([]);
    expect(bad(checkPortName, ["http", "a-1", "1a"])).toEqual([]);
  });

  it("reject invalid names", () => {
    expect(bad(checkConfigMapKey, ["", ".", "..", "..a", "a/b", "é", "k".repeat(254)])).toHaveLength(7);
    expect(bad(checkEnvVarName, ["", "1a", "a=b", "a b", "..", "..a"])).toHaveLength(6);
    expect(bad(checkRelaxedEnvVarName, ["", "=", "a=b", "é", "\t", "\x7f"])).toHaveLength(6);
    expect(bad(checkHttpHeaderName, ["", "X_A", "a b"])).toHaveLength(3);
    expect(bad(checkCIdentifier, ["", "1", "a-b"])).toHaveLength(3);
    expect(bad(checkPercent, ["", "%", "5", "-5%", "5%%"])).toHaveLength(5);
  });

  it("report all problems of a port name", () => {
    expect(checkPortName("-1--2-".repeat(3))).toEqual([
      "must be no more than 15 characters",
      "must contain at least one letter (a-z)",
      "must not contain consecutive hyphens",
      "must not begin or end with a hyphen",
    ]);
    expect(checkPortName("")).toEqual([
      "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)",
      "must contain at least one letter (a-z)",
    ]);
  });

  it("know the bounds of numbers", () => {
    expect([checkPortNumber(1), checkPortNumber(65535), checkUnixId(0), checkRange(5, 5, 5)]).toEqual([[], [], [], []]);
    expect([checkPortNumber(0), checkPortNumber(65536), checkUnixId(-1), checkUnixId(2 ** 31)].map((problems) => problems[0])).toEqual([
      "must be between 1 and 65535, inclusive",
      "must be between 1 and 65535, inclusive",
      "must be between 0 and 2147483647, inclusive",
      "must be between 0 and 2147483647, inclusive",
    ]);
  });
});
