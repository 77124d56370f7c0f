/** Limits an Endpoints object to a thousand addresses: ready ones first, in proportion to each subset. */
import type { EndpointSubset } from "@drover/api/core/v1";
import type { DeepReadonly } from "@drover/machinery";

type Subset = DeepReadonly<EndpointSubset>;

export const addressesMax = 1000;

/** Returns the same list when all fit. Shares round up; the last subsets get what is left. */
export function truncateSubsets(subsets: readonly Subset[], max: number = addressesMax): readonly Subset[] {
  const ready = count(subsets, "addresses");
  const notReady = count(subsets, "notReadyAddresses");
  if (ready + notReady <= max) return subsets;
  const isReadyCut = ready > max;
  const [place, room, total] = isReadyCut ? (["addresses", max, ready] as const) : (["notReadyAddresses", max - ready, notReady] as const);
  let left = room;
  return subsets
    .map((subset) => {
      const all = subset[place] ?? [];
      const kept = all.slice(0, Math.min(Math.ceil((all.length / total) * room), left));
      left -= kept.length;
      const { addresses: _, notReadyAddresses: __, ...rest } = subset;
      const addresses = isReadyCut ? kept : (subset.addresses ?? []);
      const notReadyAddresses = isReadyCut ? [] : kept;
      return {
        ...(addresses.length === 0 ? {} : { addresses }),
        ...(notReadyAddresses.length === 0 ? {} : { notReadyAddresses }),
        ...rest,
      };
    })
    .filter(({ addresses, notReadyAddresses }) => addresses !== undefined || notReadyAddresses !== undefined);
}

const count = (subsets: readonly Subset[], place: "addresses" | "notReadyAddresses"): number =>
  subsets.reduce((sum, subset) => sum + (subset[place]?.length ?? 0), 0);
