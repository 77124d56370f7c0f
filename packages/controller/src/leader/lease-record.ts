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

/** A longer duration than this multiple of our own is a mistake of an editor; to honour it could mean to wait for years. */
const durationFactorMax = 10;

/** Returns how long to wait for the holder: the duration of the lease, at least our own; our own if it is missing or absurd. */
export function durationMsOf(lease: DeepReadonly<Lease>, ownMs: number): number {
  const ms = wholeNumber(lease.spec?.leaseDurationSeconds) * 1000;
  return ms > ownMs && ms <= durationFactorMax * ownMs ? ms : ownMs;
}

/** Returns a field that should be a number; 0 for anything else, such as a bigint, which a server that does not validate may send. */
const wholeNumber = (value: unknown): number => (typeof value === "number" && Number.isSafeInteger(value) ? value : 0);

/** Maximum value of the field: 2^31−1. */
const transitionsMax = 2 ** 31 - 1;

/** Returns how often the holder has changed; 0 for a number that cannot grow any more. */
export function transitionsOf(lease: DeepReadonly<Lease> | undefined): number {
  const transitions = wholeNumber(lease?.spec?.leaseTransitions);
  return transitions >= 0 && transitions < transitionsMax ? transitions : 0;
}

/**
 * Reports whether the holder itself released the lease. Ours and client-go's release write a duration of one second and the same time
 * twice; a person who clears the holder changes only that field.
 */
export function isReleased(lease: DeepReadonly<Lease>): boolean {
  const { leaseDurationSeconds, acquireTime, renewTime } = lease.spec ?? {};
  return holderOf(lease) === "" && leaseDurationSeconds === 1 && renewTime !== undefined && acquireTime === renewTime;
}

/** Reports whether the lease was made without a holder, and never had one. */
export function isUnused(lease: DeepReadonly<Lease>): boolean {
  const { acquireTime, renewTime, leaseTransitions } = lease.spec ?? {};
  return holderOf(lease) === "" && acquireTime === undefined && renewTime === undefined && (leaseTransitions ?? 0) === 0;
}

/** Reports whether two reads returned the same stored version, so that nothing was written in between. */
export function sameVersion(a: DeepReadonly<Lease>, b: DeepReadonly<Lease>): boolean {
  const { uid, resourceVersion } = a.metadata;
  return resourceVersion === b.metadata.resourceVersion && uid === b.metadata.uid && sameRecord(a, b);
}

/** Reports whether two versions have the same spec; their metadata may differ. */
export function sameRecord(a: DeepReadonly<Lease>, b: DeepReadonly<Lease>): boolean {
  return jsonEqual(a.spec ?? {}, b.spec ?? {});
}

/**
 * Returns the lease with us as holder: renewed if it was ours, otherwise with one more transition. `before` is undefined if it does not
 * exist. @param transitionsMin - transitions that were seen before; an editor may have set the field back
 */
export function claimedLease(
  before: DeepReadonly<Lease> | undefined,
  wallMs: number,
  claim: LeaseClaim,
  transitionsMin = 0,
): DeepReadonly<Lease> {
  const now = formatMicroTime(millisToMicros(wallMs));
  const isOurs = holderOf(before) === claim.identity;
  // A server that assigns leases clears the time of acquisition, and leaves the transitions to us.
  const changedHands = before !== undefined && (!isOurs || before.spec?.acquireTime === undefined);
  return written(before, claim, {
    holderIdentity: claim.identity,
    leaseDurationSeconds: claim.durationSeconds,
    acquireTime: (isOurs ? before?.spec?.acquireTime : undefined) ?? now,
    renewTime: now,
    leaseTransitions: Math.max(transitionsOf(before), transitionsMin) + (changedHands ? 1 : 0),
  });
}

/** Returns the same as a new object. `gone` is the last known state of a deleted lease; its transitions continue. */
export function newLease(
  gone: DeepReadonly<Lease> | undefined,
  wallMs: number,
  claim: LeaseClaim,
  transitionsMin = 0,
): DeepReadonly<Lease> {
  return written(undefined, claim, claimedLease(gone, wallMs, claim, transitionsMin).spec);
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
