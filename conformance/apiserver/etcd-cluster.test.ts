/**
 * Two stores on an etcd of three members, under load, while its leader is killed and members are paused and cut off. Afterwards etcd's
 * own history shows that nothing was lost, that nothing was written twice, and that both stores have told their watchers all of it.
 */
import { setTimeout as delay } from "node:timers/promises";
import { createRandom, pick } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { nodeRuntime } from "../../packages/drover/src/index.ts";
import { EtcdClient } from "../../packages/apiserver/src/storage/etcd/etcd-client.ts";
import { decodeWatch } from "../../packages/apiserver/src/storage/etcd/etcd-messages.ts";
import { EtcdStore } from "../../packages/apiserver/src/storage/etcd/etcd-store.ts";
import { plainValues } from "../../packages/apiserver/src/storage/etcd/etcd-values.ts";
import { connectEtcd } from "../../packages/apiserver/src/storage/etcd/grpc-transport.ts";
import { StoreUnavailableError } from "../../packages/apiserver/src/storage/store.ts";
import type { Revision } from "../../packages/apiserver/src/storage/store.ts";
import { EtcdCluster } from "../servers/etcd-cluster.ts";
import { realEtcdMissing } from "../servers/real-etcd.ts";

const isLong = process.env["DROVER_LONG"] === "1";
const seconds = Number(process.env["DROVER_ETCD_SECONDS"] ?? (isLong ? 30 : 10));
const seed = Number(process.env["DROVER_SEED"] ?? 20);
const runtime = nodeRuntime({ write: () => undefined });

/** One write of a worker. Every attempt has its own value. */
interface Attempt {
  readonly key: string;
  /** Undefined for a deletion. */
  readonly value: string | undefined;
  readonly outcome: "written" | "refused" | "unknown";
  /** Of a write that was acknowledged. */
  readonly revision: Revision;
}

const connect = (urls: readonly string[]): EtcdClient => new EtcdClient({ clock: runtime.clock, transports: connectEtcd(urls, runtime) });

const storeOn = (urls: readonly string[]): Promise<EtcdStore> =>
  EtcdStore.open({
    client: connect(urls),
    values: plainValues,
    roots: { served: "", stored: "" },
    clock: runtime.clock,
    log: runtime.log,
    compactionMs: 3_600_000,
  });

/** "key=value@revision", "key deleted@revision" */
const tell = (key: string, value: string | undefined, revision: Revision): string =>
  `${key}${value === undefined ? " deleted" : `=${value}`}@${revision}`;

/** Writes to a few shared keys, each time on the version read before, and checks that the other store sees what was acknowledged. */
async function work(name: string, [own, other]: readonly [EtcdStore, EtcdStore], isOver: () => boolean): Promise<readonly Attempt[]> {
  const random = createRandom(seed).stream(name);
  const attempts: Attempt[] = [];
  for (let count = 0; !isOver(); count++) {
    const key = `/k/${random.int(4)}`;
    try {
      const { stored } = await own.get(key);
      const value = stored !== undefined && random.int(5) === 0 ? undefined : `${name}-${count}`;
      try {
        const expected = stored?.modRevision ?? 0;
        const outcome = value === undefined ? await own.delete(key, expected) : await own.put(key, value, { expected });
        const isWritten = outcome.written;
        attempts.push({ key, value, outcome: isWritten ? "written" : "refused", revision: isWritten ? outcome.revision : 0 });
        if (isWritten && random.int(4) === 0) expect((await other.get(key)).revision).toBeGreaterThanOrEqual(outcome.revision);
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
        attempts.push({ key, value, outcome: "unknown", revision: 0 });
      }
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
    }
    await delay(random.int(20));
  }
  return attempts;
}

/** Breaks one member at a time until the time is over, and mends it; returns how often each fault happened. */
async function disturb(cluster: EtcdCluster, isOver: () => boolean): Promise<Readonly<Record<string, number>>> {
  const random = createRandom(seed).stream("faults");
  const counts: Record<string, number> = { "leader killed": 0, paused: 0, "cut off": 0 };
  for (let round = 0; !isOver(); round++) {
    await delay(700);
    const leader = await cluster.leader();
    if (leader === undefined) continue;
    // The first rounds have one of each.
    const fault = Object.keys(counts)[round] ?? pick(random, Object.keys(counts));
    counts[fault] = (counts[fault] ?? 0) + 1;
    const index = fault === "leader killed" || random.int(2) === 0 ? leader : (leader + 1) % 3;
    if (fault === "leader killed") await cluster.kill(index);
    else if (fault === "paused") await cluster.pause(index);
    else cluster.cut(index);
    await delay(1000 + random.int(1500));
    if (fault === "leader killed") cluster.restart(index);
    else if (fault === "paused") await cluster.resume(index);
    else cluster.cut(undefined);
  }
  return counts;
}

