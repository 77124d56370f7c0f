/** The store on a real etcd: the contract of all stores, leases, compaction, and what happens when etcd goes away. */
import { afterAll, describe, expect, it } from "vitest";
import { nodeRuntime } from "../../packages/drover/src/index.ts";
import { EtcdClient } from "../../packages/apiserver/src/storage/etcd/etcd-client.ts";
import { compactionTurn } from "../../packages/apiserver/src/storage/etcd/etcd-compactor.ts";
import { EtcdStore } from "../../packages/apiserver/src/storage/etcd/etcd-store.ts";
import type { EtcdStoreOptions } from "../../packages/apiserver/src/storage/etcd/etcd-store.ts";
import { EtcdError, grpcCode } from "../../packages/apiserver/src/storage/etcd/etcd-transport.ts";
import type { EtcdTransport } from "../../packages/apiserver/src/storage/etcd/etcd-transport.ts";
import { plainValues } from "../../packages/apiserver/src/storage/etcd/etcd-values.ts";
import { connectEtcd } from "../../packages/apiserver/src/storage/etcd/grpc-transport.ts";
import { CompactedError, StoreUnavailableError } from "../../packages/apiserver/src/storage/store.ts";
import type { StoreBatch } from "../../packages/apiserver/src/storage/store.ts";
import { storeContract } from "../../packages/apiserver/src/testing/store-contract.ts";
import { freePorts } from "../servers/real-program.ts";
import { realEtcdMissing, startRealEtcd } from "../servers/real-etcd.ts";
import type { RealEtcd } from "../servers/real-etcd.ts";

const running: RealEtcd[] = [];
afterAll(async () => {
  await Promise.all(running.map(({ stop }) => stop()));
});

const runtime = nodeRuntime({ write: () => undefined });

async function newEtcd(...flags: readonly string[]): Promise<RealEtcd> {
  const etcd = await startRealEtcd(...flags);
  running.push(etcd);
  return etcd;
}

async function storeOn(urls: readonly string[], more: Partial<EtcdStoreOptions> = {}): Promise<EtcdStore> {
  const client = new EtcdClient({ clock: runtime.clock, transports: connectEtcd(urls, runtime) });
  return await EtcdStore.open({
    client,
    values: plainValues,
    roots: { served: "", stored: "" },
    clock: runtime.clock,
    log: runtime.log,
    ...more,
  });
}

const signal = new AbortController().signal;

/** Waits until a condition holds; etcd's own clock decides when. */
async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  await expect.poll(holds, { timeout: 20_000, interval: 50 }).toBe(true);
}

