import { ConfigMap } from "@drover/api/core/v1";
import { objectKey } from "@drover/machinery";
import type { Transport } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { isFenced, isFencedError } from "../leader/fenced-error.ts";
import { threadMap, threadRig } from "../threads/testing/thread-rig.ts";
import type { RigRun } from "../threads/testing/thread-rig.ts";
import { untilAborted } from "../sources/until-aborted.ts";
import { isLeaderElectionLostError } from "./manager-error.ts";
import type { ServingOptions } from "./manager-options.ts";

const names: readonly string[] = Array.from({ length: 24 }, (_, n) => `map-${n}`);
const leaderElection = { namespace: "shop", name: "web", identity: "me" } as const;
const keysOf = (runs: readonly RigRun[], thread?: number): ReadonlySet<string> =>
  new Set(runs.flatMap((run) => (thread === undefined || run.thread === thread ? [run.key] : [])));
const never: Transport = () => new Promise(() => undefined);

describe("manager with threads", () => {
  it("reconciles every object in exactly one thread, and none in the main thread", async () => {
    const { clock, api, runs, program } = threadRig();
    for (const name of names) api.put(threadMap(name));
    const { outcome, stop } = program();
    await clock.advance(3000);
    expect(runs.length).toBe(24);
    expect(keysOf(runs).size).toBe(24);
    expect(keysOf(runs, 0).size).toBe(0);
    expect(keysOf(runs, 1).size).toBeGreaterThan(5);
    expect(keysOf(runs, 2).size).toBeGreaterThan(5);
    const first = keysOf(runs, 1);
    for (const name of names) api.put(threadMap(name, "again"));
    await clock.advance(1000);
    expect([runs.length, keysOf(runs, 1)]).toEqual([48, first]);
    stop.abort();
    await clock.advance(3000);
    expect(outcome.run).toBe("over");
  });

  it("has no caches in the main thread", async () => {
    const { clock, api, program } = threadRig();
    api.put(threadMap("map-0"));
    const { manager, threads } = program();
    await clock.advance(3000);
    expect(manager.state().clusters.map(({ informers }) => informers.length)).toEqual([0]);
    expect([...threads.values()].map(({ manager: own }) => own.state().clusters[0]?.informers.length)).toEqual([1, 1]);
  });

  it("rejects numbers of threads that make no sense, and names the option", () => {
    for (const count of [0, 1.5, 1000, -1, Number.NaN])
      expect(() => threadRig().program({ count })).toThrow(/^threads must be a whole number from 1 to 64, not /);
    expect(() => threadRig().program({ count: "2" as unknown as number })).toThrow('threads must be a whole number from 1 to 64, not "2"');
  });

  it("runs other runnables in the main thread, and everywhere only those with inThreads", async () => {
    const { clock, program } = threadRig();
    const ran: string[] = [];
    program({
      also: (manager, thread) => {
        const run = (name: string) => () => Promise.resolve(void ran.push(`${name} ${thread}`));
        manager.add({ name: "job", run: run("job") });
        manager.add({ name: "server", group: "server", inThreads: true, run: run("server") });
      },
    });
    await clock.advance(3000);
    expect(ran.toSorted()).toEqual(["job 0", "server 0", "server 1", "server 2"]);
    expect(() =>
      threadRig().program({ also: (manager) => manager.add({ name: "job", inThreads: true, run: () => Promise.resolve() }) }),
    ).toThrow("job sets inThreads, so it must not need the lease");
  });

  it("hands keys that the main thread enqueues to their thread, which ignores none and doubles none", async () => {
    const { clock, runs, program } = threadRig();
    const { controller } = program();
    await clock.advance(3000);
    for (const name of names) controller.enqueue(objectKey(name, "shop"));
    await clock.advance(100);
    expect([runs.length, keysOf(runs).size]).toEqual([24, 24]);
    controller.setWorkers(3);
    await clock.advance(100);
    expect(controller.state().workers).toBe(3);
  });
});

