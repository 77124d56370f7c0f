/** What is left in a namespace that is being deleted, and who holds it. */
import { printGroupVersionResource } from "@drover/machinery";
import type { DeepReadonly, Kind, KubeObject } from "@drover/machinery";

/** What is left of one kind. */
export interface RemainingKind {
  readonly kind: Pick<Kind, "group" | "version" | "plural">;
  readonly count: number;
  /** How many of them each finalizer holds. */
  readonly finalizers: ReadonlyMap<string, number>;
}

/** What became of the content of a namespace. */
export interface ContentOutcome {
  /** How many seconds it may take until what is left is gone; 0 when nothing is known to take time. */
  readonly estimateSeconds: number;
  /** Kinds of which something is left. */
  readonly remaining: readonly RemainingKind[];
  /** What went wrong while it was deleted. */
  readonly contentErrors: readonly unknown[];
  /** Why not all kinds are known. @default they are */
  readonly discoveryError?: unknown;
}

/** How long something with a finalizer is given, in seconds. */
const finalizerEstimateSeconds = 15;

export function remainingKind(kind: RemainingKind["kind"], items: readonly DeepReadonly<KubeObject>[]): RemainingKind {
  const finalizers = new Map<string, number>();
  for (const { metadata } of items)
    for (const finalizer of metadata.finalizers ?? []) finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
  return { kind, count: items.length, finalizers };
}

/** How long what is left may take: as long as was said, or as finalizers do. Undefined when nothing explains why it is still there. */
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
