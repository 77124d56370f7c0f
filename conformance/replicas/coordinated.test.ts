/**
 * Coordinated leader election on a real API server with the feature gate: the server chooses among our candidates. The rules are
 * the server's; these tests show that our candidates register, answer, take and leave the lease as it expects.
 */
import { Namespace } from "@drover/api/core/v1";
import { Lease } from "@drover/api/coordination/v1";
import { LeaderElector } from "@drover/controller";
import { poll } from "@drover/machinery";
import { connect, nodeRuntime } from "drover";
import type { Connection } from "drover";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { realServerMissing, startRealServer } from "../servers/real-server.ts";
import type { RealServer } from "../servers/real-server.ts";

const runtime = nodeRuntime({ write: () => undefined });
const timing = { leaseDurationMs: 5000, renewDeadlineMs: 3500, retryPeriodMs: 1000 };
const name = "web";

interface Candidate {
  readonly elector: LeaderElector;
  readonly network: { isCut: boolean };
  readonly stop: AbortController;
  readonly over: Promise<void>;
}

describe("coordinated leader election on a real API server", { timeout: 120_000 }, () => {
  let server: RealServer;
  let admin: Connection;
  const candidates = new Map<string, Candidate>();

  beforeAll(async () => {
    if (realServerMissing !== undefined) return;
    server = await startRealServer({
      flags: ["--feature-gates=CoordinatedLeaderElection=true", "--runtime-config=coordination.k8s.io/v1beta1=true"],
    });
    admin = await connect({ kubeconfig: server.kubeconfig, namespace: "shop", runtime });
    await admin.client.create(Namespace, { metadata: { name: "shop" } });
  }, 120_000);
  afterAll(async () => {
    if (realServerMissing !== undefined) return;
    for (const { stop } of candidates.values()) stop.abort();
    await Promise.all([...candidates.values()].map(({ over }) => over));
    await server.stop();
  }, 60_000);
  beforeEach((ctx) => {
    if (realServerMissing !== undefined) ctx.skip(realServerMissing);
  });

  async function stand(identity: string, binaryVersion: string): Promise<void> {
    const network = { isCut: false };
    const { client } = await connect({
      kubeconfig: server.kubeconfig,
      namespace: "shop",
      runtime,
      transport: { wrappers: [(next) => (request) => (network.isCut ? new Promise(() => undefined) : next(request))] },
    });
    const elector = new LeaderElector({
      runtime,
      client,
      ...timing,
      lease: { namespace: "shop", name },
      identity,
      coordinated: { binaryVersion },
      onStartedLeading: (signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true })),
    });
    const stop = new AbortController();
    candidates.set(identity, { elector, network, stop, over: elector.run(stop.signal) });
  }

  const leaders = (): string[] => [...candidates].filter(([, { elector }]) => elector.isLeader).map(([identity]) => identity);

  /** Resolves when this candidate leads, and no other. Throws if two lead at any time. */
  const leads = (identity: string): Promise<void> =>
    poll(runtime.clock, { interval: 50, timeout: 60_000 }, () => {
      expect(leaders().length).toBeLessThan(2);
      return leaders()[0] === identity;
    });

  it("gives the lease to the oldest version, and to the next oldest when the leader vanishes or stops", async () => {
    await stand("middle", "1.5.0");
    await leads("middle");
    // An older one joins: the server prefers it, and the leader makes way.
    await stand("oldest", "1.4.0");
    await stand("newest", "1.6.0");
    await leads("oldest");
    const { spec } = await admin.client.get(Lease, name);
    expect(spec).toMatchObject({ holderIdentity: "oldest", strategy: "OldestEmulationVersion" });
    const vanished = candidates.get("oldest");
    if (vanished !== undefined) vanished.network.isCut = true;
    await leads("middle");
    candidates.get("middle")?.stop.abort();
    await leads("newest");
  });
});
