/**
 * What a workload asked for at some time, kept as an object of its own: how it is named, and when two of them say the same.
 *
 *     owner, data → newControllerRevision → revisionControl.create        equalRevisions: is this one kept already?
 */
import { StatefulSet } from "@drover/api/apps/v1";
import type { ControllerRevision } from "@drover/api/apps/v1";
import { schemaFor } from "@drover/api/schemas";
import { compareBytes, definedOnly, newControllerRef, semanticEqual } from "@drover/machinery";
import type { DeepReadonly, GroupVersionKind, KubeObject, Schema } from "@drover/machinery";
import { canonicalHash } from "../shared/canonical-hash.ts";

/** A revision that is looked at. */
export type RevisionView = DeepReadonly<ControllerRevision>;

/** The label that tells the hash in a revision's name. */
export const revisionHashLabel = "controller.kubernetes.io/hash";

/** The label by which a pod says of which revision it is. */
export const podRevisionLabel = "controller-revision-hash";

/** What a revision is made of. */
export interface NewRevision {
  readonly owner: DeepReadonly<KubeObject>;
  readonly ownerKind: GroupVersionKind;
  /** Those of the template: the owner's selector finds revisions as it finds pods. */
  readonly labels: Readonly<Record<string, string>>;
  /** The labels whose value is the hash. @default `controller.kubernetes.io/hash` */
  readonly hashLabels?: readonly string[];
  /** @default none */
  readonly annotations?: Readonly<Record<string, string>>;
  /** A strategic merge patch that takes the owner back to this revision. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Its number. */
  readonly revision: number;
  /** How often the name was somebody else's. @default none so far, and none counted */
  readonly collisionCount?: number;
}

/** So much of the owner's name that the hash, ten characters at most, has room in 253. */
const prefixLengthMax = 223;

/** The owner's name, a dash and the hash. */
export function revisionName(owner: string, hash: string): string {
  return `${owner.slice(0, prefixLengthMax)}-${hash}`;
}

/** The revision, named after its owner and what it says, as it is to be created. */
export function newControllerRevision({
  owner,
  ownerKind,
  labels,
  hashLabels = [revisionHashLabel],
  annotations,
  data,
  revision,
  collisionCount,
}: NewRevision): RevisionView {
  const { name = "", namespace = "" } = owner.metadata;
  // With the kind: a DaemonSet and a StatefulSet of one name and one template would otherwise share a revision, and the
  // first to go would take it along.
  const hash = canonicalHash({ kind: ownerKind.kind, data }, collisionCount);
  return {
    metadata: {
      name: revisionName(name, hash),
      namespace,
      ownerReferences: [newControllerRef(owner, ownerKind)],
      labels: { ...labels, ...Object.fromEntries(hashLabels.map((label) => [label, hash])) },
      ...definedOnly({ annotations }),
    },
    data: sortedFields(data),
    revision,
  };
}

/**
 * With fields in order at every depth. The server keeps data as the bytes they came in and sorts fields when it
 * patches; what changes by that it takes for another revision, and refuses.
 */
function sortedFields<T>(value: T): T {
  if (Array.isArray(value)) return value.map(sortedFields) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => compareBytes(a, b))
      .map(([key, field]) => [key, sortedFields(field as unknown)]),
  ) as T;
}

// All workloads with a history keep their pod template, and it is the same type in all of them.
const schema: Schema | undefined = schemaFor(StatefulSet);

/** Whether both would take their owner back to the same: quantities count by value, an empty list like none. */
export function equalRevisions(a: Pick<RevisionView, "data">, b: Pick<RevisionView, "data">): boolean {
  return semanticEqual(a.data, b.data, schema);
}
