import { createClient } from "@drover/client";
import { jsonResponse, statusResponse } from "@drover/client/testing";
import type { Lease } from "@drover/api/coordination/v1";
import { newConflict, newNotFound } from "@drover/machinery";
import type { HttpRequest, HttpResponse, Transport } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { LeaderElector } from "./leader-elector.ts";
import type { LeaderElectorOptions } from "./leader-elector.ts";
import type { LeaseCandidate } from "./lease-candidate.ts";
import { LeaseServer } from "./testing/lease-server.ts";

const resource = { group: "coordination.k8s.io", resource: "leasecandidates" };

/** A server of leases and of the candidate "me", and an elector on it. */
function rig({ isServed = true, ...more }: Partial<LeaderElectorOptions> & { readonly isServed?: boolean } = {}) {
  const clock = new ManualClock();
  const runtime = testRuntime({ clock });
  const leases = new LeaseServer();
  const state: { candidate: LeaseCandidate | undefined; version: number } = { candidate: undefined, version: 0 };
  const requests: string[] = [];
  const store = (candidate: LeaseCandidate): HttpResponse => {
    state.candidate = { ...candidate, metadata: { ...candidate.metadata, resourceVersion: String(++state.version) } };
    return jsonResponse(state.candidate);
  };
  const candidates = ({ method, body }: HttpRequest): HttpResponse => {
    const { candidate } = state;
    requests.push(method);
    if (!isServed) return statusResponse(newNotFound(resource, "me"));
    const given = typeof body === "string" && body !== "" ? (JSON.parse(body) as LeaseCandidate) : undefined;
    if (method === "POST" && given !== undefined) return store(given);
    if (candidate === undefined) return statusResponse(newNotFound(resource, "me"));
    if (method === "DELETE") state.candidate = undefined;
    if (method !== "PUT" || given === undefined) return jsonResponse(candidate);
    if (given.metadata.resourceVersion !== candidate.metadata.resourceVersion)
      return statusResponse(newConflict(resource, "me", "changed"));
    return store(given);
  };
  const network = { isCut: false };
  const transport: Transport = (request) =>
    network.isCut
      ? new Promise(() => undefined)
      : request.path.includes("leasecandidates")
        ? Promise.resolve(candidates(request))
        : leases.transport(request);
  const events: string[] = [];
  const elector = new LeaderElector({
    runtime,
    client: createClient({ transport, clock, log: runtime.log, namespace: "shop" }),
    lease: { namespace: "shop", name: "web" },
    identity: "me",
    coordinated: { binaryVersion: "1.4.0" },
    onStartedLeading: (signal) =>
      new Promise((resolve) => {
        events.push("started");
        signal.addEventListener("abort", () => {
          events.push(String((signal.reason as Error | undefined)?.message));
          resolve();
        });
      }),
    ...more,
  });
  const stop = new AbortController();
  const run = async (): Promise<void> => {
    void elector.run(stop.signal);
    await clock.settle();
  };
  /** Does what kube-apiserver does when it has chosen a candidate. */
  const assign = (holder: string, spec: Partial<Lease["spec"]> = {}): void =>
    leases.put({ holderIdentity: holder, leaseDurationSeconds: 5, renewTime: "2026-01-01T00:00:00.000000Z", strategy: "X", ...spec });
  return { clock, leases, network, state, requests, elector, events, stop, run, assign, runtime };
}

