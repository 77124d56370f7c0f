import { createRandom } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { AddressPool } from "./address-pool.ts";

const pool = (cidr: string): AddressPool => new AddressPool(cidr, { random: createRandom(1) });

describe("AddressPool", () => {
  it("excludes the network and the broadcast address", () => {
    const addresses = pool("10.0.0.0/24");
    expect(
      ["10.0.0.0", "10.0.0.1", "10.0.0.254", "10.0.0.255", "10.0.1.0", "9.255.255.255", "fd00::1", "x"].filter((address) =>
        addresses.includes(address),
      ),
    ).toEqual(["10.0.0.1", "10.0.0.254"]);
  });

  it("includes the last address of an IPv6 range", () => {
    const addresses = pool("fd00::/120");
    expect([addresses.family, addresses.networkAddress, addresses.includes("fd00::"), addresses.includes("fd00::ff")]).toEqual([
      "IPv6",
      "fd00::",
      false,
      true,
    ]);
  });

  it("allocates every address of a range, then none", () => {
    const addresses = pool("10.0.0.0/29");
    const taken = Array.from({ length: 6 }, () => addresses.takeAny());
    expect(new Set(taken)).toEqual(new Set(["10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4", "10.0.0.5", "10.0.0.6"]));
    expect(addresses.takeAny()).toBeUndefined();
    addresses.giveBack("10.0.0.3");
    expect(addresses.takeAny()).toBe("10.0.0.3");
  });

  it("keeps the first sixteen addresses of a /24 for explicit requests", () => {
    const addresses = pool("10.0.0.0/24");
    const taken = Array.from({ length: 238 }, () => addresses.takeAny() ?? "");
    expect(taken.every((address) => Number(address.split(".")[3]) > 16)).toBe(true);
    expect(Number(addresses.takeAny()?.split(".")[3])).toBeLessThanOrEqual(16);
  });

  it("allocates an address once, in any notation", () => {
    const addresses = pool("fd00::/64");
    expect(addresses.take("fd00:0::00a")).toBe(true);
    expect(addresses.take("fd00::a")).toBe(false);
  });

  it("allocates from very large ranges", () => {
    expect(pool("fd00::/8").includes(pool("fd00::/8").takeAny() ?? "")).toBe(true);
  });

  it("refuses a malformed range", () => {
    expect(() => pool("10.0.0.0")).toThrow("10.0.0.0 is not an address range such as 10.0.0.0/24");
  });
});
