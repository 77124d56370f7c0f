import type { EndpointSubset } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { truncateSubsets } from "./truncate-subsets.ts";

const addresses = (count: number): { ip: string }[] => Array.from({ length: count }, (_, index) => ({ ip: `ip-${index}` }));
const subsets = (ready: readonly number[], notReady: readonly number[]): EndpointSubset[] =>
  ready.map((count, index) => ({
    addresses: addresses(count),
    notReadyAddresses: addresses(notReady[index] ?? 0),
    ports: [{ port: index + 1 }],
  }));
const counts = (
  list: readonly { readonly addresses?: readonly unknown[]; readonly notReadyAddresses?: readonly unknown[] }[],
): readonly (readonly number[])[] => [
  list.map((subset) => subset.addresses?.length ?? 0),
  list.map((subset) => subset.notReadyAddresses?.length ?? 0),
];

describe("truncateSubsets", () => {
  it("keeps up to a thousand addresses", () => {
    const list = subsets([500, 400], [60, 40]);
    expect(truncateSubsets(list)).toBe(list);
  });

  it("E037: removes unready addresses first, in proportion", () => {
    expect(counts(truncateSubsets(subsets([90, 110, 50, 10, 20], [101, 200, 200, 201, 298])))).toEqual([
      [90, 110, 50, 10, 20],
      [73, 144, 144, 145, 214],
    ]);
  });

  it("E038: then removes ready ones, and all unready ones", () => {
    expect(counts(truncateSubsets(subsets([205, 400, 402, 400, 693], [100, 0, 5, 0, 1])))).toEqual([
      [98, 191, 192, 191, 328],
      [0, 0, 0, 0, 0],
    ]);
  });

  it("leaves no empty subset", () => {
    expect(counts(truncateSubsets(subsets([1000, 0], [0, 10])))).toEqual([[1000], [0]]);
  });
});
