/**
 * Three replicas of examples/mirror as processes on a real API server. Leaders are killed, stopped beyond the lease and
 * resumed, cut off by a restart of the server, or left with a revoked token. No key is lost, and the server's audit log
 * shows that no replica wrote without the lease.
 */
import { setTimeout as delay } from "node:timers/promises";
import { ConfigMap } from "@drover/api/core/v1";
import { nodeRuntime } from "drover";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AuditedRequest } from "./audit.ts";
import { MirrorLoad, mirrorsBehind } from "./load.ts";
import { startReplicaScene, timing } from "./replicas-scene.ts";
import type { ReplicaScene } from "./replicas-scene.ts";
import { isDataWrite, strayWrites } from "./terms.ts";
import type { Replica } from "./replicas.ts";
import { realServerMissing } from "../servers/real-server.ts";

const { clock } = nodeRuntime();
const isReplica = (userAgent: string): boolean => /^replica-\d+$/.test(userAgent);

/**
 * A candidate may read up to 2.2 periods after the last renewal, and as late again after the lease has expired; the
 * rest is for a busy machine.
 */
const failoverMaxMs = timing.leaseDurationMs + 2 * 2.2 * timing.retryPeriodMs + 4000;

describe("three replicas of a controller on a real API server", { timeout: 120_000 }, () => {
  let scene: ReplicaScene;
  beforeAll(async () => {
    if (realServerMissing !== undefined) return;
    scene = await startReplicaScene();
    for (let n = 0; n < 3; n++) scene.add();
    await allStand();
  }, 120_000);
  afterAll(() => (realServerMissing === undefined ? scene.stop() : undefined), 60_000);
  beforeEach((ctx) => {
    if (realServerMissing !== undefined) ctx.skip(realServerMissing);
  });

  /** Every replica has read the lease since then, successfully. */
  const allStand = (sinceMs = 0): Promise<true> =>
    scene.waitFor("all replicas stand for the lease", () => {
      const audit = scene.audit();
      return (
        [...scene.replicas.keys()].every((name) =>
          audit.some(
            ({ by, resource, status, receivedMs }) => by === name && resource === "leases" && status < 300 && receivedMs > sinceMs,
          ),
        ) || undefined
      );
    });

  const leader = (): Promise<Replica> => scene.waitFor("somebody leads", () => scene.replicas.get(scene.terms().at(-1)?.replica ?? ""));

  const dataWrites = ({ by, after }: { readonly by: string; readonly after: number }): AuditedRequest[] =>
    scene.audit().filter((request) => request.by === by && request.receivedMs > after && isDataWrite(request));

  /** Resolves when a replica other than `old` has taken the lease and written something; prints how long that took. */
  async function failover(what: string, old: Replica, fromMs: number): Promise<{ readonly ledMs: number }> {
    const [by, ledMs] = await scene.waitFor(`a leader after ${old.name}`, () => {
      const term = scene
        .terms()
        .find(({ replica, writes: [first] }) => replica !== "" && replica !== old.name && first !== undefined && first.receivedMs > fromMs);
      return term === undefined ? undefined : ([term.replica, (term.writes[0]?.answeredMs ?? 0) - fromMs] as const);
    });
    const write = await scene.waitFor(`a write of ${by}`, () => dataWrites({ by, after: fromMs })[0]);
    console.log(
      `${what}: ${by} led after ${ledMs} ms and wrote after ${write.answeredMs - fromMs} ms (lease ${timing.leaseDurationMs} ms, retry ${timing.retryPeriodMs} ms)`,
    );
    return { ledMs };
  }

  const load = (prefix: string): MirrorLoad => new MirrorLoad({ client: scene.client, clock, prefix, count: 120, everyMs: 40 });

  /** Starts the load; resolves when the leader is working on it. */
  async function busy(replica: Replica, prefix: string): Promise<MirrorLoad> {
    const work = load(prefix);
    await scene.waitFor(`${replica.name} is at work`, () =>
      dataWrites({ by: replica.name, after: 0 }).find(({ name }) => name.startsWith(`${prefix}-`)),
    );
    return work;
  }

  /** Stops the load, and waits until everything is mirrored. */
  async function finished(work: MirrorLoad): Promise<void> {
    const names = await work.stop();
    let behind: readonly string[] = [];
    await scene
      .waitFor("everything has its mirror", async () => {
        behind = await mirrorsBehind(scene.client, names);
        return behind.length === 0 || undefined;
      })
      .catch((error: unknown) => {
        throw new Error(`without their mirrors: ${behind.join(", ")}`, { cause: error });
      });
  }

  it("one of them does the work", async () => {
    await finished(load("first"));
    expect(strayWrites(scene.audit(), { lease: scene.lease, isReplica })).toEqual([]);
    const source = await scene.client.get(ConfigMap, "first-0");
    expect((await scene.client.get(ConfigMap, "first-0-mirror")).metadata.ownerReferences).toMatchObject([
      { kind: "ConfigMap", name: "first-0", uid: source.metadata.uid, controller: true },
    ]);
  });

  it("changes of a mirror by others are reverted", async () => {
    await scene.client.patch(ConfigMap, "first-1-mirror", { type: "merge", body: { data: { step: "something else", more: "of it" } } });
    await scene.client.delete(ConfigMap, "first-2-mirror");
    await scene.waitFor("they are as they were", async () => (await mirrorsBehind(scene.client, [])).length === 0 || undefined);
  });

  it("kill -9 of the leader: another leads within lease and retry, and no key is lost", async () => {
    const old = await leader();
    const work = await busy(old, "killed");
    const fromMs = Date.now();
    await scene.remove(old, "kill");
    scene.add();
    const { ledMs } = await failover("after kill -9", old, fromMs);
    expect(ledMs).toBeLessThan(failoverMaxMs);
    await finished(work);
  });

  /** Stops the leader during a write, resumes it when another leads, and checks that it writes nothing. */
  async function stoppedAndWoken(prefix: string): Promise<Replica> {
    const old = await leader();
    const work = await busy(old, prefix);
    const fromMs = Date.now();
    await old.halt();
    const { ledMs } = await failover("after SIGSTOP", old, fromMs);
    expect(ledMs).toBeLessThan(failoverMaxMs);
    const wokenMs = Date.now();
    await old.resume();
    await scene.waitFor(`${old.name} is awake`, () => scene.audit().find(({ by, receivedMs }) => by === old.name && receivedMs > wokenMs));
    await delay(2 * timing.retryPeriodMs);
    const woken = scene.audit().filter(({ by, verb, receivedMs }) => by === old.name && verb !== "get" && receivedMs > wokenMs);
    // Not even attempts at its work that the server refused; of the lease, refused ones are allowed.
    expect(woken.filter(({ resource, status }) => resource !== "leases" || status < 300)).toEqual([]);
    await finished(work);
    return old;
  }

  it("SIGSTOP of the leader beyond its lease: it resumes, writes nothing, and ends, to be started again", async () => {
    const old = await stoppedAndWoken("stopped");
    expect(old.restarts).toBeGreaterThan(0);
  });

  it("a rollout to replicas that stand for election again: the lease is released, and no key is lost", async () => {
    const [olds, work] = [[...scene.replicas.values()], load("replaced")];
    for (let n = 0; n < 3; n++) scene.add("--stand-again");
    await allStand();
    for (const old of olds) if (old !== (await leader())) await scene.remove(old, "end");
    const [last, fromMs] = [await leader(), Date.now()];
    await scene.remove(last, "end");
    const { ledMs } = await failover("after SIGTERM", last, fromMs);
    expect(ledMs).toBeLessThan(failoverMaxMs);
    expect(scene.terms().findLast(({ replica }) => replica === last.name)?.endedBy).toMatchObject({ by: last.name, lease: { holder: "" } });
    await finished(work);
  });

  it("SIGSTOP of a leader that stands for election again: it resumes, writes nothing, and waits", async () => {
    const old = await stoppedAndWoken("stopped-again");
    expect(old.restarts).toBe(0);
  });

  it("a rotated token, the old one revoked: work continues", async () => {
    const work = load("rotated");
    await scene.rotateToken();
    const sinceMs = Date.now();
    await allStand(sinceMs);
    const { name } = await leader();
    await scene.waitFor(`${name} writes with the new token`, () => dataWrites({ by: name, after: sinceMs })[0]);
    await finished(work);
  });

  it("a restart of the server: no key is lost", async () => {
    const work = load("restarted");
    await delay(500);
    const fromMs = Date.now();
    await scene.server.restart();
    const awayMs = Date.now() - fromMs;
    await allStand(fromMs + awayMs);
    const write = await scene.waitFor("somebody writes", () =>
      scene.audit().find((request) => isReplica(request.by) && isDataWrite(request) && request.receivedMs > fromMs + awayMs),
    );
    console.log(
      `after a restart of the server, which was away for ${awayMs} ms: ${write.by} wrote ${write.answeredMs - fromMs - awayMs} ms after it was ready`,
    );
    await finished(work);
  });

  it("there was never a second writer: the holder of the lease made each write", () => {
    const audit = scene.audit();
    const writes = audit.filter((request) => isReplica(request.by) && isDataWrite(request));
    const terms = scene.terms().filter(({ replica }) => replica !== "");
    console.log(`${writes.length} writes of ${new Set(writes.map(({ by }) => by)).size} replicas in ${terms.length} terms`);
    expect(strayWrites(audit, { lease: scene.lease, isReplica })).toEqual([]);
    expect(writes.length).toBeGreaterThan(0);
  });
});
