/**
 * How members of a set are told from all other objects: a label to find them by, annotations that say in words whose they are.
 *
 *     set, owner → SetIdentity → labels and annotations of every member
 */
import { checkDns1123Label, sha256Hex } from "@drover/machinery";
import type { GroupKind } from "@drover/machinery";
import type { ApplySet, SetOwner } from "./apply-set.ts";

/** The label members are found by. */
export const setLabel = "drover.dev/set";
/** "false" as a label keeps a member from being pruned. */
export const pruneLabel = "drover.dev/prune";
/** The name of the set, in words. */
export const setNameAnnotation = "drover.dev/set-name";
/** The owner, in words: "WebApp.demo.example.com shop/web". */
export const ownerAnnotation = "drover.dev/owner";
/** The hash of what was applied last. */
export const appliedAnnotation = "drover.dev/applied";
/** What was applied last, where the three-way method needs it. */
export const lastAppliedAnnotation = "drover.dev/last-applied";

export interface SetIdentity {
  readonly name: string;
  /** The value of the label. */
  readonly id: string;
  /** The values the label had under earlier names of the set. */
  readonly earlierIds: readonly string[];
  /** The set's name and its earlier ones. */
  readonly names: readonly string[];
  /** The owner in words. */
  readonly owner: string;
  readonly fieldManager: string;
}

/** Throws a `TypeError` for a name that could not stand in an annotation's key, and for options that cannot go together. */
export function setIdentity(
  { name, supersedes = [], fieldManager = `drover-${name}`, method, onConflict }: ApplySet,
  owner: SetOwner,
): SetIdentity {
  const problems = checkDns1123Label(name);
  if (problems.length > 0) throw new TypeError(`apply set ${JSON.stringify(name)}: its name is no DNS label: ${problems.join("; ")}`);
  if (method === "three-way" && onConflict === "fail")
    throw new TypeError(`apply set ${name}: onConflict: "fail" needs the method "server-side": three ways do not tell who wrote a field`);
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

/** "shop/web", or "web" for what is in no namespace. */
export const placeWords = (namespace: string | undefined, name: string | undefined): string =>
  namespace === undefined || namespace === "" ? (name ?? "") : `${namespace}/${name ?? ""}`;

// 128 bits: no two sets of a cluster meet, and a label may have 63 characters.
const idOf = (name: string, { kind: { group, kind }, object: { metadata } }: SetOwner): string =>
  sha256Hex(JSON.stringify([name, group, kind, metadata.namespace ?? "", metadata.name ?? ""])).slice(0, 32);