describe("leader election with threads", () => {
  it("starts no run before the lease is held, and warms the caches up meanwhile", async () => {
    const { clock, api, leases, runs, program } = threadRig();
    for (const name of names) api.put(threadMap(name));
    const { network, threads, manager } = program({ options: { leaderElection } });
    network.leases = never;
    await clock.advance(5000);
    expect(runs).toEqual([]);
    expect([...threads.values()].every(({ manager: own }) => own.state().clusters[0]?.informers[0]?.hasSynced === true)).toBe(true);
    network.leases = leases.transport;
    await clock.advance(20_000);
    expect([manager.state().election?.isLeader, keysOf(runs).size, runs.length]).toEqual([true, 24, 24]);
  });

  it("closes the fences of all threads in the turn in which the main thread loses the lease, and aborts runs", async () => {
    const { clock, api, program, leases, runs } = threadRig();
    for (const name of names) api.put(threadMap(name));
    const seen: unknown[] = [];
    const { network, threads, manager, outcome } = program({
      options: { leaderElection: { ...leaderElection, onLostLease: "standAgain" } },
      reconcile: async ({ client, signal }) => {
        if (seen.length > 100) return;
        await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
        seen.push(isFencedError(signal.reason));
        await client.patch(ConfigMap, "map-0", { type: "merge", body: {} }).catch((error: unknown) => seen.push(isFenced(error)));
      },
    });
    await clock.advance(3000);
    const open = (): readonly unknown[] => [...threads.values()].map(({ manager: own }) => own.fence?.isOpen);
    expect([runs.length, open()]).toEqual([2, [true, true]]);
    manager.fence?.token?.signal.addEventListener("abort", () => seen.push(open()));
    network.leases = never;
    await clock.advance(11_000);
    expect(seen).toEqual([[false, false], true, true, true, true]);
    expect([runs.length, outcome.run]).toEqual([2, "running"]);
    seen.length = 101;
    network.leases = leases.transport;
    await clock.advance(30_000);
    expect([open(), keysOf(runs).size]).toEqual([[true, true], 24]);
  });

  it("fences a thread by time when the main thread hangs and tells nobody", async () => {
    const { clock, api, program } = threadRig();
    api.put(threadMap("map-0"));
    const { threads, network } = program({ options: { leaderElection } });
    await clock.advance(3000);
    const fences = [...threads.values()].map(({ manager }) => manager.fence);
    expect(fences.map((fence) => [fence?.isOpen, fence?.lease])).toEqual([
      [true, "shop/web"],
      [true, "shop/web"],
    ]);
    // Neither renewals nor messages: what a thread sees is the memory and the clock.
    network.leases = never;
    for (const thread of threads.values()) thread.isHanging = true;
    await clock.advance(10_001);
    expect(fences.map((fence) => fence?.isOpen)).toEqual([false, false]);
  });

  it("ends the program when the lease is lost, as without threads, and terminates the threads", async () => {
    const { clock, program } = threadRig();
    const { network, outcome, threads } = program({ options: { leaderElection } });
    await clock.advance(3000);
    expect(threads.size).toBe(2);
    network.leases = never;
    await clock.advance(11_000);
    expect([isLeaderElectionLostError(outcome.run), threads.size]).toEqual([true, 0]);
  });

  it("waits for runs in threads before it releases the lease", async () => {
    const { clock, api, leases, program } = threadRig();
    api.put(threadMap("map-0"));
    let end: () => void = () => undefined;
    const { stop, outcome } = program({ options: { leaderElection }, reconcile: () => new Promise((resolve) => (end = resolve)) });
    await clock.advance(3000);
    stop.abort();
    await clock.advance(5000);
    const holder = (): string | undefined => leases.leases.get("web")?.spec?.holderIdentity;
    expect([holder(), outcome.run]).toEqual(["me", "running"]);
    end();
    await clock.advance(3000);
    expect([holder() ?? "", outcome.run]).toEqual(["", "over"]);
  });
});