describe("LeaseCandidacy", () => {
  it("registers the versions and the strategy, and deletes the candidate on stop", async () => {
    const { clock, state, run, stop } = rig();
    await run();
    expect(state.candidate).toMatchObject({
      metadata: { name: "me", namespace: "shop" },
      spec: { leaseName: "web", binaryVersion: "1.4.0", emulationVersion: "1.4.0", strategy: "OldestEmulationVersion" },
    });
    stop.abort();
    await clock.settle();
    expect(state.candidate).toBeUndefined();
  });

  it("answers a ping within two seconds, even if the server's clock is ahead", async () => {
    const { clock, state, run } = rig();
    await run();
    const pingTime = "2026-01-01T01:00:00.000000Z";
    const { candidate } = state;
    state.candidate = { ...candidate, metadata: { ...candidate?.metadata, resourceVersion: "9" } };
    Object.assign(state.candidate, { spec: { ...candidate?.spec, pingTime } });
    await clock.advance(2000);
    expect(state.candidate.spec?.renewTime).toBe(pingTime);
  });

  it("renews without a ping every five minutes, and not more often", async () => {
    const { clock, requests, run } = rig();
    await run();
    await clock.advance(11 * 60_000);
    expect(requests.filter((method) => method === "PUT").length).toBe(2);
  });

  it("registers again when the candidate was deleted", async () => {
    const { clock, state, run } = rig();
    await run();
    state.candidate = undefined;
    await clock.advance(2000);
    expect(state.candidate).toBeDefined();
  });

  it("says what to do when the server does not serve the kind, and leads nothing", async () => {
    const { clock, elector, leases, run } = rig({ isServed: false });
    await run();
    await clock.advance(60_000);
    expect(elector.candidateProblem).toContain("--feature-gates=CoordinatedLeaderElection=true");
    expect([elector.isLeader, leases.lease]).toEqual([false, undefined]);
  });

  it.each([
    [{ coordinated: { binaryVersion: "v1.4.0" } }, "coordinated.binaryVersion must be a semantic version"],
    [{ coordinated: { binaryVersion: "1.4.0", emulationVersion: "1.10.0" } }, "must not be newer than binaryVersion"],
    [{ coordinated: { binaryVersion: "1.4.0", strategy: "Newest" } }, 'must be "OldestEmulationVersion"'],
    [{ identity: "a/b" }, "is the name of the LeaseCandidate"],
    [{ retryPeriodMs: 3000 }, "retryPeriodMs, 3000, must be at most 2500"],
  ])("rejects %j", (options, message) => {
    expect(() => rig(options)).toThrow(message);
  });
});

describe("LeaderElector with coordinated", () => {
  it("leads only when the server has assigned the lease, and renews it with its own duration", async () => {
    const { clock, leases, elector, events, run, assign } = rig();
    await run();
    await clock.advance(60_000);
    expect([leases.lease, elector.isLeader]).toEqual([undefined, false]);
    assign("other");
    await clock.advance(60_000);
    expect(elector.isLeader).toBe(false);
    assign("me");
    await clock.advance(2000);
    expect([elector.isLeader, events]).toEqual([true, ["started"]]);
    expect(leases.lease?.spec).toMatchObject({ holderIdentity: "me", leaseDurationSeconds: 15, leaseTransitions: 1, strategy: "X" });
    await clock.advance(60_000);
    expect([elector.isLeader, events]).toEqual([true, ["started"]]);
  });

  it("stops for a preferred holder, and lets the lease expire", async () => {
    const { clock, leases, elector, events, run, assign } = rig();
    await run();
    assign("me");
    await clock.advance(2000);
    leases.put({ ...leases.lease?.spec, preferredHolder: "old" });
    await clock.advance(2000);
    expect([elector.isLeader, events[1]]).toEqual([false, expect.stringContaining("the server prefers old")]);
    const { renewTime } = leases.lease?.spec ?? {};
    await clock.advance(30_000);
    expect([leases.lease?.spec?.renewTime, elector.isLeader]).toEqual([renewTime, false]);
  });

  it("stops when the lease was deleted: the server may assign it to another at once", async () => {
    const { clock, leases, elector, run, assign } = rig();
    await run();
    assign("me");
    await clock.advance(2000);
    leases.put(undefined);
    await clock.advance(2000);
    expect([elector.isLeader, leases.lease]).toEqual([false, undefined]);
  });

  it("does not renew a lease that has expired in its name, until the server assigns it again", async () => {
    const { clock, leases, network, elector, run, assign } = rig();
    await run();
    assign("me");
    await clock.advance(2000);
    network.isCut = true;
    await clock.advance(20_000);
    network.isCut = false;
    await clock.advance(20_000);
    expect([elector.isLeader, leases.lease?.spec?.holderIdentity]).toEqual([false, "me"]);
    assign("me", { renewTime: "2026-01-01T00:01:00.000000Z", leaseTransitions: 1 });
    await clock.advance(2000);
    expect([elector.isLeader, leases.lease?.spec?.leaseTransitions]).toEqual([true, 2]);
  });

  it("clears the holder when it stops, so that the server can choose the next", async () => {
    const { clock, leases, run, assign, stop } = rig();
    await run();
    assign("me");
    await clock.advance(2000);
    stop.abort();
    await clock.advance(2000);
    expect(leases.lease?.spec).toMatchObject({ holderIdentity: "", leaseDurationSeconds: 1, strategy: "X" });
  });
});
