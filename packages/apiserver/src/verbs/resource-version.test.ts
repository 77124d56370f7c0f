import { describe, expect, it } from "vitest";
import { listedVersion, readVersion, writtenVersion } from "./resource-version.ts";

describe("resourceVersion in requests", () => {
  it("parses unsigned 64-bit numbers", () => {
    expect(readVersion("18446744073709551615")).toBe(2n ** 64n - 1n);
    expect([writtenVersion("7"), listedVersion("7")]).toEqual([7n, 7n]);
  });
  it("is refused with kube-apiserver's message otherwise", () => {
    expect(() => writtenVersion("x")).toThrow('strconv.ParseUint: parsing "x": invalid syntax');
    expect(() => readVersion("18446744073709551616")).toThrow(
      'resourceVersion: Invalid value: "18446744073709551616": strconv.ParseUint: parsing "18446744073709551616": value out of range',
    );
    expect(() => listedVersion("-1")).toThrow(
      'invalid resource version: resourceVersion: Invalid value: "-1": strconv.ParseUint: parsing "-1": invalid syntax',
    );
  });
});
