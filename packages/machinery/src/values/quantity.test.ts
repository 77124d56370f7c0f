import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { Quantity, compareQuantities } from "./quantity.ts";
import { ValueSyntaxError } from "./value-syntax-error.ts";

const text = (value: string | number | bigint): string => Quantity.parse(value).toString();

describe("Quantity.parse and toString", () => {
  it("print the canonical form: no fraction, the largest lossless suffix", () => {
    expect(["1.5", "1.5Gi", "1024Mi", "0.001", "1000000", "100e1", "0.5Ki", "2048", "1Ki"].map(text)).toEqual([
      "1500m",
      "1536Mi",
      "1Gi",
      "1m",
      "1M",
      "1e3",
      "512",
      "2048",
      "1Ki",
    ]);
  });

  it("keep the suffix family", () => {
    expect(["1e3", "1000", "1000Ki"].map((value) => Quantity.parse(value).format)).toEqual(["DecimalExponent", "DecimalSI", "BinarySI"]);
  });

  it("return a text verbatim where the API server does, until it is used in arithmetic", () => {
    expect(text("+5")).toBe("+5");
    expect(text("1.500")).toBe("1.500");
    expect(Quantity.parse("1.500").add(Quantity.zero).toString()).toBe("1500m");
  });

  it("round more than nine decimals up, away from zero", () => {
    expect(["0.0000000001", "-0.0000000001", "1.00000000001"].map(text)).toEqual(["1n", "-1n", "1000000001n"]);
  });

  it("cap binary amounts at 2^63-1, and no others", () => {
    expect(["8Ei", "-9Ei", "16E"].map(text)).toEqual(["9223372036854775807", "-9223372036854775807", "16E"]);
  });

  it("parse zero in every spelling", () => {
    expect(["0", "-0", "0Ki", "0e5", ".", "-", "Ki"].map(text)).toEqual(["0", "0", "0", "0", "0", "0", "0"]);
  });

  it("parse numbers as JavaScript writes them", () => {
    expect([1.5, 1e21, 0.1, -0, 3n].map(text)).toEqual(["1500m", "1e+21", "100m", "0", "3"]);
    expect(() => Quantity.parse(Number.NaN)).toThrow(ValueSyntaxError);
    expect(() => Quantity.parse(Infinity)).toThrow(ValueSyntaxError);
  });

  it("reject with the API server's message", () => {
    for (const bad of ["", "1 ", "x", "1.2.3", "0x1", "1,5"]) {
      expect(() => Quantity.parse(bad)).toThrow(
        "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
      );
    }
    for (const bad of ["1K", "1kk", "1e", "1e9223372036854775808"])
      expect(() => Quantity.parse(bad)).toThrow("unable to parse quantity's suffix");
    expect(() => Quantity.parse("Ei")).toThrow("unable to parse numeric part of quantity");
  });

  it("allow spaces around the text in JSON, as the API server does, and null", () => {
    expect(Quantity.fromJson(" 5m ").toString()).toBe("5m");
    expect(Quantity.fromJson(null).isZero()).toBe(true);
    expect(() => Quantity.fromJson("\t5m")).toThrow(ValueSyntaxError);
    expect(JSON.stringify({ cpu: Quantity.parse("0.5") })).toBe('{"cpu":"500m"}');
  });
});

