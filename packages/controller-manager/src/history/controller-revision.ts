/**
 * A ControllerRevision: one version of a workload's template, its name, and equality.
 *
 *     owner, data → newControllerRevision → revisionControl.create        equalRevisions: does this one exist already?
 */
import { StatefulSet } from "@drover/api/apps/v1";
import type { ControllerRevision } from "@drover/api/apps/v1";
import { schemaFor } from "@drover/api/schemas";
import { compareBytes, definedOnly, newControllerRef, semanticEqual } from "@drover/machinery";
import type { DeepReadonly, GroupVersionKind, KubeObject, Schema } from "@drover/machinery";
import { canonicalHash } from "../shared/canonical-hash.ts";

/** A read-only revision. */
export type RevisionView = DeepReadonly<ControllerRevision>;

/** Label with the hash in a revision's name. */
export const revisionHashLabel = "controller.kubernetes.io/hash";

/** Pod label with the hash of its revision. */
export const podRevisionLabel = "controller-revision-hash";

/** Content of a new revision. */
export interface NewRevision {
  readonly owner: DeepReadonly<KubeObject>;
  readonly ownerKind: GroupVersionKind;
  /** Labels of the template: the owner's selector finds revisions as it finds pods. */
  readonly labels: Readonly<Record<string, string>>;
  /** Labels whose value is the hash. @default `controller.kubernetes.io/hash` */
  readonly hashLabels?: readonly string[];
  /** @default none */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Strategic merge patch that restores this revision on the owner. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Revision number. */
  readonly revision: number;
  /** Number of name collisions so far. @default no collision, and none in the hash */
  readonly collisionCount?: number;
}

/** Leaves room in 253 characters for the hash, at most ten. */
const prefixLengthMax = 223;

/** The owner's name, a dash and the hash. */
export function revisionName(owner: string, hash: string): string {
  return `${owner.slice(0, prefixLengthMax)}-${hash}`;
}

/** Builds the revision to create, named after its owner and a hash of its data. */
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
  // Includes the kind: a DaemonSet and a StatefulSet of one name and one template would otherwise share a revision, and the first
  // to be deleted would take it along.
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
 * Sorts fields at every depth. The server keeps data as received bytes but sorts fields when it patches, and rejects that as a
 * change of an immutable revision.
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

// Every workload with a history stores its pod template, which has the same schema in all of them.
const schema: Schema | undefined = schemaFor(StatefulSet);

/** Whether both restore the same template: quantities compare by value, an empty list equals a missing one. */
export function equalRevisions(a: Pick<RevisionView, "data">, b: Pick<RevisionView, "data">): boolean {
  return semanticEqual(a.data, b.data, schema);
}
