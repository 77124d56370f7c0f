/** How a zone is doing: when most of its nodes are silent it is rather the way to them that is broken, and pods are let be. */
import type { Node } from "@drover/api/core/v1";
import { getOwn } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { conditionOf } from "./node-health.ts";

export type ZoneState = "Normal" | "PartialDisruption" | "FullDisruption";

/** Above this share of silent nodes, and above so many of them, a zone is disrupted. */
const unhealthyShare = 0.55;
const unhealthyMin = 2;
/** In a small zone that is disrupted nobody is driven away at all. */
const largeZone = 50;

export const zoneOf = ({ metadata: { labels = {} } }: DeepReadonly<Node>): string =>
  `${getOwn(labels, "topology.kubernetes.io/region") ?? ""}:${getOwn(labels, "topology.kubernetes.io/zone") ?? ""}`;

export const isReadyNode = (node: DeepReadonly<Node>): boolean => conditionOf(node, "Ready")?.status === "True";

export function zoneState(nodes: readonly DeepReadonly<Node>[]): ZoneState {
  const silent = nodes.filter((node) => !isReadyNode(node)).length;
  if (silent > 0 && silent === nodes.length) return "FullDisruption";
  return silent > unhealthyMin && silent / nodes.length >= unhealthyShare ? "PartialDisruption" : "Normal";
}

/** How many nodes a second may be emptied in each zone: 0.1, less in trouble, and none when every zone is silent. */
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