/** Follows everything from the beginning until the signal aborts. */
async function follow(store: EtcdStore, signal: AbortSignal, seen: string[]): Promise<void> {
  for await (const { events } of store.watch("/k/", { from: 2, signal }))
    for (const { key, current, revision } of events) seen.push(tell(key, current?.value, revision));
}

/** Reads etcd's history up to a revision. */
async function historyOf(urls: readonly string[], revision: Revision): Promise<readonly string[]> {
  const client = connect(urls);
  const ending = new AbortController();
  const history: string[] = [];
  try {
    for await (const message of await client.watch("/k/", 2, ending.signal)) {
      const { events } = decodeWatch(message);
      for (const { isDeletion, value } of events)
        history.push(tell(value.key, isDeletion ? undefined : new TextDecoder().decode(value.value), value.modRevision));
      if (events.some(({ value }) => value.modRevision >= revision)) break;
    }
  } finally {
    ending.abort();
    client.close();
  }
  return history;
}

/** Returns one sentence for each attempt that contradicts etcd's history. */
function contradictions(attempts: readonly Attempt[], history: readonly string[]): readonly string[] {
  const writes = new Set(history);
  const timesOf = new Map<string, number>();
  for (const write of history) {
    const text = write.slice(0, write.lastIndexOf("@"));
    timesOf.set(text, (timesOf.get(text) ?? 0) + 1);
  }
  return attempts.flatMap(({ key, value, outcome, revision }) => {
    const times = value === undefined ? 0 : (timesOf.get(`${key}=${value}`) ?? 0);
    if (times > 1) return [`${key}=${value} was written ${times} times`];
    if (outcome === "refused" && times > 0) return [`${key}=${value} was refused, and is written`];
    if (outcome === "written" && !writes.has(tell(key, value, revision))) return [`${tell(key, value, revision)} was lost`];
    return [];
  });
}

describe.skipIf(realEtcdMissing !== undefined)(`EtcdStore on an etcd of three members (${realEtcdMissing ?? "found"})`, () => {
  it(
    `loses and repeats nothing while members are killed, paused and cut off, for ${seconds} s`,
    { timeout: (seconds + 300) * 1000 },
    async () => {
      const cluster = await EtcdCluster.start();
      const { urls } = cluster;
      const ending = new AbortController();
      const stores = [await storeOn(urls), await storeOn(urls.toReversed())] as const;
      try {
        const seen = stores.map((): string[] => []);
        const following = stores.map((store, index) => follow(store, ending.signal, seen[index] ?? []));
        const deadline = performance.now() + seconds * 1000;
        const isOver = (): boolean => performance.now() > deadline;
        const faults = disturb(cluster, isOver);
        const workers = ["a", "b", "c", "d"].map((name, index) => work(name, index % 2 === 0 ? stores : [stores[1], stores[0]], isOver));
        const attempts = (await Promise.all(workers)).flat();
        const counts = await faults;
        // A last write that both stores must see.
        let last = 0;
        await expect
          .poll(
            async () => {
              const { stored } = await stores[0].get("/k/last");
              const outcome = await stores[0].put("/k/last", "x", { expected: stored?.modRevision ?? 0 });
              last = outcome.written ? outcome.revision : 0;
              return outcome.written;
            },
            { timeout: 120_000, interval: 200 },
          )
          .toBe(true);
        await expect.poll(async () => (await stores[1].get("/k/last")).stored?.modRevision, { timeout: 60_000 }).toBe(last);
        const history = await historyOf(urls, last);
        for (const own of seen) await expect.poll(() => own.length, { timeout: 60_000 }).toBe(history.length);
        expect(seen).toEqual([history, history]);
        expect(contradictions(attempts, history)).toEqual([]);
        const lists = await Promise.all(stores.map(async (store) => (await store.list("/k/")).items));
        expect(lists[0]).toEqual(lists[1]);
        expect(stores.map((store) => store.problem())).toEqual([undefined, undefined]);
        expect(
          Object.values(counts).every((count) => count > 0),
          JSON.stringify(counts),
        ).toBe(true);
        expect(attempts.filter(({ outcome }) => outcome === "written").length).toBeGreaterThan(20);
        ending.abort();
        await Promise.allSettled(following);
      } finally {
        for (const store of stores) store.close();
        await cluster.stop();
      }
    },
  );

  it("would notice a lost, a repeated and a refused write", () => {
    const written: Attempt = { key: "/k/0", value: "a-1", outcome: "written", revision: 2 };
    expect(contradictions([written], ["/k/0=a-1@2"])).toEqual([]);
    expect(contradictions([written], [])).toEqual(["/k/0=a-1@2 was lost"]);
    expect(contradictions([written], ["/k/0=a-1@2", "/k/0=a-1@5"])).toEqual(["/k/0=a-1 was written 2 times"]);
    expect(contradictions([{ ...written, outcome: "refused" }], ["/k/0=a-1@2"])).toEqual(["/k/0=a-1 was refused, and is written"]);
    expect(contradictions([{ ...written, outcome: "unknown" }], ["/k/0=a-1@2"])).toEqual([]);
  });
});
