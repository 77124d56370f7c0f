/** Leader election on an API server: the server accepts its writes, the lease is handed over, and a fenced write is not sent. */
import { ConfigMap, Namespace } from "@drover/api/core/v1";
import { Lease } from "@drover/api/coordination/v1";
import { createClient } from "@drover/client";
import { LeaderElector, isFenced } from "@drover/controller";
import { isNotFound, poll } from "@drover/machinery";
import type { Clock } from "@drover/machinery";
import { recordingLog } from "@drover/machinery/testing";
import { connect, nodeRuntime } from "drover";
import type { Connection } from "drover";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { describeOnServers } from "../servers/servers.ts";
import type { SuiteServer } from "../servers/suite-server.ts";

const runtime = nodeRuntime();
const namespace = "elected";
const timing = { leaseDurationMs: 3000, renewDeadlineMs: 2000, retryPeriodMs: 300 };

describeOnServers("leader election", ({ missing, startOwn }) => {
  const log = recordingLog(runtime.clock);
  let server: SuiteServer | undefined;
  let connection: Connection;

  function candidate(
    identity: string,
    name: string,
    clock: Clock = runtime.clock,
  ): { readonly elector: LeaderElector; readonly stop: AbortController; readonly over: Promise<void> } {
    const elector = new LeaderElector({
      ...timing,
      runtime: { ...runtime, clock, log },
      client: connection.client,
      lease: { namespace, name },
      identity,
      labels: { app: "web" },
      onStartedLeading: () => undefined,
    });
    const stop = new AbortController();
    return { elector, stop, over: elector.run(stop.signal) };
  }
  const led = ({ elector }: { readonly elector: LeaderElector }): Promise<void> =>
    poll(runtime.clock, { interval: 20, timeout: 15_000, immediate: true }, () => elector.isLeader);

  beforeAll(async () => {
    if (missing !== undefined) return;
    server = await startOwn();
    connection = await connect({ kubeconfig: server.kubeconfig, runtime: { ...runtime, log }, namespace });
    await connection.client.create(Namespace, { metadata: { name: namespace } });
  }, 90_000);
  afterAll(async () => {
    if (server === undefined) return;
    await connection.close();
    await server.stop();
  }, 30_000);
  beforeEach((ctx) => {
    if (server === undefined) ctx.skip(missing);
  });

  it("hands the lease from one candidate to the next, with records the server accepts", { timeout: 60_000 }, async () => {
    const one = candidate("one", "handed-over");
    await led(one);
    const two = candidate("two", "handed-over");
    await poll(runtime.clock, { interval: 20, timeout: 15_000 }, () => two.elector.leader === "one");
    expect([one.elector.isLeader, two.elector.isLeader]).toEqual([true, false]);
    one.stop.abort();
    await one.over;
    await led(two);
    expect(await connection.client.get(Lease, "handed-over")).toMatchObject({
      metadata: { labels: { app: "web" } },
      spec: { holderIdentity: "two", leaseDurationSeconds: 3, leaseTransitions: 1 },
    });
    two.stop.abort();
    await two.over;
    expect(await connection.client.get(Lease, "handed-over")).toMatchObject({ spec: { leaseDurationSeconds: 1, leaseTransitions: 1 } });
    expect((await connection.client.get(Lease, "handed-over")).spec?.holderIdentity ?? "").toBe("");
  });

  it("stops a write when the lease expired unnoticed", { timeout: 60_000 }, async () => {
    let skippedMs = 0;
    const clock: Clock = {
      now: () => runtime.clock.now() + skippedMs,
      monotonic: () => runtime.clock.monotonic() + skippedMs,
      timer: (delayMs, callback) => runtime.clock.timer(delayMs, callback),
    };
    const leader = candidate("one", "fenced", clock);
    await led(leader);
    const fenced = createClient({ transport: leader.elector.fence.wrapper(connection.transport), clock: runtime.clock, log, namespace });
    await fenced.create(ConfigMap, { metadata: { name: "before" } });
    skippedMs = timing.renewDeadlineMs;
    await expect(fenced.create(ConfigMap, { metadata: { name: "after" } })).rejects.toSatisfy(isFenced);
    expect((await fenced.get(ConfigMap, "before")).metadata.name).toBe("before");
    await expect(fenced.get(ConfigMap, "after")).rejects.toSatisfy(isNotFound);
    leader.stop.abort();
    await leader.over;
  });
});