describe.skipIf(realEtcdMissing !== undefined)(`EtcdStore on a real etcd (${realEtcdMissing ?? "found"})`, () => {
  storeContract("etcd", {
    open: async () => {
      const { url, stop } = await startRealEtcd();
      const store = await storeOn([url]);
      const close = store.close.bind(store);
      return Object.assign(store, {
        close: () => {
          close();
          void stop();
        },
      });
    },
    isOnManualClock: false,
    // Each has an etcd of its own.
    historiesMax: 20,
    timeoutMs: 60_000,
  });

  it("deletes keys together when their lease expires, and keeps a key that was put without a TTL", { timeout: 60_000 }, async () => {
    const store = await storeOn([(await newEtcd()).url]);
    for (const key of ["/a", "/b", "/c"]) await store.put(key, key, { expected: 0, ttlMs: 1000 });
    await store.put("/c", "forever", { expected: 4 });
    await until(async () => (await store.list("/")).items.length === 1);
    const revision = await store.revision();
    const { value } = (await store.watch("/", { from: 6, signal })[Symbol.asyncIterator]().next()) as { readonly value: StoreBatch };
    // One lease has both keys unless it was granted anew between them.
    const deleted = value.events.toSorted((a, b) => (a.key < b.key ? -1 : 1));
    expect(deleted.map(({ key, current, previous }) => [key, current, previous?.value])).toEqual([
      ["/a", undefined, "/a"],
      ["/b", undefined, "/b"],
    ]);
    expect(value.revision).toBe(revision);
    store.close();
  });

  it("reads what another server wrote before the read began", { timeout: 60_000 }, async () => {
    const { url } = await newEtcd();
    const [one, other] = [await storeOn([url]), await storeOn([url])];
    let expected = 0;
    for (let count = 1; count <= 50; count++) {
      const outcome = await one.put("/a", `${count}`, { expected });
      expected = outcome.written ? outcome.revision : 0;
      expect((await other.get("/a")).stored).toEqual({ key: "/a", value: `${count}`, createRevision: 2, modRevision: expected });
    }
    expect(await other.delete("/a", expected - 1)).toMatchObject({ written: false, found: { value: "50" } });
    expect(await other.put("/a", "x", { expected: 0 })).toMatchObject({ written: false, found: { value: "50" } });
    one.close();
    other.close();
  });

  it("reads revisions from before its start, in pages, until etcd compacts them", { timeout: 60_000 }, async () => {
    const { url } = await newEtcd();
    const first = await storeOn([url]);
    for (let n = 0; n < 7; n++) await first.put(`/p/${n}`, "old", { expected: 0 });
    for (let n = 0; n < 7; n++) await first.delete(`/p/${n}`, 2 + n);
    const second = await storeOn([url]);
    const page = await second.list("/p/", { revision: 8, limit: 3 });
    expect([page.items.map(({ key }) => key), page.remaining]).toEqual([["/p/0", "/p/1", "/p/2"], 4]);
    const rest = await second.list("/p/", { revision: 8, after: "/p/2" });
    expect([rest.items.map(({ key }) => key), rest.remaining]).toEqual([["/p/3", "/p/4", "/p/5", "/p/6"], 0]);
    expect((await second.get("/p/0", { revision: 8 })).stored?.value).toBe("old");
    await first.compact(9);
    await expect(second.list("/p/", { revision: 8 })).rejects.toBeInstanceOf(CompactedError);
    await expect(second.get("/p/0", { revision: 8 })).rejects.toBeInstanceOf(CompactedError);
    first.close();
    second.close();
  });

  it("continues its watches after etcd was restarted, and misses nothing", { timeout: 60_000 }, async () => {
    const etcd = await newEtcd();
    const store = await storeOn([etcd.url]);
    const other = await storeOn([etcd.url]);
    const seen: string[] = [];
    void (async () => {
      for await (const { events } of store.watch("/", { from: 2, signal })) for (const { key } of events) seen.push(key);
    })();
    await store.put("/1", "", { expected: 0 });
    await etcd.restart();
    await until(async () => (await other.put("/2", "", { expected: 0 }).catch(() => ({ written: false }))).written);
    await until(() => seen.length === 2);
    await store.put("/3", "", { expected: 0 });
    await until(() => seen.join(" ") === "/1 /2 /3");
    store.close();
    other.close();
  });

  it("ends its watches and reads everything again when etcd compacted what it missed", { timeout: 60_000 }, async () => {
    const { url } = await newEtcd();
    const outage: Outage = { isOn: false };
    const transports = connectEtcd([url], runtime);
    const client = new EtcdClient({ clock: runtime.clock, transports: transports.map((transport) => withOutage(transport, outage)) });
    const store = await storeOn([url], { client });
    const other = await storeOn([url]);
    const watching = (async () => {
      for await (const batch of store.watch("/", { from: 2, signal })) void batch;
      return "over";
    })();
    outage.isOn = true;
    outage.cut?.();
    for (let n = 0; n < 5; n++) await other.put(`/${n}`, "", { expected: 0 });
    await other.compact(6);
    outage.isOn = false;
    expect(await watching).toBe("over");
    expect((await store.list("/")).items).toHaveLength(5);
    store.close();
    other.close();
  });

  it("uses another endpoint when one cannot be reached, and says so when none can", { timeout: 60_000 }, async () => {
    const etcd = await newEtcd();
    const [dead] = await freePorts(1);
    const store = await storeOn([`http://127.0.0.1:${dead}`, etcd.url]);
    expect((await store.put("/a", "", { expected: 0 })).written).toBe(true);
    store.close();
    await expect(storeOn([`http://127.0.0.1:${dead}`])).rejects.toThrow(`no connection to etcd at http://127.0.0.1:${dead}`);
  });

  it("finds a write whose answer was lost, and calls the outcome unknown otherwise", { timeout: 60_000 }, async () => {
    const { url } = await newEtcd();
    const loss: Loss = {};
    const transports = connectEtcd([url], runtime);
    const client = new EtcdClient({ clock: runtime.clock, transports: transports.map((transport) => withLoss(transport, loss)) });
    const [store, other] = [await storeOn([url], { client }), await storeOn([url])];
    loss.next = "answer lost";
    expect(await store.put("/a", "1", { expected: 0 })).toMatchObject({ written: true, revision: 2, result: { createRevision: 2 } });
    loss.next = "answer lost";
    expect(await store.put("/a", "2", { expected: 2 })).toMatchObject({ written: true, revision: 3, result: { createRevision: 2 } });
    loss.next = "never sent";
    await expect(store.put("/a", "3", { expected: 3 })).rejects.toThrow("whether /a was written is unknown");
    expect((await store.get("/a")).stored).toMatchObject({ value: "2", modRevision: 3 });
    loss.next = "answer lost";
    await expect(store.delete("/a", 3)).rejects.toBeInstanceOf(StoreUnavailableError);
    expect((await store.get("/a")).stored).toBe(undefined);
    // Created, and deleted by another server before the store looks: it must not be created again.
    loss.next = "answer lost";
    loss.meanwhile = async () => await other.delete("/b", (await other.get("/b")).stored?.modRevision ?? 0);
    await expect(store.put("/b", "1", { expected: 0 })).rejects.toBeInstanceOf(StoreUnavailableError);
    expect([(await store.get("/b")).stored, await store.revision()]).toEqual([undefined, 6]);
    store.close();
    other.close();
  });

  it("takes turns with other servers at compacting, by the key of kube-apiserver", { timeout: 60_000 }, async () => {
    const { url } = await newEtcd();
    const client = new EtcdClient({ clock: runtime.clock, transports: connectEtcd([url], runtime) });
    const store = await storeOn([url]);
    await store.put("/a", "", { expected: 0 });
    let one = await compactionTurn(client, { version: 0, revision: 0 });
    let other = await compactionTurn(client, { version: 0, revision: 0 });
    expect([one, other]).toEqual([
      { version: 1, revision: 3 },
      { version: 1, revision: 3 },
    ]);
    await store.put("/a", "", { expected: 2 });
    one = await compactionTurn(client, one);
    other = await compactionTurn(client, other);
    expect([one, other]).toEqual([
      { version: 2, revision: 5 },
      { version: 2, revision: 5 },
    ]);
    await expect(client.range({ key: "/a", revision: 2 })).rejects.toThrow("compacted");
    expect((await client.range({ key: "/a", revision: 3 })).values).toHaveLength(1);
    const [found] = (await client.range({ key: "compact_rev_key" })).values;
    expect(new TextDecoder().decode(found?.value)).toBe("3");
    store.close();
    client.close();
  });

  it("authenticates as a user of etcd, and again when its token is no longer valid", { timeout: 60_000 }, async () => {
    const { url } = await newEtcd("--auth-token-ttl=1");
    const gateway = async (path: string, body: object): Promise<void> => {
      expect((await fetch(`${url}/v3/auth/${path}`, { method: "POST", body: JSON.stringify(body) })).status).toBe(200);
    };
    await gateway("role/add", { name: "root" });
    await gateway("user/add", { name: "root", password: "secret" });
    await gateway("user/grant", { user: "root", role: "root" });
    await gateway("enable", {});
    const transports = connectEtcd([url], runtime);
    await expect(storeOn([url])).rejects.toThrow("user name is empty");
    const refused = new EtcdClient({ clock: runtime.clock, transports, user: { name: "root", password: "wrong" } });
    await expect(refused.range({ key: "/a" })).rejects.toThrow("etcd refuses the user root");
    const client = new EtcdClient({ clock: runtime.clock, transports, user: { name: "root", password: "secret" } });
    const store = await storeOn([url], { client });
    expect((await store.put("/a", "1", { expected: 0 })).written).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect((await store.put("/a", "2", { expected: 2 })).written).toBe(true);
    expect((await store.get("/a")).stored?.value).toBe("2");
    store.close();
  });
});

