/** Node selection of a pod: by name, selector and affinity. */
import type { Pod } from "@drover/api/core/v1";
import { selectsNode } from "@drover/controller-manager";
import type { DeepReadonly } from "@drover/machinery";
import { final } from "../refusal.ts";
import type { FilterPlugin } from "../refusal.ts";

const unselected = final("node(s) didn't match Pod's node affinity/selector");
const unnamed = final("node(s) didn't satisfy plugin(s) [NodeAffinity]");
const otherNode = final("node(s) didn't match the requested node name");

export const nodeAffinity: FilterPlugin = ({ pod }) => {
  const names = namedNodes(pod);
  const { nodeName = "", nodeSelector, affinity } = pod.spec ?? {};
  if (nodeSelector === undefined && affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution === undefined && nodeName === "")
    return undefined;
  return ({ node, name }) => {
    if (names !== undefined && !names.has(name)) return unnamed;
    if (nodeName !== "" && nodeName !== name) return otherNode;
    return selectsNode(pod, node) ? undefined : unselected;
  };
};

/**
 * Returns the only nodes to consider for a pod whose affinity names nodes in every term, as DaemonSets do; undefined for all nodes.
 * Empty when the names of each term exclude one another.
 */
export function namedNodes({ spec }: DeepReadonly<Pod>): ReadonlySet<string> | undefined {
  const terms = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  if (terms.length === 0) return undefined;
  const named = terms.map(({ matchFields = [] }) => {
    const lists = matchFields.filter(({ key, operator }) => key === "metadata.name" && operator === "In").map(({ values = [] }) => values);
    const [first, ...rest] = lists;
    return first?.filter((name) => rest.every((list) => list.includes(name)));
  });
  return named.some((names) => names === undefined) ? undefined : new Set(named.flatMap((names) => names ?? []));
}
