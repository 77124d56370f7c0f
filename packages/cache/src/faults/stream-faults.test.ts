/** Faults of a stream, by the rows of the catalogue: cuts, silence, junk, repetition, bookmarks, poison objects, selectors. */
import { encodeJson, encodeWatchEvent } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { reflectorRig } from "../testing/reflector-rig.ts";
import type { ReflectorRig } from "../testing/reflector-rig.ts";

const isLong = process.env["DROVER_LONG"] === "1";
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `n${index}`);
const bookmark = (resourceVersion: string): string =>
  encodeWatchEvent("BOOKMARK", encodeJson({ kind: "ConfigMap", apiVersion: "v1", metadata: { resourceVersion } }));
const line = (rig: ReflectorRig, key: string): string =>
  encodeWatchEvent("MODIFIED", encodeJson({ apiVersion: "v1", kind: "ConfigMap", ...rig.api.objects.get(key) }));

/** Checks at the end of every row: equal to the server, never moved back, one stream. */
function expectEqual(rig: ReflectorRig): void {
  expect(rig.differences()).toEqual([]);
  expect(rig.sink.wentBack).toEqual([]);
  expect(rig.api.openMax).toBeLessThanOrEqual(1);
}

describe("Reflector: connections", () => {
  it.each([1, 2, 3, 4, 5])(
    "A1: half-open at a random time, with up to a thousand commits meanwhile, are detected within 181 s and resumed without a list (seed %i) (§9.5)",
    async (seed) => {
      const rig = reflectorRig({ seed });
      const random = rig.runtime.random.stream("test");
      rig.write(...names(50));
      await rig.settled(random.int(120_000));
      rig.api.halfOpen();
      const before = rig.reflector.state();
      for (let commits = 100 + random.int(900); commits > 0; commits -= 10) {
        for (let index = 0; index < 10; index++) rig.write(`n${random.int(80)}`);
        await rig.settled(100);
      }
      await rig.clock.runUntil(() => rig.differences().length === 0, { limitMs: 126_000 + 800 });
      expectEqual(rig);
      expect(rig.reflector.state().lists - before.lists).toBe(0);
      expect(rig.reflector.state().watches - before.watches).toBe(1);
      await rig.stop();
    },
  );

  it.each([
    ["late", isLong ? 1 : 11],
    ["classic", isLong ? 1 : 37],
  ] as const)(
    "A12: cut at every byte of five events, in long mode, loses nothing and doubles nothing (%s, every %i)",
    async (source, stride) => {
      const recording = async (): Promise<Uint8Array> => {
        const rig = reflectorRig({ source });
        await rig.settled(1000);
        const lines = fiveEvents(rig).join("");
        await rig.stop();
        return new TextEncoder().encode(lines);
      };
      const bytes = await recording();
      const wrong: unknown[] = [];
      for (let cutAt = 0; cutAt <= bytes.length; cutAt += stride) {
        const rig = reflectorRig({ source });
        await rig.settled(2000);
        // Only this many bytes of what the server sends arrive.
        const [watch] = rig.api.watches;
        watch?.raw(bytes.subarray(0, cutAt));
        watch?.cut();
        fiveEvents(rig);
        await rig.settled(10_000);
        const told = rig.sink.calls.filter((call) => call.includes("shop/")).join(", ");
        const isRight = told === "ADDED shop/a @2, ADDED shop/ü @3, MODIFIED shop/a @4, DELETED shop/ü @5, ADDED shop/ü @6";
        if (!isRight || rig.differences().length > 0 || rig.reflector.state().lists !== 1)
          wrong.push({ cutAt, told, differences: rig.differences() });
        await rig.stop();
      }
      expect(wrong).toEqual([]);
    },
  );

  it("A13: deliver lines of 1 and 3 MiB; one above the limit ends the stream, and other reflectors are not affected", async () => {
    const rig = reflectorRig();
    await rig.settled(1000);
    for (const mebibytes of [1, 3])
      rig.api.put({ metadata: { namespace: "shop", name: `big-${mebibytes}` }, data: { text: "x".repeat(mebibytes << 20) } });
    await rig.settled(1000);
    expectEqual(rig);
    expect(rig.reflector.state()).toMatchObject({ watches: 1, hasFailed: false });
    rig.api.raw(`{"type":"ADDED","object":{"metadata":{"name":"huge","namespace":"shop"},"data":{"text":"${"x".repeat(64 << 20)}"}}}\n`);
    rig.write("after");
    await rig.settled();
    expectEqual(rig);
    expect(rig.reflector.state()).toMatchObject({ lists: 1, watches: 2 });
    expect(String(rig.reflector.state().lastError?.error)).toContain("line");
    await rig.stop();
  });
});