/** A transport that loses answers of transactions: of those that were carried out, or of those that never arrived. */
function withLoss(transport: EtcdTransport, loss: Loss): EtcdTransport {
  return {
    ...transport,
    call: async (method, message, options) => {
      if (!method.endsWith("/Txn") || loss.next === undefined) return await transport.call(method, message, options);
      const { next } = loss;
      delete loss.next;
      if (next !== "never sent") await transport.call(method, message, options);
      await loss.meanwhile?.();
      throw new EtcdError(grpcCode.unavailable, "read ECONNRESET", { isSent: true });
    },
  };
}

interface Loss {
  next?: "answer lost" | "never sent";
  /** What others do before the store looks for its write. */
  meanwhile?: () => Promise<unknown>;
}

interface Outage {
  isOn: boolean;
  /** Breaks the open streams. */
  cut?: () => void;
}

/** A transport whose streams break and cannot be opened during an outage. */
function withOutage(transport: EtcdTransport, outage: Outage): EtcdTransport {
  return {
    ...transport,
    open: (method, options) => {
      if (outage.isOn) throw new EtcdError(grpcCode.unavailable, "outage", { isSent: false });
      const ending = new AbortController();
      outage.cut = () => ending.abort(new EtcdError(grpcCode.unavailable, "cut", { isSent: true }));
      return transport.open(method, { ...options, signal: AbortSignal.any([options.signal, ending.signal]) });
    },
  };
}
