import { describe, expect, it } from "vitest";
import { isTimestamp, resolve } from "./resolve.ts";

describe("resolve", () => {
  it.each([
    ["yes", true],
    ["Yes", true],
    ["YES", true],
    ["y", true],
    ["on", true],
    ["True", true],
    ["no", false],
    ["N", false],
    ["off", false],
    ["OFF", false],
    ["yEs", "yEs"],
    ["~", null],
    ["null", null],
    ["Null", null],
    ["", null],
    ["nULL", "nULL"],
    ["0", 0],
    ["-0", 0],
    ["+12", 12],
    ["0777", 511],
    ["0o17", 15],
    ["0x1F", 31],
    ["-0x10", -16],
    ["0b101", 5],
    ["0b-1", -1],
    ["1_000", 1000],
    ["08", 8],
    ["0_7", 7],
    ["9007199254740993", 9007199254740993n],
    ["18446744073709551615", 18446744073709551615n],
    ["18446744073709551616", 18446744073709552000],
    ["+18446744073709551615", 18446744073709552000],
    ["1.5", 1.5],
    ["1.", 1],
    [".5", 0.5],
    ["-.5", -0.5],
    ["1e3", 1000],
    ["1E-2", 0.01],
    [".5_1", 0.51],
    ["1e999", "1e999"],
    ["1e-999", 0],
    ["12:30:45", "12:30:45"],
    ["1.2.3", "1.2.3"],
    ["0x", "0x"],
    ["-", "-"],
    ["+", "+"],
    [".", "."],
    ["1a", "1a"],
    ["<<", "<<"],
    ["2001-01-01", "2001-01-01"],
    ["text", "text"],
  ])("resolves %s as %s", (text, value) => expect(resolve(text).value).toEqual(value));

  it("resolves .inf and .nan as numbers", () => {
    expect([".inf", "+.Inf", "-.INF", ".nan", ".NaN"].map((text) => resolve(text).value)).toEqual([
      Infinity,
      Infinity,
      -Infinity,
      NaN,
      NaN,
    ]);
    expect(resolve(".nAn").type).toBe("str");
  });
});

describe("isTimestamp", () => {
  it.each([
    "2001-01-01",
    "2001-1-1",
    "2000-02-29",
    "2001-01-01T00:00:00Z",
    "2001-1-1t1:2:3.5+01:00",
    "2001-01-01 1:2:3",
    "2001-01-01 01:02:03.123456789",
  ])("accepts %s", (text) => expect(isTimestamp(text)).toBe(true));
  it.each([
    "2001-13-01",
    "2001-02-29",
    "2001-00-01",
    "2001-01-01T00:00:00",
    "2001-01-01 00:00:00Z",
    "2001-01-01T24:00:00Z",
    "201-01-01",
    "2001-01",
    "2001-01-01T00:00:00+25:00",
  ])("rejects %s", (text) => expect(isTimestamp(text)).toBe(false));
});
