import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InformerStore, namespaceIndexFunction } from "./informer-store.ts";
import type { StoreChange } from "./change.ts";
import type { ObjectVersion } from "../source/object-version.ts";
import { podVersion } from "../testing/pod-version.ts";
import type { TestPod } from "../testing/pod-version.ts";

function storeOf(...versions: ObjectVersion<TestPod>[]): { store: InformerStore<TestPod>; ignored: string[] } {
  const ignored: string[] = [];
  const store = new InformerStore<TestPod>({ onIgnored: (why) => ignored.push(why), onIndexError: () => undefined });
  for (const version of versions) store.upsert(version);
  return { store, ignored };
}

const word = (change: StoreChange<TestPod>): string => {
  const { type, uid, resourceVersion } = change;
  if (type === "updated") return `${type} ${uid}@${change.resourceVersionBefore}→${resourceVersion}`;
  if (type === "added") return `${type} ${uid}@${resourceVersion}${change.isInInitialList ? " initial" : ""}`;
  return `${type} ${uid}@${resourceVersion}${change.isFinalStateUnknown ? " unknown" : ""}`;
};
const words = (changes: Iterable<StoreChange<TestPod>>): string[] => [...changes].map(word);

/** Runs all steps of a replace at once. */
function replaced(
  store: InformerStore<TestPod>,
  versions: readonly ObjectVersion<TestPod>[],
  options: { isInInitialList?: boolean; keep?: ReadonlySet<string>; isNewEpoch?: boolean } = {},
): string[] {
  const steps = store.replace(versions, { isInInitialList: false, keep: new Set(), isNewEpoch: false, ...options });
  for (;;) {
    const step = steps.next();
    if (step.done === true) return words(step.value);
  }
}

const pod = (at: number, uid = "u1"): ObjectVersion<TestPod> => podVersion("shop/web", at, { uid });

