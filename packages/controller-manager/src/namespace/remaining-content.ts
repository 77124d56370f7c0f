/** What is left in a terminating namespace, and which finalizers hold it. */
import { printGroupVersionResource } from "@drover/machinery";
import type { DeepReadonly, Kind, KubeObject } from "@drover/machinery";

/** Remaining objects of one kind. */
export interface RemainingKind {
  readonly kind: Pick<Kind, "group" | "version" | "plural">;
  readonly count: number;
  /** Number of objects that each finalizer holds. */
  readonly finalizers: ReadonlyMap<string, number>;
}

/** Result of deleting a namespace's content. */
export interface ContentOutcome {
  /** Seconds until the rest may be gone; 0 when nothing is known to take time. */
  readonly estimateSeconds: number;
  /** Kinds with remaining objects. */
  readonly remaining: readonly RemainingKind[];
  /** Errors of the deletion. */
  readonly contentErrors: readonly unknown[];
  /** Why not all kinds are known. @default all are */
  readonly discoveryError?: unknown;
}

/** Seconds granted to an object with a finalizer. */
const finalizerEstimateSeconds = 15;

export function remainingKind(kind: RemainingKind["kind"], items: readonly DeepReadonly<KubeObject>[]): RemainingKind {
  const finalizers = new Map<string, number>();
  for (const { metadata } of items)
    for (const finalizer of metadata.finalizers ?? []) finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
  return { kind, count: items.length, finalizers };
}

/**
 * Returns how long the rest may take: the grace period, or the estimate for finalizers. Undefined when nothing explains why objects
 * are left.
 */
export function remainingEstimate({ count, finalizers }: RemainingKind, graceSeconds: number): number | undefined {
  if (count === 0) return 0;
  if (graceSeconds !== 0) return graceSeconds;
  return finalizers.size > 0 ? finalizerEstimateSeconds : undefined;
}

/** In kube-controller-manager's words. */
export class UnexpectedItemsError extends Error {
  override readonly name = "UnexpectedItemsError";

  constructor(namespace: string, { group, version, plural }: RemainingKind["kind"]) {
    super(
      `unexpected items still remain in namespace: ${namespace} for gvr: ${printGroupVersionResource({ group, version, resource: plural })}`,
    );
  }
}
