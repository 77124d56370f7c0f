import { describe, expect, it } from "vitest";
import { toBool, toDouble, toInt, toText, toUint } from "./convert.ts";
import { duration, uint } from "./value.ts";

describe("conversion of CEL values", () => {
  it("truncates, overflows and refuses as cel-go does", () => {
    expect([toInt(-1.9), toInt("+5"), toInt(duration(5n)), toUint("7"), toDouble("1e3"), toBool("T")]).toEqual([
      -1n,
      5n,
      5n,
      uint(7n),
      1000,
      true,
    ]);
    expect([toInt(1e30), toUint(-1n), toDouble("x"), toBool("yes"), toText(Uint8Array.of(255))]).toEqual([
      { kind: "failure", message: "integer overflow" },
      { kind: "failure", message: "unsigned integer overflow" },
      { kind: "failure", message: "type conversion error from 'string' to 'double'" },
      { kind: "failure", message: "type conversion error from 'string' to 'bool'" },
      { kind: "failure", message: "invalid UTF-8 in bytes, cannot convert to string" },
    ]);
    expect([toText(1e6), toText(true), toText(5n)]).toEqual(["1e+06", "true", "5"]);
  });
});