/** Creates an object, one with characters of two and four bytes, updates it, deletes it, creates it again. */
function fiveEvents({ api }: ReflectorRig): string[] {
  const a = { metadata: { namespace: "shop", name: "a" } };
  const umlaut = { metadata: { namespace: "shop", name: "ü" }, data: { text: 'ü😀"\\\u2028' } };
  const commits = [api.put(a), api.put(umlaut), api.put(a)];
  const last = api.objects.get("shop/ü");
  api.remove("shop/ü");
  const removed = { ...last, metadata: { ...last?.metadata, resourceVersion: String(api.revision) } };
  const again = api.put(umlaut);
  const text = (type: "ADDED" | "MODIFIED" | "DELETED", object: object): string =>
    encodeWatchEvent(type, encodeJson({ apiVersion: "v1", kind: "ConfigMap", ...object }));
  return [...commits.map(({ type, object }) => text(type, object)), text("DELETED", removed), text("ADDED", again.object)];
}

describe("Reflector: lines", () => {
  it("A15: junk ends the stream, which is resumed without a list; blank lines and CRLF are ignored (§9.6)", async () => {
    const rig = reflectorRig();
    rig.write("a");
    await rig.settled(5000);
    for (const blank of ["\n", "\r\n", "\n\n\n"]) rig.api.raw(blank);
    rig.write("b");
    await rig.settled(1000);
    expect(rig.reflector.state()).toMatchObject({ watches: 1, lists: 1, hasFailed: false });
    rig.api.raw(`${line(rig, "shop/b").trimEnd()}\r\n`);
    rig.api.raw("<html>bad gateway</html>\n");
    rig.write("c");
    await rig.settled();
    expectEqual(rig);
    expect(rig.reflector.state()).toMatchObject({ watches: 2, lists: 1 });
    expect(rig.reflector.state().lastError).toBeDefined();
    await rig.stop();
  });

  it("A16: a repeated line has no effect, and neither has an old one after a newer of the same object", async () => {
    const rig = reflectorRig();
    rig.write("a");
    await rig.settled(1000);
    const old = line(rig, "shop/a");
    rig.write("a");
    rig.api.raw(line(rig, "shop/a"));
    rig.api.raw(old);
    rig.write("b");
    await rig.settled(1000);
    expect(rig.sink.calls).toEqual(["replace 1 @2", "MODIFIED shop/a @3", "ADDED shop/b @4"]);
    expectEqual(rig);
    expect(rig.reflector.state()).toMatchObject({ refused: 2, lists: 1, watches: 1 });
    await rig.stop();
  });

  it("A16: a hundred old events in a row cause a relist", async () => {
    const rig = reflectorRig();
    rig.write("a", "b");
    await rig.settled(2000);
    const old = line(rig, "shop/a");
    for (let times = 0; times < 100; times++) rig.api.raw(old);
    await rig.settled();
    expectEqual(rig);
    expect(rig.reflector.state()).toMatchObject({ refused: 100, lists: 2 });
    await rig.stop();
  });
});

