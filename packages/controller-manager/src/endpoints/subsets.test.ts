import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { repack } from "./subsets.ts";

const address = (ip: string, uid = ip): { readonly ip: string; readonly targetRef: { readonly uid: string } } => ({
  ip,
  targetRef: { uid },
});

describe("repack", () => {
  it("lists an address once per port, as not ready when it is both", () => {
    const ports = [{ port: 1, protocol: "TCP" as const }];
    expect(
      repack([
        { addresses: [address("a"), address("b")], ports },
        { notReadyAddresses: [address("a")], ports },
        { addresses: [address("a")], ports },
      ]),
    ).toEqual([{ addresses: [address("b")], notReadyAddresses: [address("a")], ports }]);
  });

  it("keeps two pods of one address apart", () => {
    expect(repack([{ addresses: [address("a", "1"), address("a", "2")] }])[0]?.addresses).toHaveLength(2);
  });

  it("groups equal addresses, and separates different readiness", () => {
    const [one, two, three] = [{ port: 1 }, { port: 2 }, { port: 3 }];
    expect(
      repack([
        { addresses: [address("a")], ports: [two] },
        { addresses: [address("a")], ports: [one] },
        { notReadyAddresses: [address("a")], ports: [three] },
      ]),
    ).toEqual([
      { addresses: [address("a")], ports: [one, two] },
      { notReadyAddresses: [address("a")], ports: [three] },
    ]);
  });

  it("is independent of order and idempotent", () => {
    const subset = fc.record({
      addresses: fc.array(
        fc.constantFrom("a", "b", "c").map((ip) => address(ip)),
        { maxLength: 3 },
      ),
      notReadyAddresses: fc.array(
        fc.constantFrom("a", "b", "c").map((ip) => address(ip)),
        { maxLength: 3 },
      ),
      ports: fc.array(
        fc.constantFrom(1, 2, 3).map((port) => ({ port })),
        { maxLength: 2 },
      ),
    });
    fc.assert(
      fc.property(fc.array(subset, { maxLength: 5 }), (subsets) => {
        const packed = repack(subsets);
        expect(repack(subsets.toReversed())).toEqual(packed);
        expect(repack(packed)).toEqual(packed);
      }),
    );
  });
});
