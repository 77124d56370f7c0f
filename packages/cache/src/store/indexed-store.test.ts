import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { IndexedStore } from "./indexed-store.ts";
import type { IndexFailure } from "./indexed-store.ts";

interface Car {
  readonly colors: readonly string[];
  readonly size: number;
}

const byColor = (car: Car): readonly string[] => {
  if (car.colors.includes("broken")) throw new Error("no colour can be made out");
  return car.colors;
};
const bySize = ({ size }: Car): readonly string[] => [String(size)];

function cars(): { store: IndexedStore<Car>; failures: IndexFailure[] } {
  const failures: IndexFailure[] = [];
  return { store: new IndexedStore<Car>({ indexers: { color: byColor }, onIndexError: (failure) => failures.push(failure) }), failures };
}

const car = (...colors: string[]): Car => ({ colors, size: 1 });

describe("IndexedStore", () => {
  it("finds values by key and by index, and returns the previous value", () => {
    const { store } = cars();
    const red = car("red");
    expect(store.set("a", red)).toBeUndefined();
    expect(store.set("a", red)).toBe(red);
    expect([store.get("a"), store.has("a"), store.has("b"), store.size]).toEqual([red, true, false, 1]);
    expect(store.byIndex("color", "red")).toEqual([red]);
    expect(store.delete("a")).toBe(red);
    expect(store.delete("a")).toBeUndefined();
    expect(store.byIndex("color", "red")).toEqual([]);
  });

  it("moves a key between index values and frees empty sets", () => {
    const { store } = cars();
    store.set("a", car("foo", "bar"));
    store.set("b", car("foo"));
    store.set("a", car("foo"));
    expect(store.listIndexValues("color")).toEqual(["foo"]);
    expect(store.indexKeys("color", "foo")).toEqual(["a", "b"]);
    store.set("a", car());
    expect(store.indexKeys("color", "foo")).toEqual(["b"]);
    store.delete("b");
    expect(store.listIndexValues("color")).toEqual([]);
  });

  it("sorts index keys as Go does, and ignores duplicate index values", () => {
    const { store } = cars();
    for (const key of ["\u{1f600}", "b", "\uffee", "a"]) store.set(key, car("red", "red"));
    expect(store.indexKeys("color", "red")).toEqual(["a", "b", "\uffee", "\u{1f600}"]);
  });

  it("addIndexers indexes existing values, and adds none if a name is taken", () => {
    const { store } = cars();
    store.set("a", car("red"));
    expect(() => store.addIndexers({ size: bySize, color: byColor })).toThrow('indexer conflict: "color" exists already');
    expect(() => store.byIndex("size", "1")).toThrow('Index with name size does not exist; there are "color"');
    store.addIndexers({ size: bySize });
    expect(store.indexKeys("size", "1")).toEqual(["a"]);
    expect([store.indexNames, store.indexers]).toEqual([["color", "size"], { color: byColor, size: bySize }]);
  });

  it("keeps an object whose index function throws, reports it, and keeps the other entries correct (A32)", () => {
    const { store, failures } = cars();
    store.addIndexers({ size: bySize });
    store.set("a", car("red"));
    store.set("b", car("red"));
    store.set("a", car("broken"));
    expect(failures).toMatchObject([{ index: "color", key: "a", error: new Error("no colour can be made out") }]);
    expect(store.get("a")).toEqual(car("broken"));
    expect(store.indexKeys("color", "red")).toEqual(["b"]);
    expect(store.indexKeys("size", "1")).toEqual(["a", "b"]);
    store.set("a", car("blue"));
    expect(store.indexKeys("color", "blue")).toEqual(["a"]);
  });

  it("calls an index function once per value, so that it need not be deterministic", () => {
    let turn = 0;
    const store = new IndexedStore<number>({ indexers: { turn: () => [`turn ${turn++}`] }, onIndexError: () => undefined });
    store.set("a", 1);
    store.set("a", 2);
    store.delete("a");
    expect([turn, store.listIndexValues("turn")]).toEqual([2, []]);
  });

  it("shows a replacement completely or not at all, including indexes added meanwhile", () => {
    const { store } = cars();
    store.set("old", car("red"));
    const next = store.beginReplace();
    next.set("new", car("blue"));
    store.addIndexers({ size: bySize });
    next.set("newer", car("blue"));
    expect([[...store.keys()], store.indexKeys("size", "1"), store.byIndex("color", "blue")]).toEqual([["old"], ["old"], []]);
    expect([next.has("new"), next.get("old")]).toEqual([true, undefined]);
    next.commit();
    expect([[...store.keys()], store.indexKeys("size", "1"), store.byIndex("color", "red")]).toEqual([
      ["new", "newer"],
      ["new", "newer"],
      [],
    ]);
    expect(() => next.commit()).toThrow("this replacement was committed or discarded");
  });

  it("drops a discarded replacement", () => {
    const { store } = cars();
    store.set("old", car("red"));
    const next = store.beginReplace();
    next.set("new", car("red"));
    next.discard();
    expect(store.indexKeys("color", "red")).toEqual(["old"]);
    expect(() => next.commit()).toThrow("this replacement was committed or discarded");
  });

  it("accepts keys and index values such as __proto__", () => {
    const { store } = cars();
    for (const name of ["__proto__", "constructor", ""]) store.set(name, car(name));
    expect(store.indexKeys("color", "__proto__")).toEqual(["__proto__"]);
    expect(store.byIndex("color", "constructor")).toEqual([car("constructor")]);
    expect(store.byIndex("color", "toString")).toEqual([]);
  });

  it("equals a model that recomputes everything, after random operations", () => {
    const key = fc.constantFrom("a", "b", "c", "d");
    const value = fc.record({ colors: fc.subarray(["red", "blue", "green", "broken"]), size: fc.nat(2) });
    const operation = fc.oneof(
      fc.record({ type: fc.constant("set" as const), key, value }),
      fc.record({ type: fc.constant("delete" as const), key }),
      fc.record({ type: fc.constant("replace" as const), entries: fc.array(fc.tuple(key, value), { maxLength: 4 }) }),
      fc.record({ type: fc.constant("index" as const) }),
    );
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 30 }), (operations) => {
        const { store } = cars();
        let model = new Map<string, Car>();
        const indexers = new Map([["color", byColor]]);
        for (const step of operations) {
          if (step.type === "set") {
            store.set(step.key, step.value);
            model.set(step.key, step.value);
          }
          if (step.type === "delete") {
            store.delete(step.key);
            model.delete(step.key);
          }
          if (step.type === "replace") {
            store.replace(step.entries);
            model = new Map(step.entries);
          }
          if (step.type === "index" && !indexers.has("size")) {
            store.addIndexers({ size: bySize });
            indexers.set("size", bySize);
          }
          expect(new Map(store.entries())).toEqual(model);
          for (const [name, valuesOf] of indexers) expect(indexOf(store, name)).toEqual(modelIndex(model, valuesOf));
        }
      }),
      { numRuns: Math.ceil((fc.readConfigureGlobal()?.numRuns ?? 200) / 4) },
    );
  });
});

function indexOf(store: IndexedStore<Car>, name: string): [string, string[]][] {
  return store
    .listIndexValues(name)
    .toSorted()
    .map((value): [string, string[]] => [value, store.indexKeys(name, value)]);
}

function modelIndex(model: ReadonlyMap<string, Car>, valuesOf: (car: Car) => readonly string[]): [string, string[]][] {
  const index = new Map<string, string[]>();
  for (const [key, value] of [...model].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    let values: readonly string[] = [];
    try {
      values = valuesOf(value);
    } catch {
      /* the index does not know it */
    }
    for (const one of new Set(values)) index.set(one, [...(index.get(one) ?? []), key]);
  }
  return [...index].toSorted(([a], [b]) => (a < b ? -1 : 1));
}
