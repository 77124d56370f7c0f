import { describe, expect, it } from "vitest";
import { maskAddress, networkHolds, printAddress, readAddress, readNetwork } from "./network-address.ts";

describe("CEL network addresses", () => {
  it.each([
    ["01.2.3.4", "leading zero"],
    ["1.2.3", "too short"],
    ["1.2.3.4.5", "too long"],
    ["1.2.3.256", ">255"],
    ["::ffff:1.2.3.4", "IPv4-mapped"],
    ["fe80::1%eth0", "zone value is not allowed"],
    ["x", "unable to parse IP"],
  ])("refuse %s: %s", (text, problem) => {
    expect(readAddress(text)).toEqual({ problem: expect.stringContaining(problem) as string });
  });

  it("are masked bit by bit, and match networks of their own family only", () => {
    expect(printAddress(maskAddress([10, 255, 3, 4], 12))).toBe("10.240.0.0");
    expect(readNetwork("10.0.0.0/8")).toEqual({ bytes: [10, 0, 0, 0], bits: 8 });
    expect(
      networkHolds(
        { bytes: [0, 0, 0, 0], bits: 0 },
        Array.from({ length: 16 }, () => 0),
      ),
    ).toBe(false);
  });
});
