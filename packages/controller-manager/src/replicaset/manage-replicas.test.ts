import { newForbidden, newNotFound, newTimeoutError, objectKeyOf } from "@drover/machinery";
import type { Status } from "@drover/machinery";
import { Expectations } from "@drover/patterns";
import { describe, expect, it } from "vitest";
import { echoServer } from "../testing/echo-server.ts";
import { recordingEvents } from "../testing/recording-events.ts";
import { pod, replicaSet, start } from "../testing/workload-objects.ts";
import type { PodView } from "../shared/pod-state.ts";
import { manageReplicas } from "./manage-replicas.ts";
import type { ManageOutcome } from "./manage-replicas.ts";

const pods = { group: "", resource: "pods" };
const terminating: Status = {
  ...newForbidden(pods, "", "it is being terminated"),
  details: { causes: [{ reason: "NamespaceTerminating" }] },
};
const many = (count: number): readonly PodView[] => Array.from({ length: count }, (_, index) => pod({ name: `p${index}` }));

interface Managed {
  readonly outcome: ManageOutcome;
  readonly requests: readonly string[];
  readonly told: readonly string[];
  readonly expectations: Expectations;
}

interface ManagedOptions {
  readonly burst?: number;
  readonly refuse?: (what: string, count: number) => Status | undefined;
  /** Expectations of an earlier sync. */
  readonly earlier?: Expectations;
}

const key = objectKeyOf(replicaSet());

async function managed(
  replicas: number,
  active: readonly PodView[],
  { burst = 500, refuse, earlier }: ManagedOptions = {},
): Promise<Managed> {
  const [server, events] = [echoServer(refuse), recordingEvents()];
  const expectations = earlier ?? new Expectations({ clock: server.clock });
  const outcome = await manageReplicas(replicaSet({ replicas }), active, {
    control: { client: server.client, events, signal: new AbortController().signal },
    expectations,
    burst,
    related: () => [],
    now: start,
  });
  return { outcome, requests: server.requests(), told: events.told, expectations };
}

describe("manageReplicas", () => {
  it("R001: does nothing when the number is right", async () => {
    expect(await managed(2, many(2))).toMatchObject({ outcome: {}, requests: [] });
  });

  it("R004, R014: creates up to a burst and expects the pods", async () => {
    const { requests, expectations } = await managed(30, [], { burst: 5 });
    expect(requests).toEqual(Array.from({ length: 5 }, () => "POST pods"));
    for (let seen = 0; seen < 5; seen++) {
      expect(expectations.satisfied(key)).toBe(false);
      expectations.creationObserved(key);
    }
    expect(expectations.satisfied(key)).toBe(true);
    expect((await managed(2, [], { burst: 3 })).requests).toHaveLength(2);
  });

  it("R003: stops creating after a failure and does not expect the others", async () => {
    const refused = newForbidden(pods, "", "exceeded quota");
    const { outcome, requests, expectations } = await managed(100, [], { refuse: (_what, count) => (count > 10 ? refused : undefined) });
    expect(requests).toHaveLength(15);
    expect((outcome.error as Error).message).toContain("exceeded quota");
    for (let seen = 0; seen < 10; seen++) expectations.creationObserved(key);
    expect(expectations.satisfied(key)).toBe(true);
  });

  it.each([
    [0, 1],
    [5, 7],
    [10, 10],
  ])("R026: of ten, with quota for %i, requests %i", async (room, calls) => {
    const { requests } = await managed(10, [], {
      refuse: (_what, count) => (count > room ? newForbidden(pods, "", "exceeded quota") : undefined),
    });
    expect(requests).toHaveLength(calls);
  });

  it("R014: deletes up to a burst and expects each deletion", async () => {
    const { requests, expectations } = await managed(0, many(12), { burst: 5 });
    expect(requests).toEqual(["DELETE pods/p0", "DELETE pods/p1", "DELETE pods/p2", "DELETE pods/p3", "DELETE pods/p4"]);
    for (const name of ["other", "p0", "p1", "p2", "p3"]) expectations.deletionObserved(key, `shop/${name}`);
    expect(expectations.satisfied(key)).toBe(false);
    expectations.deletionObserved(key, "shop/p4");
    expect(expectations.satisfied(key)).toBe(true);
  });

  it("does not expect failed deletions; returns the first failure, ignoring pods that are gone", async () => {
    const refuse = (what: string): Status => (what === "DELETE pods/p0" ? newNotFound(pods, "p0") : newForbidden(pods, what, "no"));
    const { outcome, expectations, told } = await managed(0, many(3), { refuse });
    expect((outcome.error as Error).message).toContain("DELETE pods/p1");
    expect(expectations.satisfied(key)).toBe(true);
    expect(told).toHaveLength(2);
    expect(await managed(0, many(1), { refuse })).toMatchObject({ outcome: {}, told: [] });
  });

  it("repeats a deletion with an unknown outcome instead of deleting another pod", async () => {
    const [old, young] = [pod({ name: "old", node: "a", readyFor: 100 }), pod({ name: "young", node: "a", readyFor: 9 })];
    const { requests, expectations } = await managed(1, [old, young], { refuse: () => newTimeoutError("the request timed out", 1) });
    expect([requests, expectations.satisfied(key)]).toEqual([["DELETE pods/young"], true]);
    const unready = pod({ name: "old", node: "a" });
    expect((await managed(1, [unready, young], { earlier: expectations })).requests).toEqual(["DELETE pods/young"]);
    expect((await managed(0, [unready, young])).requests).toHaveLength(2);
    expectations.deletionObserved(key, "shop/young");
    expect((await managed(1, [unready, young], { earlier: expectations })).requests).toEqual(["DELETE pods/old"]);
  });

  it("ignores failures in a terminating namespace", async () => {
    expect(await managed(1, [], { refuse: () => terminating })).toMatchObject({ outcome: {}, told: [] });
  });
});
