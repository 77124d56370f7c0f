/** State of a zone: when most of its nodes are silent, the network is the likelier cause, and evictions slow down or stop. */
import type { Node } from "@drover/api/core/v1";
import { getOwn } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { conditionOf } from "./node-health.ts";

export type ZoneState = "Normal" | "PartialDisruption" | "FullDisruption";

/** A zone is disrupted from this share of silent nodes on, if there are more than `unhealthyMin`. */
const unhealthyShare = 0.55;
const unhealthyMin = 2;
/** A smaller disrupted zone evicts nothing. */
const largeZone = 50;

export const zoneOf = ({ metadata: { labels = {} } }: DeepReadonly<Node>): string =>
  `${getOwn(labels, "topology.kubernetes.io/region") ?? ""}:${getOwn(labels, "topology.kubernetes.io/zone") ?? ""}`;

export const isReadyNode = (node: DeepReadonly<Node>): boolean => conditionOf(node, "Ready")?.status === "True";

export function zoneState(nodes: readonly DeepReadonly<Node>[]): ZoneState {
  const silent = nodes.filter((node) => !isReadyNode(node)).length;
  if (silent > 0 && silent === nodes.length) return "FullDisruption";
  return silent > unhealthyMin && silent / nodes.length >= unhealthyShare ? "PartialDisruption" : "Normal";
}

/** Returns how many nodes per second each zone may evict: 0.1, less in a disrupted zone, and none when every zone is silent. */
export function evictionRates(nodes: readonly DeepReadonly<Node>[]): ReadonlyMap<string, number> {
  const zones = new Map<string, DeepReadonly<Node>[]>();
  for (const node of nodes) zones.set(zoneOf(node), [...(zones.get(zoneOf(node)) ?? []), node]);
  const states = [...zones].map(([zone, members]) => ({ zone, members, state: zoneState(members) }));
  const isAllSilent = states.length > 0 && states.every(({ state }) => state === "FullDisruption");
  return new Map(
    states.map(({ zone, members, state }) => {
      if (isAllSilent) return [zone, 0];
      return [zone, state === "PartialDisruption" ? (members.length > largeZone ? 0.01 : 0) : 0.1];
    }),
  );
}