describe("InformerStore", () => {
  it("derives added or updated from the stored state, not from the type of the event", () => {
    const { store } = storeOf();
    expect(words(store.upsert(pod(1)))).toEqual(["added u1@1"]);
    expect(words(store.upsert(pod(2)))).toEqual(["updated u1@1→2"]);
    expect(words(store.remove(pod(3)))).toEqual(["deleted u1@3"]);
    expect(store.versions.size).toBe(0);
  });

  it("ignores the same version again (W12), and an older one (A16, A27)", () => {
    const { store, ignored } = storeOf(pod(5));
    expect([store.upsert(pod(5)), store.upsert(pod(4)), store.remove(pod(3)), store.remove(podVersion("shop/other", 9))]).toEqual([
      [],
      [],
      [],
      [],
    ]);
    expect(ignored).toEqual(["unchanged", "stale", "stale", "unchanged"]);
    expect(store.versions.get("shop/web")?.resourceVersion).toBe("5");
  });

  it("does not resurrect a deleted object: ignores an event from before the deletion", () => {
    const { store } = storeOf(pod(5));
    store.remove(pod(7));
    expect(words(store.upsert(pod(6)))).toEqual([]);
    expect(words(store.upsert(pod(8)))).toEqual(["added u1@8"]);
    expect(words(store.upsert(podVersion("shop/unseen", 3, { uid: "u9" })))).toEqual(["added u9@3"]);
  });

  it("reports another uid under the same key as a deletion and an addition (W9)", () => {
    const { store } = storeOf(pod(1));
    expect(words(store.upsert(pod(4, "u2")))).toEqual(["deleted u1@1 unknown", "added u2@4"]);
    expect(words(store.upsert(pod(3, "u1")))).toEqual([]);
    expect(words(store.remove(pod(3, "u1")))).toEqual([]);
    expect(words(store.remove(pod(9, "u3")))).toEqual(["deleted u2@4 unknown"]);
  });

  it("accepts versions that cannot be compared", () => {
    const opaque = (resourceVersion: string): ObjectVersion<TestPod> => ({ ...pod(1), resourceVersion });
    const { store } = storeOf(opaque("b"));
    expect(words(store.upsert(opaque("a")))).toEqual(["updated u1@b→a"]);
    expect(words(store.upsert(opaque("a")))).toEqual([]);
    expect(words(store.upsert(opaque("")))).toEqual(["updated u1@a→"]);
    expect(words(store.upsert(opaque("")))).toEqual(["updated u1@→"]);
  });

  it("replace emits deletions first (W8), then additions and updates, and nothing for unchanged objects", () => {
    const same = podVersion("shop/same", 1);
    const { store } = storeOf(pod(1), same, podVersion("shop/gone", 2), podVersion("shop/other", 3, { uid: "o1" }));
    const told = replaced(store, [
      pod(9),
      podVersion("shop/same", 1),
      podVersion("shop/other", 8, { uid: "o2" }),
      podVersion("shop/new", 7),
    ]);
    expect(told).toEqual([
      "deleted shop/gone-uid@2 unknown",
      "deleted o1@3 unknown",
      "updated u1@1→9",
      "added o2@8",
      "added shop/new-uid@7",
    ]);
    expect(store.versions.get("shop/same")).toBe(same);
    expect([...store.versions.keys()]).toEqual(["shop/web", "shop/same", "shop/other", "shop/new"]);
  });

  it("replace accepts versions that go back: the history may have started again (W5)", () => {
    const { store } = storeOf(pod(9));
    store.remove(podVersion("shop/dead", 9, { uid: "d" }));
    expect(replaced(store, [pod(2)])).toEqual(["updated u1@9→2"]);
    expect(words(store.upsert(podVersion("shop/dead", 3, { uid: "d" })))).toEqual(["added d@3"]);
  });

  it("replace marks the first list, keeps the given keys, and uses the first of two objects with one key", () => {
    const { store } = storeOf();
    expect(replaced(store, [pod(1), pod(2)], { isInInitialList: true })).toEqual(["added u1@1 initial"]);
    expect(replaced(store, [], { keep: new Set(["shop/web", "shop/never-there"]) })).toEqual([]);
    expect([...store.versions.keys()]).toEqual(["shop/web"]);
  });

  it("replace shows readers the old state at every step, and keeps it when it is cancelled", () => {
    const { store } = storeOf(pod(1));
    const steps = store.replace([podVersion("shop/a", 2), podVersion("shop/b", 3)], {
      isInInitialList: false,
      keep: new Set(),
      isNewEpoch: false,
    });
    for (let step = steps.next(); step.done !== true; step = steps.next()) expect([...store.versions.keys()]).toEqual(["shop/web"]);
    expect([...store.versions.keys()]).toEqual(["shop/a", "shop/b"]);
    const half = store.replace([pod(4)], { isInInitialList: false, keep: new Set(), isNewEpoch: false });
    half.next();
    half.return([]);
    expect([...store.versions.keys()]).toEqual(["shop/a", "shop/b"]);
    expect(words(store.upsert(pod(4)))).toEqual(["added u1@4"]);
  });

  it("replace pauses after every few objects, of the list and of the old state", () => {
    const many = Array.from({ length: 1000 }, (_, index) => podVersion(`shop/n${index}`, index + 1));
    const { store } = storeOf(...many);
    const steps = store.replace([podVersion("shop/other", 2000)], { isInInitialList: false, keep: new Set(), isNewEpoch: false });
    let count = 0;
    while (steps.next().done !== true) count++;
    expect(count).toBeGreaterThan(1000 / 50);
    expect([...store.versions.keys()]).toEqual(["shop/other"]);
  });

  it("vanish deletes only objects that have not changed since they were seen", () => {
    const seen = pod(1);
    const { store } = storeOf(seen);
    store.upsert(pod(2));
    expect(store.vanish(seen)).toEqual([]);
    const now = store.versions.get("shop/web");
    expect(now && words(store.vanish(now))).toEqual(["deleted u1@2 unknown"]);
  });

  it("replace takes other content under the same uid and version in a new epoch, and keeps equal content (SEC2)", () => {
    const { store } = storeOf();
    replaced(store, [podVersion("shop/a", 5, { nodeName: "old" }), podVersion("shop/b", 6)]);
    const kept = store.versions.get("shop/b");
    const restored = [podVersion("shop/a", 5, { nodeName: "new" }), podVersion("shop/b", 6)];
    expect(replaced(store, restored)).toEqual([]);
    expect(replaced(store, restored, { isNewEpoch: true })).toEqual(["updated shop/a-uid@5→5"]);
    expect([store.versions.get("shop/a")?.object.spec?.nodeName, store.versions.get("shop/b") === kept]).toEqual(["new", true]);
  });

  it("replace compares content once an object is older than the stored one: the server was restored (SEC2)", () => {
    const { store } = storeOf();
    replaced(store, [podVersion("shop/a", 5, { nodeName: "old" }), podVersion("shop/b", 9)]);
    const steps = store.replace([podVersion("shop/a", 5, { nodeName: "new" }), podVersion("shop/b", 6)], {
      isInInitialList: false,
      keep: new Set(),
      isNewEpoch: false,
    });
    let step = steps.next();
    while (step.done !== true) step = steps.next();
    const changes = [...step.value];
    expect(words(changes)).toEqual(["updated shop/a-uid@5→5", "updated shop/b-uid@9→6"]);
    expect(changes.map((change) => change.type === "updated" && change.isNewEpoch)).toEqual([true, true]);
  });

  it("replace ends with the content of the server, whatever each epoch wrote under the same uids and versions (SEC2)", () => {
    const written = fc.record({
      key: fc.constantFrom("n/a", "n/b", "n/c"),
      at: fc.integer({ min: 1, max: 4 }),
      nodeName: fc.constantFrom("x", "y"),
    });
    const epochs = fc.array(fc.uniqueArray(written, { selector: ({ key }) => key }), { maxLength: 8 });
    fc.assert(
      fc.property(epochs, (lists) => {
        const { store } = storeOf();
        const known = new Map<string, string | undefined>();
        for (const list of lists) {
          const versions = list.map(({ key, at, nodeName }) => podVersion(key, at, { nodeName }));
          const steps = store.replace(versions, { isInInitialList: false, keep: new Set(), isNewEpoch: true });
          let step = steps.next();
          while (step.done !== true) step = steps.next();
          for (const change of step.value) {
            if (change.type === "updated") expect(change.object).not.toEqual(change.before);
            if (change.type === "deleted") known.delete(change.key);
            else known.set(change.key, change.object.spec?.nodeName);
          }
          const server = new Map(list.map(({ key, nodeName }) => [key, nodeName]));
          expect(new Map([...store.versions.entries()].map(([key, { object }]) => [key, object.spec?.nodeName]))).toEqual(server);
          expect(known).toEqual(server);
        }
      }),
    );
  });

  it("forgets old deletions, so that memory is bounded", () => {
    const { store } = storeOf();
    for (let at = 1; at <= 3000; at++) store.remove(podVersion(`p${at}`, at + 10));
    expect(words(store.upsert(podVersion("p3000", 5)))).toEqual([]);
    expect(words(store.upsert(podVersion("p1", 5)))).toEqual(["added p1-uid@5"]);
  });

  it("indexes namespaces from the key alone", () => {
    expect([namespaceIndexFunction(pod(1)), namespaceIndexFunction(podVersion("node-1", 1))]).toEqual([["shop"], []]);
  });

  it("emits changes that add up to the stored state, for random events", () => {
    const version = fc.record({ key: fc.constantFrom("n/a", "n/b"), uid: fc.constantFrom("1", "2"), at: fc.integer({ min: 1, max: 9 }) });
    const delta = fc.oneof(
      fc.record({ type: fc.constantFrom("upsert" as const, "remove" as const), version }),
      fc.record({ type: fc.constant("replace" as const), versions: fc.array(version, { maxLength: 3 }) }),
    );
    fc.assert(
      fc.property(fc.array(delta, { maxLength: 20 }), (deltas) => {
        const { store } = storeOf();
        const known = new Map<string, StoreChange<TestPod>>();
        const make = ({ key, uid, at }: { key: string; uid: string; at: number }): ObjectVersion<TestPod> =>
          podVersion(key, at, { uid: `${key}${uid}` });
        const follow = (change: StoreChange<TestPod>, isReplace: boolean): void => {
          const { key } = change;
          const before = known.get(key);
          if (change.type === "added") expect(before).toBeUndefined();
          if (change.type === "updated") expect(before?.object).toBe(change.before);
          if (change.type === "updated" && !isReplace)
            expect(Number(change.resourceVersion)).toBeGreaterThan(Number(before?.resourceVersion));
          if (change.type === "deleted") {
            expect(before?.uid).toBe(change.uid);
            known.delete(key);
          } else known.set(key, change);
        };
        for (const step of deltas) {
          if (step.type === "replace") {
            const steps = store.replace(step.versions.map(make), { isInInitialList: false, keep: new Set(), isNewEpoch: false });
            let result = steps.next();
            while (result.done !== true) result = steps.next();
            for (const change of result.value) follow(change, true);
          } else {
            for (const change of step.type === "upsert" ? store.upsert(make(step.version)) : store.remove(make(step.version)))
              follow(change, false);
          }
          const objects = (of: Iterable<readonly [string, { readonly object: unknown }]>): Map<string, unknown> =>
            new Map([...of].map(([key, { object }]) => [key, object]));
          expect(objects(store.versions.entries())).toEqual(objects(known));
        }
      }),
    );
  });
});
