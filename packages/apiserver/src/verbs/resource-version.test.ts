import { describe, expect, it } from "vitest";
import { listedVersion, readVersion, writtenVersion } from "./resource-version.ts";

describe("resource versions that clients send", () => {
  it("are unsigned 64-bit numbers", () => {
    expect(readVersion("18446744073709551615")).toBe(2n ** 64n - 1n);
    expect([writtenVersion("7"), listedVersion("7")]).toEqual([7n, 7n]);
  });
  it("are refused with kube-apiserver's message when they are not", () => {
    expect(() => writtenVersion("x")).toThrow('strconv.ParseUint: parsing "x": invalid syntax');
    expect(() => readVersion("18446744073709551616")).toThrow(
      'resourceVersion: Invalid value: "18446744073709551616": strconv.ParseUint: parsing "18446744073709551616": value out of range',
    );
    expect(() => listedVersion("-1")).toThrow(
      'invalid resource version: resourceVersion: Invalid value: "-1": strconv.ParseUint: parsing "-1": invalid syntax',
    );
  });
});
