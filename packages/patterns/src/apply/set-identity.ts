/**
 * Identifies the members of a set: a label to find them, and annotations for people that name the owner.
 *
 *     set, owner → SetIdentity → labels and annotations of each member
 */
import { checkDns1123Label, sha256Hex } from "@drover/machinery";
import type { GroupKind } from "@drover/machinery";
import type { ApplySet, SetOwner } from "./apply-set.ts";

/** Label that selects the members of a set. */
export const setLabel = "drover.dev/set";
/** Label; the value "false" protects a member from pruning. */
export const pruneLabel = "drover.dev/prune";
/** Annotation with the name of the set. */
export const setNameAnnotation = "drover.dev/set-name";
/** Annotation with the owner: "WebApp.demo.example.com shop/web". */
export const ownerAnnotation = "drover.dev/owner";
/** Annotation with the hash of the last applied object. */
export const appliedAnnotation = "drover.dev/applied";
/** Annotation with the last applied object, for the three-way method. */
export const lastAppliedAnnotation = "drover.dev/last-applied";

/** Names, labels and field manager of one set of one owner. */
export interface SetIdentity {
  readonly name: string;
  /** Value of the label. */
  readonly id: string;
  /** Values of the label under former names of the set. */
  readonly earlierIds: readonly string[];
  /** Current and former names of the set. */
  readonly names: readonly string[];
  /** The owner for people: "WebApp.demo.example.com shop/web". */
  readonly owner: string;
  readonly fieldManager: string;
}

/** Computes the identity of a set. Throws `TypeError` for a name that is not a DNS label and for options that contradict each other. */
export function setIdentity(
  { name, supersedes = [], fieldManager = `drover-${name}`, method, onConflict }: ApplySet,
  owner: SetOwner,
): SetIdentity {
  const problems = checkDns1123Label(name);
  if (problems.length > 0) throw new TypeError(`apply set ${JSON.stringify(name)}: its name is not a DNS label: ${problems.join("; ")}`);
  if (method === "three-way" && onConflict === "fail")
    throw new TypeError(
      `apply set ${name}: onConflict: "fail" requires method: "server-side", because a three-way merge does not know who wrote a field`,
    );
  return {
    name,
    id: idOf(name, owner),
    earlierIds: supersedes.map((earlier) => idOf(earlier, owner)),
    names: [name, ...supersedes],
    owner: ownerWords(owner),
    fieldManager,
  };
}

/** "WebApp.demo.example.com shop/web". */
export const ownerWords = ({
  kind,
  object: {
    metadata: { namespace, name },
  },
}: SetOwner): string => `${kindWords(kind)} ${placeWords(namespace, name)}`;

/** "Deployment.apps", "ConfigMap". */
export const kindWords = ({ group, kind }: GroupKind): string => (group === "" ? kind : `${kind}.${group}`);

/** "shop/web", or "web" for a cluster-scoped object. */
export const placeWords = (namespace: string | undefined, name: string | undefined): string =>
  namespace === undefined || namespace === "" ? (name ?? "") : `${namespace}/${name ?? ""}`;

// 128 bits make collisions within a cluster impossible in practice; a label value has at most 63 characters.
const idOf = (name: string, { kind: { group, kind }, object: { metadata } }: SetOwner): string =>
  sha256Hex(JSON.stringify([name, group, kind, metadata.namespace ?? "", metadata.name ?? ""])).slice(0, 32);