describe("shards with threads", () => {
  it("reconciles every object in one thread of one replica, also after a replica has ended", async () => {
    const { clock, api, runs, program } = threadRig();
    for (const name of names) api.put(threadMap(name));
    const shards = { namespace: "shop", name: "web", count: 4 };
    const a = program({ name: "a", options: { shards: { ...shards, identity: "a" } } });
    program({ name: "b", options: { shards: { ...shards, identity: "b" } } });
    await clock.advance(10_000);
    runs.length = 0;
    for (const name of names) api.put(threadMap(name, "1"));
    await clock.advance(1000);
    expect([runs.length, keysOf(runs).size]).toEqual([24, 24]);
    expect(new Set(runs.map(({ program: by, thread }) => `${by} ${thread}`)).size).toBe(4);
    a.stop.abort();
    await clock.advance(10_000);
    expect(a.outcome.run).toBe("over");
    runs.length = 0;
    for (const name of names) api.put(threadMap(name, "2"));
    await clock.advance(1000);
    expect([keysOf(runs).size, runs.every(({ program: by }) => by === "b")]).toEqual([24, true]);
  });
});

describe("a thread that fails", () => {
  it("is started again after a crash, and reconciles its keys again; the other thread continues", async () => {
    const { clock, api, runs, program } = threadRig();
    for (const name of names) api.put(threadMap(name));
    const { threads, runtime, manager } = program({ options: { leaderElection } });
    await clock.advance(3000);
    const own = keysOf(runs, 1);
    runs.length = 0;
    threads.get(1)?.crash(new Error("the author's bug"));
    await clock.advance(900);
    for (const name of names) api.put(threadMap(name, "1"));
    await clock.advance(50);
    expect([keysOf(runs, 1).size, keysOf(runs, 2).size]).toEqual([0, 24 - own.size]);
    await clock.advance(3000);
    expect(keysOf(runs, 1)).toEqual(own);
    expect(manager.state().election?.isLeader).toBe(true);
    const line = runtime.log.entries.find(({ message }) => message === "thread crashed, starting it again");
    expect(line?.fields).toMatchObject({ thread: 1, crashes: 1, delayMs: 1000 });
  });

  it("ends the program with its name and error after too many crashes", async () => {
    const { clock, program } = threadRig();
    const { threads, outcome } = program();
    await clock.advance(3000);
    for (let crash = 1; crash <= 6; crash++) {
      expect(outcome.run).toBe("running");
      threads.get(2)?.crash(new Error("the author's bug"));
      await clock.advance(2 ** crash * 1000);
    }
    expect(outcome.run).toMatchObject({ message: "thread 2 of 2 crashed 6 times within 10 minutes, last: the author's bug" });
    expect(threads.size).toBe(0);
  });

  it("ends the program at once if the module never calls run", async () => {
    const { clock, program } = threadRig();
    const { outcome } = program({ doesNotRun: true });
    await clock.advance(100);
    expect(outcome.run).toMatchObject({ message: expect.stringContaining("ended before it called run with threads: 2") as unknown });
  });

  it("does not stop the lease or the other thread when it hangs, fails /healthz, and is terminated on stop", async () => {
    const { clock, api, runs, program } = threadRig();
    for (const name of names) api.put(threadMap(name));
    let probe: Transport = never;
    const serving: ServingOptions = {
      listen: (handler) => {
        probe = handler;
        return Promise.resolve({ address: "here", run: untilAborted });
      },
    };
    const status = async (path: string): Promise<number> => (await probe({ method: "GET", path, headers: {} })).status;
    const { threads, runtime, manager, stop, outcome } = program({ options: { leaderElection, graceMs: 20_000, serving } });
    await clock.advance(3000);
    runs.length = 0;
    expect([await status("/healthz"), await status("/readyz")]).toEqual([200, 200]);
    const hanging = threads.get(1);
    if (hanging !== undefined) hanging.isHanging = true;
    await clock.advance(20_000);
    expect([await status("/healthz/threads"), await status("/healthz/event-loop")]).toEqual([500, 200]);
    for (const name of names) api.put(threadMap(name, "1"));
    await clock.advance(1000);
    expect(keysOf(runs, 2).size).toBeGreaterThan(5);
    expect(manager.state().election?.isLeader).toBe(true);
    expect(runtime.log.entries.filter(({ message }) => message.startsWith("thread does not respond")).length).toBe(1);
    stop.abort();
    await clock.advance(25_000);
    expect(outcome.run).toMatchObject({ message: expect.stringContaining("thread 1 of 2") as unknown });
    expect(threads.size).toBe(0);
  });
});
