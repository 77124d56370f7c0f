/** Node selection of a pod: `nodeSelector`, required and preferred node affinity. The scheduler of dev-cluster uses it too. */
import type { Node, NodeSelectorRequirement, NodeSelectorTerm, Pod } from "@drover/api/core/v1";
import { getOwn } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";

type Term = DeepReadonly<NodeSelectorTerm>;

/** Whether the pod may run on this node: all labels of its selector and one of its affinity terms match. */
export function selectsNode({ spec }: DeepReadonly<Pick<Pod, "spec">>, node: DeepReadonly<Node>): boolean {
  const { labels = {} } = node.metadata;
  const isSelected = Object.entries(spec?.nodeSelector ?? {}).every(([key, value]) => getOwn(labels, key) === value);
  const terms = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return isSelected && (terms === undefined || terms.some((term) => matchesTerm(term, node)));
}

/** Returns the sum of the weights of the matching preferences. */
export function preferenceFor({ spec }: DeepReadonly<Pick<Pod, "spec">>, node: DeepReadonly<Node>): number {
  const preferred = spec?.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return preferred.reduce((sum, { weight, preference }) => (matchesTerm(preference, node) ? sum + weight : sum), 0);
}

/** An empty term matches nothing. */
function matchesTerm({ matchExpressions = [], matchFields = [] }: Term, node: DeepReadonly<Node>): boolean {
  if (matchExpressions.length === 0 && matchFields.length === 0) return false;
  const { labels = {}, name } = node.metadata;
  return (
    matchExpressions.every((requirement) => meets(requirement, getOwn(labels, requirement.key))) &&
    matchFields.every((requirement) => requirement.key === "metadata.name" && meets(requirement, name))
  );
}

type Operator = NodeSelectorRequirement["operator"];
type Judge = (value: string | undefined, values: readonly string[]) => boolean;

const judges: Readonly<Record<Operator, Judge>> = {
  In: (value, values) => value !== undefined && values.includes(value),
  NotIn: (value, values) => value === undefined || !values.includes(value),
  Exists: (value) => value !== undefined,
  DoesNotExist: (value) => value === undefined,
  Gt: (value, [limit]) => exceeds(value, limit),
  Lt: (value, [limit]) => exceeds(limit, value),
};

const meets = ({ operator, values = [] }: DeepReadonly<NodeSelectorRequirement>, value: string | undefined): boolean =>
  judges[operator](value, values);

/** Compares whole numbers only. */
function exceeds(more: string | undefined, less: string | undefined): boolean {
  const [left, right] = [wholeNumber(more), wholeNumber(less)];
  return left !== undefined && right !== undefined && left > right;
}

const wholeNumber = (text: string | undefined): bigint | undefined =>
  text !== undefined && /^[+-]?\d+$/.test(text) ? BigInt(text) : undefined;