describe("Quantity arithmetic", () => {
  it("adds and subtracts exactly, across families, in the format of the first that is not zero", () => {
    const sum = (a: string, b: string): string => Quantity.parse(a).add(Quantity.parse(b)).toString();
    expect([sum("1Gi", "1"), sum("1", "1Gi"), sum("0", "1Gi"), sum("0.1", "0.2"), sum("9223372036854775807", "1")]).toEqual([
      "1073741825",
      "1073741825",
      "1Gi",
      "300m",
      "9223372036854775808",
    ]);
    expect(Quantity.parse("1Gi").sub(Quantity.parse("512Mi")).toString()).toBe("512Mi");
    expect(Quantity.parse("3Ki").mul(-2).toString()).toBe("-6Ki");
  });

  it("rounds integers away from zero", () => {
    const half = Quantity.parse("1500m");
    expect([half.value(), half.neg().value(), half.milliValue(), half.scaledValue(3), half.scaledValue(-9)]).toEqual([
      2n,
      -2n,
      1500n,
      1n,
      1_500_000_000n,
    ]);
    expect(Quantity.of(1500n, { scale: -3 }).equals(half)).toBe(true);
  });

  it("returns the nearest floating-point number", () => {
    expect(["1.5", "1Gi", "1n", "1e400", "-1e400"].map((value) => Quantity.parse(value).asApproximateNumber())).toEqual([
      1.5,
      2 ** 30,
      1e-9,
      Infinity,
      -Infinity,
    ]);
  });

  it("compares amounts, not texts", () => {
    expect(compareQuantities("1Gi", 1073741824)).toBe(0);
    expect(compareQuantities("1G", "1Gi")).toBe(-1);
    expect(compareQuantities("-1", "-2")).toBe(1);
    expect(Quantity.parse("1000m").equals(Quantity.parse("1"))).toBe(true);
  });
});

describe("Quantity with hostile input", () => {
  it("handles absurd exponents without proportional work", () => {
    expect(text("1e999999999")).toBe("1e999999999");
    expect(text("1e-999999999")).toBe("1e-9");
    expect(text("12345678901234567890e999999999")).toBe("12345678901234567890e999999999");
    expect(compareQuantities("1e999999999", "1e-999999999")).toBe(1);
    expect(compareQuantities("-1e999999999", "5")).toBe(-1);
    expect(() => Quantity.parse("1e999999999").add(Quantity.parse("1"))).toThrow(RangeError);
    expect(() => Quantity.parse("1e999999999").value()).toThrow(RangeError);
    expect(Quantity.parse("1e-9").add(Quantity.parse("1e9000")).sign()).toBe(1);
  });

  it("parses a megabyte of digits quickly", () => {
    for (const long of [
      `${"1".repeat(1_000_000)}x`,
      `${"0".repeat(1_000_000)}x`,
      `1${"e".repeat(1_000_000)}`,
      `1e${"9".repeat(1_000_000)}`,
    ]) {
      expect(() => Quantity.fromJson(long)).toThrow(ValueSyntaxError);
    }
    expect(Quantity.fromJson(`1e${"0".repeat(1_000_000)}`).value()).toBe(1n);
    expect(Quantity.fromJson(`${" ".repeat(1_000_000)}1`).toString()).toBe("1");
    expect(Quantity.parse("9".repeat(100_000)).toString()).toHaveLength(100_000);
  });
});

describe("any Quantity", () => {
  const quantity = fc
    .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.constantFrom("", "m", "k", "Mi", "Gi", "e5", "n"))
    .map(([number, suffix]) => Quantity.parse(`${number}${suffix}`));

  it("parses back what it prints, as long as there is a suffix for it", () => {
    const small = fc
      .tuple(fc.integer(), fc.constantFrom("", "m", "k", "Mi", "Gi", "e5", "n"))
      .map(([number, suffix]) => Quantity.parse(`${number}${suffix}`));
    fc.assert(
      fc.property(small, (a) => {
        const canonical = a.neg();
        expect(Quantity.parse(canonical.toString()).equals(canonical)).toBe(true);
        expect(Quantity.parse(canonical.toString()).toString()).toBe(canonical.toString());
      }),
    );
  });

  it("undoes a sum by a difference, and orders like numbers", () => {
    fc.assert(
      fc.property(quantity, quantity, (a, b) => {
        expect(a.add(b).sub(b).equals(a)).toBe(true);
        expect(a.compare(b)).toBe(a.sub(b).sign());
        expect(b.compare(a) + a.compare(b)).toBe(0);
      }),
    );
  });
});
