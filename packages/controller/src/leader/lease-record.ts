/**
 * Reads the holder of a Lease and builds the three changes: acquire, renew, release. Keeps foreign fields.
 *
 *     lease-state → claimedLease, releasedLease → the body of a create or an update
 */
import type { Lease } from "@drover/api/coordination/v1";
import { formatMicroTime, jsonEqual, millisToMicros } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";

/** Identity and settings that are written to the lease. */
export interface LeaseClaim {
  /** Namespace and name of the lease. */
  readonly lease: { readonly namespace: string; readonly name: string };
  /** Name of this process in the lease; no other process has or had the same. */
  readonly identity: string;
  /** How long others must wait, in seconds. */
  readonly durationSeconds: number;
  /** Labels set with every write; other labels stay. */
  readonly labels: Readonly<Record<string, string>>;
}

/** Returns the holder; empty if there is none. */
export function holderOf(lease: DeepReadonly<Lease> | undefined): string {
  return lease?.spec?.holderIdentity ?? "";
}

/** Returns the duration of the lease; `fallbackMs` if it is missing or invalid. */
export function durationMsOf(lease: DeepReadonly<Lease>, fallbackMs: number): number {
  const seconds = lease.spec?.leaseDurationSeconds ?? 0;
  return seconds > 0 ? seconds * 1000 : fallbackMs;
}

/** Returns how often the holder has changed. */
export function transitionsOf(lease: DeepReadonly<Lease> | undefined): number {
  return lease?.spec?.leaseTransitions ?? 0;
}

/** Reports whether two versions have the same spec; their metadata may differ. */
export function sameRecord(a: DeepReadonly<Lease>, b: DeepReadonly<Lease>): boolean {
  return jsonEqual(a.spec ?? {}, b.spec ?? {});
}

/**
 * Returns the lease with us as holder: renewed if it was ours, otherwise with one more transition. `before` is undefined if it does not
 * exist.
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

/** Returns the same as a new object. `gone` is the last known state of a deleted lease; its transitions continue. */
export function newLease(gone: DeepReadonly<Lease> | undefined, wallMs: number, claim: LeaseClaim): DeepReadonly<Lease> {
  return written(undefined, claim, claimedLease(gone, wallMs, claim).spec);
}

/** Returns the lease without a holder, free for the next candidate. */
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
