import { testRuntime } from "@drover/machinery/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtInResources } from "../builtin/built-in-resources.ts";
import { keyOf, ObjectStore } from "../registry/object-store.ts";
import type { Resource } from "../registry/resource.ts";
import { MemoryStore } from "../storage/memory-store.ts";
import { printerOf } from "../table/printers.ts";
import { KeptObjects } from "./kept-objects.ts";
import type { ReadObject } from "./kept-objects.ts";

const runtime = testRuntime();
const namespaces = builtInResources({ clock: runtime.clock, strategies: new Map(), printerOf, afterWrite: new Map() }).find(
  ({ kind }) => kind.plural === "namespaces",
) as Resource;

const labelOf: ReadObject<string> = ({ metadata }) => metadata.labels?.["a"];

const action = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ type: fc.constant("put" as const), name: fc.constantFrom("x", "y", "z"), value: fc.constantFrom("1", "2", "") }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("delete" as const), name: fc.constantFrom("x", "y", "z") }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("compact" as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("restore" as const) }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant("use" as const) }) },
);

describe("KeptObjects", () => {
  it("knows what the store has, whatever was written, deleted, compacted or restored in between", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 30 }), async (actions) => {
        const store = new MemoryStore({ clock: runtime.clock, metrics: runtime.metrics });
        const objects = new ObjectStore(store, { bytesMax: 1e6 });
        const followed = new KeptObjects(objects, namespaces, labelOf);
        const snapshot = store.snapshot();
        let expected = new Map<string, string>();
        for (const each of [...actions, { type: "use" as const }]) {
          if (each.type === "put" || each.type === "delete") {
            const key = keyOf(namespaces, "", each.name);
            const { stored } = await store.get(key);
            if (each.type === "delete") {
              if (stored !== undefined) await store.delete(key, stored.modRevision);
              expected.delete(each.name);
            } else {
              const object = { metadata: { name: each.name, ...(each.value === "" ? {} : { labels: { a: each.value } }) } };
              await objects.put(namespaces, key, object, { expected: stored?.modRevision ?? 0 });
              if (each.value === "") expected.delete(each.name);
              else expected.set(each.name, each.value);
            }
          } else if (each.type === "compact") {
            const revision = await store.revision();
            if (revision > (await store.compacted())) await store.compact(revision);
          } else if (each.type === "restore") {
            store.restore(snapshot);
            expected = new Map();
          } else expect(await followed.use((found) => Object.fromEntries(found))).toEqual(Object.fromEntries(expected));
        }
        store.close();
      }),
    );
  });

  it("answers at once when it has listed before", async () => {
    const objects = new ObjectStore(new MemoryStore({ clock: runtime.clock, metrics: runtime.metrics }), { bytesMax: 1e6 });
    const followed = new KeptObjects(objects, namespaces, labelOf);
    expect(followed.use((found) => found.size)).toBeInstanceOf(Promise);
    await followed.use(() => undefined);
    await objects.put(namespaces, keyOf(namespaces, "", "x"), { metadata: { name: "x", labels: { a: "1" } } }, { expected: 0 });
    expect(followed.use((found) => found.get("x"))).toBe("1");
  });
});
