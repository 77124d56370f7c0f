/**
 * What a Lease says about who leads, and the three ways we change it: claim, renew, release. Fields that are not ours are kept.
 *
 *     lease-state → claimedLease, releasedLease → the body of a create or an update
 */
import type { Lease } from "@drover/api/coordination/v1";
import { formatMicroTime, jsonEqual, millisToMicros } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";

/** Who we are and what we write. */
export interface LeaseClaim {
  /** Where the lease is. */
  readonly lease: { readonly namespace: string; readonly name: string };
  /** What the record calls us. No other process, now or earlier, has the same. */
  readonly identity: string;
  /** How long others are to wait. */
  readonly durationSeconds: number;
  /** Put on the lease with every write; labels of other names stay. */
  readonly labels: Readonly<Record<string, string>>;
}

/** Who holds it; empty when nobody does. */
export function holderOf(lease: DeepReadonly<Lease> | undefined): string {
  return lease?.spec?.holderIdentity ?? "";
}

/** How long the holder may count on it; `fallbackMs` where the record does not say, or says nothing that makes sense. */
export function durationMsOf(lease: DeepReadonly<Lease>, fallbackMs: number): number {
  const seconds = lease.spec?.leaseDurationSeconds ?? 0;
  return seconds > 0 ? seconds * 1000 : fallbackMs;
}

/** How often the lease has changed hands. */
export function transitionsOf(lease: DeepReadonly<Lease> | undefined): number {
  return lease?.spec?.leaseTransitions ?? 0;
}

/** Whether two versions say the same about who leads; their metadata may differ. */
export function sameRecord(a: DeepReadonly<Lease>, b: DeepReadonly<Lease>): boolean {
  return jsonEqual(a.spec ?? {}, b.spec ?? {});
}

/**
 * The lease with us as the holder: as a renewal when it was ours before, else as a change of hands, which is counted.
 * `before` is undefined when there is none.
 */
export function claimedLease(before: DeepReadonly<Lease> | undefined, wallMs: number, claim: LeaseClaim): DeepReadonly<Lease> {
  const now = formatMicroTime(millisToMicros(wallMs));
  const isOurs = holderOf(before) === claim.identity;
  const changedHands = before !== undefined && !isOurs;
  return written(before, claim, {
    holderIdentity: claim.identity,
    leaseDurationSeconds: claim.durationSeconds,
    acquireTime: (isOurs ? before?.spec?.acquireTime : undefined) ?? now,
    renewTime: now,
    leaseTransitions: transitionsOf(before) + (changedHands ? 1 : 0),
  });
}

/** The same as an object of its own, to be created: `gone` is what was last seen of one that has been deleted, whose count goes on. */
export function newLease(gone: DeepReadonly<Lease> | undefined, wallMs: number, claim: LeaseClaim): DeepReadonly<Lease> {
  return written(undefined, claim, claimedLease(gone, wallMs, claim).spec);
}

/** The lease without a holder, for whoever comes first. */
export function releasedLease(before: DeepReadonly<Lease>, wallMs: number, claim: LeaseClaim): DeepReadonly<Lease> {
  const now = formatMicroTime(millisToMicros(wallMs));
  return written(before, claim, {
    holderIdentity: "",
    leaseDurationSeconds: 1,
    acquireTime: now,
    renewTime: now,
    leaseTransitions: transitionsOf(before),
  });
}

function written(
  before: DeepReadonly<Lease> | undefined,
  { lease: { namespace, name }, labels }: LeaseClaim,
  spec: DeepReadonly<Lease["spec"]>,
): DeepReadonly<Lease> {
  const allLabels = { ...before?.metadata.labels, ...labels };
  return {
    ...before,
    metadata: { ...before?.metadata, namespace, name, ...(Object.keys(allLabels).length === 0 ? {} : { labels: allLabels }) },
    spec: { ...before?.spec, ...spec },
  };
}
