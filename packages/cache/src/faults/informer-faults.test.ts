/** Faults as handlers and readers see them, by the rows of the catalogue. */
import { ConfigMap } from "@drover/api/core/v1";
import { jsonResponse } from "@drover/client/testing";
import { sleep } from "@drover/machinery";
import type { ObjectKey } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { ObjectVersion } from "../source/object-version.ts";
import { createReadYourWrites } from "../own-writes/read-your-writes.ts";
import type { Indexers } from "../store/store-index.ts";
import { HandlerLedger } from "../testing/handler-ledger.ts";
import { informerRig } from "../testing/informer-rig.ts";
import { lateSource } from "../testing/reflector-rig.ts";

const isLong = process.env["DROVER_LONG"] === "1";
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `n${index}`);

describe("Informer: faults", () => {
  it.each([1, 2, 3, 4, 5])(
    "A3: reports an object re-created %i times while disconnected as one deletion and one addition",
    async (times) => {
      for (const isForgotten of [false, true]) {
        const rig = informerRig();
        rig.write("web", "other");
        await rig.settled(2000);
        rig.api.cut();
        for (let turn = 0; turn < times; turn++) {
          rig.api.remove("shop/web");
          rig.write("web");
        }
        if (isForgotten) rig.api.compact();
        await rig.settled();
        expect(rig.differences()).toEqual([]);
        const told = rig.ledger.told.filter((line) => line.includes("shop/web")).map((line) => line.split(" @")[0]);
        const last = `uid-${2 + times}`;
        expect(told.slice(0, 2)).toEqual(["added shop/web uid-1", "deleted shop/web uid-1"]);
        expect(told.at(-1)).toBe(`added shop/web ${last}`);
        await rig.stop();
      }
    },
  );

  it("W8: reports a missed deletion with the last known state, isFinalStateUnknown and updated indexes (§9.4)", async () => {
    const rig = informerRig({ informer: () => ({ indexers: { byKey: ({ key }) => [key] } }) });
    rig.write("web", "db");
    await rig.settled(2000);
    rig.api.cut();
    rig.write("web");
    rig.api.remove("shop/web");
    rig.api.compact();
    await rig.settled();
    expect(rig.ledger.told.at(-1)).toBe("deleted shop/web uid-1 @2 unknown");
    expect([rig.informer.byIndex("byKey", "shop/web"), rig.informer.byIndex("byKey", "shop/db").length]).toEqual([[], 1]);
    expect(rig.differences()).toEqual([]);
    await rig.stop();
  });

  it("has no ghost objects of a watch-list that broke off (§9.1)", async () => {
    const rig = informerRig();
    rig.api.endsInitialEvents = false;
    rig.write("ghost", "web");
    await rig.settled(1000);
    expect([rig.ledger.told, rig.informer.keys()]).toEqual([[], []]);
    rig.api.cut();
    rig.api.remove("shop/ghost");
    rig.api.endsInitialEvents = true;
    await rig.settled();
    expect(rig.ledger.told.filter((line) => line.includes("ghost"))).toEqual([]);
    expect(rig.differences()).toEqual([]);
    await rig.stop();
  });

  it("W7: finds lost events by its audit and repairs the cache", async () => {
    const rig = informerRig({
      informer: (api, runtime) => ({ audit: { source: lateSource(api, runtime, { namespace: "*" }), periodMs: 600_000 } }),
    });
    rig.write(...names(10));
    await rig.settled(2000);
    rig.api.unseen(() => {
      rig.api.remove("shop/n1");
      rig.write("n2", "n20");
    });
    rig.write("n3");
    await rig.settled(60_000);
    expect(rig.differences()).not.toEqual([]);
    await rig.settled(16 * 60_000);
    expect(rig.differences()).toEqual([]);
    await rig.stop();
  });

  it("W5: follows a server restored from a backup: reports deletions, additions and older states, and accepts later events", async () => {
    const rig = informerRig();
    rig.write("kept", "changed", "deleted");
    const backup = rig.api.snapshot();
    await rig.settled(2000);
    for (let turn = 0; turn < 100; turn++) rig.write("changed");
    rig.api.remove("shop/deleted");
    rig.write("new");
    await rig.settled(10_000);
    const before = rig.ledger.told.length;
    rig.api.restore(backup);
    await rig.settled(15 * 60_000);
    const inOrder = (lines: readonly string[]): string[] =>
      lines.filter((line) => line.startsWith("store:") || line.startsWith("handler:"));
    expect(inOrder(rig.differences())).toEqual([]);
    const told = rig.ledger.told
      .slice(before)
      .map((line) => line.split(" ").slice(0, 2).join(" "))
      .toSorted();
    expect(told).toEqual(["added shop/deleted", "deleted shop/new", "updated shop/changed"]);
    rig.write("changed", "later");
    rig.api.remove("shop/kept");
    await rig.settled(5000);
    expect(inOrder(rig.differences())).toEqual([]);
    await rig.stop();
  });

  it("A9: retries for a handler that throws, rejects or hangs at every third event, and loses nothing for the others (§9.29)", async () => {
    const rig = informerRig();
    const failing = { calls: 0, failures: 0 };
    const heard = new Set<string>();
    for (const form of ["throws", "rejects"] as const) {
      rig.informer.addHandler(
        (change) => {
          failing.calls++;
          if (failing.calls % 3 === 0) {
            failing.failures++;
            const error = new Error(`${form} at ${change.key}`);
            if (form === "rejects") return Promise.reject(error);
            throw error;
          }
          heard.add(`${form} ${change.key} @${change.object.metadata.resourceVersion}`);
          return undefined;
        },
        { name: form },
      );
    }
    rig.informer.addHandler(() => new Promise<void>(() => undefined), { name: "hangs" });
    rig.write(...names(50));
    await rig.settled(1000);
    rig.write(...names(50));
    rig.api.cut();
    await rig.settled();
    expect(rig.differences()).toEqual([]);
    const states = new Map(rig.informer.state().handlers.map((state) => [state.name, state]));
    expect((states.get("throws")?.errors ?? 0) + (states.get("rejects")?.errors ?? 0)).toBe(failing.failures);
    expect([states.get("throws")?.givenUp, states.get("rejects")?.givenUp]).toEqual([0, 0]);
    for (const [key, { metadata }] of rig.api.objects)
      for (const form of ["throws", "rejects"]) expect(heard).toContain(`${form} ${key} @${metadata.resourceVersion}`);
    expect(states.get("hangs")?.pendingKeys).toBeLessThanOrEqual(50);
    await rig.stop();
  });

  it("A10: keeps at most a thousand pending changes for a slow handler and many updates of a thousand keys (250,000 in long mode) (§9.40)", async () => {
    const rig = informerRig();
    const slow = new HandlerLedger();
    const registration = rig.informer.addHandler(
      async (change) => {
        await sleep(rig.clock, 1000);
        slow.handle(change);
      },
      { name: "slow" },
    );
    let most = 0;
    for (let round = 0; round < (isLong ? 250 : 5); round++) {
      rig.write(...names(1000));
      await rig.settled(1000);
      most = Math.max(most, registration.state().pendingKeys);
    }
    expect(most).toBeLessThanOrEqual(1000);
    await rig.settled(1100 * 1000);
    expect(rig.differences()).toEqual([]);
    expect(slow.mistakes).toEqual([]);
    expect(slow.contents()).toEqual(rig.ledger.contents());
    await rig.stop();
  });

  it("A11: keeps the order of each object for an async handler of random latency over many events (100,000 in long mode)", async () => {
    const rig = informerRig();
    const random = rig.runtime.random.stream("test");
    const late = new HandlerLedger();
    rig.informer.addHandler(
      async (change) => {
        if (random.int(20) === 0) await sleep(rig.clock, random.int(30));
        late.handle(change);
      },
      { name: "late" },
    );
    for (let turn = 0; turn < (isLong ? 100_000 : 4000); turn++) {
      const name = `n${random.int(100)}`;
      if (random.int(10) === 0) rig.api.remove(`shop/${name}`);
      else rig.write(name);
      if (turn % 20 === 0) await rig.settled(50);
      if (turn % 2000 === 1999) rig.api.cut();
    }
    await rig.settled();
    expect(rig.differences()).toEqual([]);
    expect(late.mistakes).toEqual([]);
    expect(late.contents()).toEqual(rig.ledger.contents());
    await rig.stop();
  });

  it("A25: sends a handler added during a list, a burst or a relist the whole state once, and nothing after its removal", async () => {
    const rig = informerRig();
    const random = rig.runtime.random.stream("test");
    const ledgers: HandlerLedger[] = [];
    const leavers: { readonly ledger: HandlerLedger; readonly remove: () => void; counted: number | undefined }[] = [];
    rig.write(...names(100));
    for (let turn = 0; turn < 60; turn++) {
      for (let index = 0; index < 20; index++) {
        const name = `n${random.int(120)}`;
        if (random.int(8) === 0) rig.api.remove(`shop/${name}`);
        else rig.write(name);
      }
      if (turn % 10 === 5) rig.api.restart();
      const ledger = new HandlerLedger();
      const registration = rig.informer.addHandler(ledger.handle, { name: `handler ${turn}` });
      if (turn % 2 === 0) ledgers.push(ledger);
      else leavers.push({ ledger, remove: () => registration.remove(), counted: undefined });
      await rig.settled(random.int(1500));
      const leaver = leavers.at(-2);
      if (leaver !== undefined && leaver.counted === undefined) {
        leaver.remove();
        leaver.counted = leaver.ledger.count;
      }
    }
    await rig.settled();
    expect(rig.differences()).toEqual([]);
    for (const ledger of ledgers) {
      expect(ledger.mistakes).toEqual([]);
      expect(ledger.contents()).toEqual(rig.ledger.contents());
    }
    for (const { ledger, counted } of leavers) if (counted !== undefined) expect(ledger.count).toBe(counted);
    await rig.stop();
    expect(() => rig.informer.addHandler(() => undefined)).toThrow("the informer has stopped");
  });

  it("A27, W18: is updated only by the watch: a late response to a write does not move it back (§9.21)", async () => {
    const rig = informerRig();
    const writes = createReadYourWrites({ runtime: rig.runtime });
    const reader = writes.reader(ConfigMap, rig.informer);
    rig.write("web");
    await rig.settled(1000);
    const answer = rig.api.objects.get("shop/web");
    rig.write("web");
    await rig.settled(1000);
    await writes.transport(async () => jsonResponse(answer))({
      method: "PUT",
      path: "/api/v1/namespaces/shop/configmaps/web",
      headers: {},
    });
    await rig.settled(1000);
    const read = await reader.get("shop/web" as ObjectKey, { signal: new AbortController().signal });
    expect([
      answer?.metadata.resourceVersion,
      read?.metadata?.resourceVersion,
      reader.peek("shop/web" as ObjectKey)?.metadata?.resourceVersion,
    ]).toEqual(["2", "3", "3"]);
    expect(rig.differences()).toEqual([]);
    reader.close();
    await rig.stop();
  });

  it("A28: names a handler that modifies an object, and the cache stays unchanged", async () => {
    const rig = informerRig();
    rig.informer.addHandler(
      ({ object }) => {
        (object.data as Record<string, string>)["write"] = "mine";
      },
      { name: "vandal", retriesMax: 0 },
    );
    rig.write("web");
    await rig.settled(1000);
    expect(rig.informer.get("shop/web" as ObjectKey)?.data).toEqual({ write: "1" });
    const entry = rig.runtime.log.entries.find(({ message }) => message.includes("frozen"));
    expect(JSON.stringify(entry?.fields)).toContain("vandal");
    await rig.stop();
  });

  it("A32: indexes the other objects when an index function throws for one, and that object in the other indexes", async () => {
    const indexers: Indexers<ObjectVersion<ConfigMap>> = {
      firstLetter: ({ key }) => {
        if (key === "shop/bad") throw new Error("not this one");
        return [key.slice(5, 6)];
      },
      all: () => ["everything"],
    };
    const rig = informerRig({ informer: () => ({ indexers }) });
    rig.write("bad", "bold", "apt");
    await rig.settled(1000);
    rig.write("bad", "blunt");
    rig.api.remove("shop/bold");
    await rig.settled(1000);
    expect(rig.informer.indexKeys("firstLetter", "b")).toEqual(["shop/blunt"]);
    expect(rig.informer.indexKeys("all", "everything").toSorted()).toEqual(["shop/apt", "shop/bad", "shop/blunt"]);
    expect(rig.informer.indexKeys("namespace", "shop")).toHaveLength(3);
    expect(rig.differences()).toEqual([]);
    await rig.stop();
  });
});
