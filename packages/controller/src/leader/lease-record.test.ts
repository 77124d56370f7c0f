import type { Lease } from "@drover/api/coordination/v1";
import { deepFreeze } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { claimedLease, durationMsOf, holderOf, isReleased, newLease, releasedLease, sameRecord, transitionsOf } from "./lease-record.ts";
import type { LeaseClaim } from "./lease-record.ts";

const claim: LeaseClaim = { lease: { namespace: "shop", name: "web" }, identity: "me", durationSeconds: 15, labels: {} };
const now = Date.UTC(2026, 0, 1);
const nowText = "2026-01-01T00:00:00.000000Z";

function leaseOf(spec: Lease["spec"], metadata: Partial<Lease["metadata"]> = {}): Lease {
  return deepFreeze({
    metadata: { name: "web", namespace: "shop", resourceVersion: "7", ...metadata },
    ...(spec === undefined ? {} : { spec }),
  }) as Lease;
}

describe("lease record", () => {
  // Found by fuzzing: a bigint threw a TypeError, which ended the election.
  it.each([2n ** 62n, "15", 0.5, null, {}, Infinity, 1e300])("ignores a duration and transitions that are %s", (value) => {
    const lease = leaseOf({ leaseDurationSeconds: value, leaseTransitions: value } as unknown as Lease["spec"]);
    expect([durationMsOf(lease, 15_000), transitionsOf(lease)]).toEqual([15_000, 0]);
    expect(claimedLease(lease, now, claim).spec?.leaseTransitions).toBe(1);
  });

  it("is released by what ours and client-go's release write, not by a cleared holder (SEC8)", () => {
    const released = { holderIdentity: "", leaseDurationSeconds: 1, acquireTime: nowText, renewTime: nowText };
    expect(isReleased(leaseOf(released))).toBe(true);
    for (const spec of [
      { ...released, leaseDurationSeconds: 15 },
      { ...released, acquireTime: "2025-01-01T00:00:00.000000Z" },
      { holderIdentity: "" },
      {},
    ])
      expect(isReleased(leaseOf(spec))).toBe(false);
  });

  it("has no holder and our own duration where the spec is empty, too short or absurd", () => {
    for (const lease of [leaseOf(undefined), leaseOf({})])
      expect([holderOf(lease), transitionsOf(lease), durationMsOf(lease, 15_000)]).toEqual(["", 0, 15_000]);
    expect([holderOf(undefined), transitionsOf(undefined)]).toEqual(["", 0]);
    expect([
      durationMsOf(leaseOf({ leaseDurationSeconds: 3 }), 15_000),
      durationMsOf(leaseOf({ leaseDurationSeconds: -3 }), 15_000),
      durationMsOf(leaseOf({ leaseDurationSeconds: 150 }), 15_000),
      durationMsOf(leaseOf({ leaseDurationSeconds: 151 }), 15_000),
    ]).toEqual([15_000, 15_000, 150_000, 15_000]);
  });

  it("is the same for any metadata", () => {
    expect(
      sameRecord(leaseOf({ holderIdentity: "a" }), leaseOf({ holderIdentity: "a" }, { resourceVersion: "8", labels: { a: "b" } })),
    ).toBe(true);
    expect(sameRecord(leaseOf({ holderIdentity: "a" }), leaseOf({ holderIdentity: "a", renewTime: nowText }))).toBe(false);
  });

  it("claimedLease takes it from another with one more transition and a new acquireTime", () => {
    expect(
      claimedLease(
        leaseOf({ holderIdentity: "other", leaseTransitions: 4, acquireTime: "1999-01-01T00:00:00.000000Z", leaseDurationSeconds: 3 }),
        now,
        claim,
      ),
    ).toEqual({
      metadata: { name: "web", namespace: "shop", resourceVersion: "7" },
      spec: { holderIdentity: "me", leaseDurationSeconds: 15, acquireTime: nowText, renewTime: nowText, leaseTransitions: 5 },
    });
  });

  it("claimedLease renews it without either", () => {
    const { spec } = claimedLease(
      leaseOf({ holderIdentity: "me", leaseTransitions: 4, acquireTime: "1999-01-01T00:00:00.000000Z" }),
      now,
      claim,
    );
    expect(spec).toEqual({
      holderIdentity: "me",
      leaseDurationSeconds: 15,
      acquireTime: "1999-01-01T00:00:00.000000Z",
      renewTime: nowText,
      leaseTransitions: 4,
    });
  });

  it("newLease continues the transitions of a deleted lease, without its metadata", () => {
    expect(newLease(undefined, now, claim).spec?.leaseTransitions).toBe(0);
    expect(newLease(leaseOf({ holderIdentity: "other", leaseTransitions: 4 }, { uid: "u" }), now, claim)).toMatchObject({
      metadata: { name: "web", namespace: "shop" },
      spec: { leaseTransitions: 5 },
    });
    expect(newLease(leaseOf({ holderIdentity: "other" }, { uid: "u" }), now, claim).metadata).toEqual({ name: "web", namespace: "shop" });
  });

  it("releasedLease has no holder, lasts one second, and keeps the transitions", () => {
    expect(releasedLease(leaseOf({ holderIdentity: "me", leaseTransitions: 4, leaseDurationSeconds: 15 }), now, claim).spec).toEqual({
      holderIdentity: "",
      leaseDurationSeconds: 1,
      acquireTime: nowText,
      renewTime: nowText,
      leaseTransitions: 4,
    });
  });

  it("keeps foreign labels and fields, and gets ours", () => {
    const before = leaseOf({ holderIdentity: "me", strategy: "OldestEmulationVersion" }, { labels: { theirs: "1", ours: "old" } });
    const after = claimedLease(before, now, { ...claim, labels: { ours: "new" } });
    expect([after.metadata.labels, after.spec?.strategy]).toEqual([{ theirs: "1", ours: "new" }, "OldestEmulationVersion"]);
    expect(releasedLease(before, now, claim).metadata.labels).toEqual({ theirs: "1", ours: "old" });
  });
});
