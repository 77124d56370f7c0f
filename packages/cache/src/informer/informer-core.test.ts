import { testRuntime } from "@drover/machinery/testing";
import type { TestRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { InformerCore } from "./informer-core.ts";
import type { InformerCoreOptions } from "./informer-core.ts";
import type { ObjectVersion } from "../source/object-version.ts";
import { podVersion } from "../testing/pod-version.ts";
import type { TestPod } from "../testing/pod-version.ts";
import { VersionReader } from "../source/version-reader.ts";

interface Stage {
  readonly runtime: TestRuntime;
  readonly core: InformerCore<TestPod>;
  readonly stop: AbortController;
  readonly consumed: Promise<unknown>;
}

/** A running core on a clock that advances by a fifth of a millisecond with every read. */
function stage(options: Partial<InformerCoreOptions<TestPod>> = {}): Stage {
  const runtime = testRuntime();
  let nowMs = 0;
  const clock = {
    now: () => nowMs,
    monotonic: () => (nowMs += 0.2),
    timer: (delayMs: number, callback: () => void) => runtime.clock.timer(delayMs, callback),
  };
  const resource = { group: "", version: "v1", resource: "pods" };
  const core = new InformerCore<TestPod>({
    runtime: { ...runtime, clock },
    name: "pods",
    resource,
    transform: undefined,
    shelf: undefined,
    queueLengthMax: 100,
    sliceMs,
    ...options,
  });
  const stop = new AbortController();
  return { runtime, core, stop, consumed: core.consume(stop.signal).catch((error: unknown) => error) };
}

/** A long list and the maximum duration of a slice: in either mode the list takes about six slices. */
const [count, sliceMs] = process.env["DROVER_LONG"] === "1" ? [10_000, 10] : [2000, 2];

const many = (version: number): ObjectVersion<TestPod>[] =>
  Array.from({ length: count }, (_, index) => podVersion(`v${version}/p${index}`, version));
const census = ({ store: { versions } }: InformerCore<TestPod>): string =>
  versions
    .listIndexValues("namespace")
    .map((namespace) => `${namespace}: ${versions.indexKeys("namespace", namespace).length}`)
    .join();

describe("InformerCore", () => {
  it.each([
    ["", undefined],
    [", each object transformed on its way in", (object: ObjectVersion<TestPod>["object"]) => ({ ...object })],
  ])("processes a long list in slices, and readers see the complete old or new state (A20)%s", async (_, transform) => {
    const { runtime, core, stop, consumed } = stage({ transform });
    const seen: string[] = [];
    let told = 0;
    core.handlers.add(
      () => {
        told++;
      },
      {},
      [],
    );
    const look = (): void => {
      seen.push(census(core));
      if (told < 3 * count) runtime.clock.timer(0, look);
    };
    core.queue.replace(many(1), "1");
    core.queue.replace(many(2), "2");
    look();
    await runtime.clock.runAll();
    expect([...new Set(seen)]).toEqual(["", `v1: ${count}`, `v2: ${count}`]);
    // Building the first list alone reads the clock once per 32 objects, five reads per millisecond.
    expect(seen.filter((text) => text === "").length).toBeGreaterThan(5);
    expect([told, core.resourceVersion, core.synced.isOpen]).toEqual([3 * count, "2", true]);
    stop.abort(new Error("enough"));
    await runtime.clock.settle();
    expect(await consumed).toEqual(new Error("enough"));
    expect(runtime.clock.pending).toEqual([]);
  });

  it("sends a handler added during a replace the new state once, and not the changes to it (A25)", async () => {
    const { runtime, core, stop, consumed } = stage();
    const late: string[] = [];
    let deletions = 0;
    core.handlers.add(
      ({ type }) => {
        if (type === "deleted" && ++deletions === 100)
          core.handlers.add(
            (change) => {
              late.push(`${change.type} ${change.key.slice(0, 2)}`);
            },
            {},
            core.store.versions.values(),
          );
      },
      {},
      [],
    );
    core.queue.replace(many(1), "1");
    core.queue.replace(many(2), "2");
    await runtime.clock.runAll();
    expect([deletions, late.length, [...new Set(late)]]).toEqual([count, count, ["added v2"]]);
    stop.abort();
    await consumed;
  });

  it("keeps the old state when it is stopped within a list", async () => {
    const { runtime, core, stop, consumed } = stage();
    core.queue.replace([podVersion("old/a", 1)], "1");
    await runtime.clock.settle();
    core.queue.replace(many(2), "2");
    await runtime.clock.settle();
    expect(census(core)).toBe("old: 1");
    stop.abort(new Error("enough"));
    await runtime.clock.runAll();
    expect(await consumed).toEqual(new Error("enough"));
    expect([census(core), core.resourceVersion]).toEqual(["old: 1", "1"]);
  });

  it("applies an index added during a list to the new objects", async () => {
    const { runtime, core, stop, consumed } = stage();
    core.queue.replace(many(1), "1");
    await runtime.clock.settle();
    core.store.versions.addIndexers({ last: ({ key }) => [key.slice(-1)] });
    await runtime.clock.runAll();
    expect(core.store.versions.indexKeys("last", "7")).toHaveLength(count / 10);
    stop.abort();
    await consumed;
  });

  it("has synced when the first list was delivered, also an empty one, and marks only that list as initial", async () => {
    const { runtime, core, stop, consumed } = stage();
    const initial: boolean[] = [];
    const registration = core.handlers.add(
      (change) => {
        if (change.type === "added") initial.push(change.isInInitialList);
      },
      {},
      [],
    );
    core.queue.replace([podVersion("a", 1)], "1");
    await runtime.clock.settle();
    expect([core.synced.isOpen, registration.hasSynced]).toEqual([true, true]);
    core.queue.replace([podVersion("a", 1), podVersion("b", 2)], "2");
    core.queue.upsert(podVersion("c", 3));
    await runtime.clock.settle();
    expect(initial).toEqual([true, false, false]);
    const empty = stage();
    empty.core.queue.replace([], "9");
    await empty.runtime.clock.settle();
    expect([empty.core.synced.isOpen, empty.core.resourceVersion]).toEqual([true, "9"]);
    for (const { stop: end } of [{ stop }, empty]) end.abort();
    await Promise.all([consumed, empty.consumed]);
  });

  it("never moves its version back, except by a replace", async () => {
    const { runtime, core, stop, consumed } = stage();
    core.queue.replace([podVersion("a", 5)], "9");
    core.queue.upsert(podVersion("a", 6));
    core.queue.bookmark("8");
    await runtime.clock.settle();
    expect(core.resourceVersion).toBe("9");
    core.queue.replace([], "3");
    await runtime.clock.settle();
    expect(core.resourceVersion).toBe("3");
    stop.abort();
    await consumed;
  });

  it("runs internal work in the order of the queue", async () => {
    const { runtime, core, stop, consumed } = stage();
    const sizes: number[] = [];
    core.queue.enqueue(() => sizes.push(core.store.versions.size));
    core.queue.replace([podVersion("a", 1)], "1");
    core.queue.enqueue(() => sizes.push(core.store.versions.size));
    await runtime.clock.settle();
    expect(sizes).toEqual([0, 1]);
    stop.abort();
    await consumed;
  });

  it("compacts bytes when the shelf is worn, so that garbage stays bounded", async () => {
    const reader = new VersionReader<TestPod>({
      target: { group: "", version: "v1", kind: "Pod" },
      projection: "full",
      keepManagedFields: false,
      decode: "late",
      afterLook: "parsed",
      freeze: true,
    });
    const { runtime, core, stop, consumed } = stage({ shelf: reader.shelf, queueLengthMax: 1e6 });
    const padding = "x".repeat(4000);
    const pod = (name: string, version: number): ObjectVersion<TestPod> =>
      reader.read(
        new TextEncoder().encode(
          `{"metadata":{"name":"${name}","uid":"${name}","resourceVersion":"${version}"},"spec":{"nodeName":"${padding}"}}`,
        ),
      );
    let takes = 0;
    const take = reader.shelf.take.bind(reader.shelf);
    reader.shelf.take = (length) => {
      takes++;
      return take(length);
    };
    core.queue.replace(
      Array.from({ length: 500 }, (_, index) => pod(`p${index}`, index + 1)),
      "500",
    );
    await runtime.clock.runUntil(() => core.synced.isOpen);
    expect(takes).toBe(500);
    for (let version = 501; version <= 9000; version++) core.queue.upsert(pod(`p${1 + (version % 499)}`, version));
    await runtime.clock.runUntil(() => core.queue.length === 0);
    const moves = takes - 9000;
    expect([moves >= 500, moves < 9000, reader.shelf.isWorn]).toEqual([true, true, false]);
    expect(core.store.versions.get("p0")?.object.spec?.nodeName).toBe(padding);
    stop.abort();
    await runtime.clock.settle();
    await consumed;
  });
});