describe("Reflector: bookmarks", () => {
  it("A17: a hundred per second advance the version and nothing else (§9.8)", async () => {
    const rig = reflectorRig({ api: { bookmarkMs: 10 } });
    rig.write("a");
    await rig.settled(100);
    for (let second = 0; second < 10; second++) {
      rig.api.skip();
      await rig.settled(1000);
    }
    expect(rig.reflector.lastSyncResourceVersion()).toBe(String(rig.api.revision));
    expectEqual(rig);
    expect(rig.reflector.state()).toMatchObject({ lists: 1, watches: 1 });
    await rig.stop();
  });

  it("A17: missing on a busy stream have no effect; a quiet stream is reopened, and relisted from time to time", async () => {
    const rig = reflectorRig({ api: { bookmarkMs: Infinity } });
    for (let turn = 0; turn < 20; turn++) {
      rig.write("a");
      await rig.settled(60_000);
    }
    const busy = rig.reflector.state();
    expect(busy.lists).toBe(1);
    await rig.settled(30 * 60_000);
    const quiet = rig.reflector.state();
    expect(quiet.lists - busy.lists).toBeLessThanOrEqual(5);
    expectEqual(rig);
    await rig.stop();
  });

  it("A17: one older than the last event violates the protocol: the reflector relists, and the version does not go back", async () => {
    const rig = reflectorRig();
    rig.write("a", "b");
    await rig.settled(2000);
    rig.api.raw(bookmark("2"));
    await rig.settled();
    expectEqual(rig);
    expect(rig.reflector.state()).toMatchObject({ lists: 2, lastSyncResourceVersion: "3" });
    expect(String(rig.reflector.state().lastError?.error)).toContain("a bookmark at version 2, older than 3");
    await rig.stop();
  });
});

describe("Reflector: objects", () => {
  it("A21: one that cannot be decoded, in a watch or in a list, is reported with its key and does not affect others (§9.29)", async () => {
    const rig = reflectorRig({ api: { watchList: false } });
    rig.write("a");
    rig.api.put({ metadata: { namespace: "shop", name: "" } });
    rig.write("b");
    await rig.settled(1000);
    expect(rig.sink.contents()).toHaveLength(2);
    expect(rig.reflector.state()).toMatchObject({ poisonCount: 1, watches: 2 });
    rig.api.raw(
      '{"type":"ADDED","object":{"apiVersion":"v1","kind":"ConfigMap","metadata":{"namespace":"shop","resourceVersion":"99"}}}\n',
    );
    rig.write("c");
    await rig.settled(1000);
    const { poison, poisonCount, watches } = rig.reflector.state();
    expect([poisonCount, watches]).toEqual([2, 2]);
    expect(poison[0]?.message).toContain("metadata.name");
    expect(rig.sink.contents()).toHaveLength(3);
    expect(rig.runtime.log.entries.filter(({ level, message }) => level === "error" && message.includes("cannot be decoded"))).toHaveLength(
      2,
    );
    await rig.stop();
  });

  it("A24, W20: whose labels enter and leave a selector ten thousand times end in the matching state", async () => {
    const rig = reflectorRig({ select: { labelSelector: "app=web" } });
    const random = rig.runtime.random.stream("test");
    for (let turn = 0; turn < 10_000; turn++) {
      const labels = random.int(2) === 0 ? { app: "web" } : { app: "db" };
      rig.api.put({ metadata: { namespace: "shop", name: `n${random.int(20)}`, labels } });
      if (turn % 100 === 0) await rig.settled(100);
      if (turn % 3000 === 0) rig.api.cut();
    }
    await rig.settled();
    const matching = [...rig.api.objects].filter(([, { metadata }]) => metadata.labels?.["app"] === "web").map(([key]) => key);
    expect([...rig.sink.versions.keys()].toSorted()).toEqual(matching.toSorted());
    expect(rig.sink.wentBack).toEqual([]);
    await rig.stop();
  });
});
