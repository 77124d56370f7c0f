import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import { jsonEqual } from "./json-equal.ts";
import type { KubeObject, ObjectMeta } from "../object/object.ts";
import { getOwn, setOwn } from "./own.ts";
import { deepCopy, deepFreeze, edit } from "./readonly.ts";
import type { DeepMutable, DeepReadonly } from "./readonly.ts";

const hostileKeys = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "", "a.b"];
const key = fc.oneof(fc.constantFrom(...hostileKeys), fc.string({ maxLength: 3 }));

/** JSON as the decoder makes it: every key an own one, big integers as bigint. */
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    fc.constantFrom<unknown>(null, true, false, 0, 1.5, "", "x", 2n ** 60n),
    fc.array(tie("json"), { maxLength: 3 }),
    fc.array(fc.tuple(key, tie("json")), { maxLength: 4 }).map((entries) => {
      const object: Record<string, unknown> = {};
      for (const [name, value] of entries) setOwn(object, name, value);
      return object;
    }),
  ),
}));

/** Every object and list inside. */
function nodes(value: unknown): object[] {
  if (typeof value !== "object" || value === null) return [];
  return [value, ...Object.values(value).flatMap(nodes)];
}
const nest = (depth: number): unknown => {
  let value: unknown = {};
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { inner: value };
  return value;
};

describe("deepFreeze", () => {
  it("freezes every object and list and returns the same value", () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(deepFreeze(value)).toBe(value);
        expect(nodes(value).every((node) => Object.isFrozen(node))).toBe(true);
      }),
    );
  });

  it("may be called again, and skips frozen values", () => {
    const pod = deepFreeze({ metadata: { labels: { app: "web" } } });
    expect(deepFreeze(pod)).toBe(pod);
    const around = deepFreeze({ before: {}, pod, after: [pod] });
    expect([around.before, around.after].every((node) => Object.isFrozen(node))).toBe(true);
  });

  it("survives any depth and a cycle", () => {
    expect(Object.isFrozen(deepFreeze(nest(100_000)))).toBe(true);
    const cycle: Record<string, unknown> = {};
    cycle["self"] = cycle;
    expect(Object.isFrozen(deepFreeze(cycle))).toBe(true);
  });

  it("leaves anything but plain objects and lists alone", () => {
    const bytes = new Uint8Array(2);
    const map = new Map([["a", 1]]);
    deepFreeze({ bytes, map });
    expect(Object.isFrozen(map)).toBe(false);
    bytes[0] = 1;
    expect(bytes[0]).toBe(1);
  });
});

describe("deepCopy", () => {
  it("returns an equal value that shares nothing, and leaves the original alone", () => {
    fc.assert(
      fc.property(json, (value) => {
        deepFreeze(value);
        const copy = deepCopy(value);
        expect(jsonEqual(copy, value)).toBe(true);
        const originals = new Set(nodes(value));
        expect(nodes(copy).some((node) => originals.has(node) || Object.isFrozen(node))).toBe(false);
      }),
    );
  });

  it("keeps every key in order, __proto__ too, and leaves the prototype alone", () => {
    const labels = JSON.parse('{"b":1,"__proto__":{"polluted":[true]},"constructor":2,"":3}') as Record<string, unknown>;
    const copy = deepCopy(deepFreeze(labels)) as Record<string, unknown>;
    expect(Object.keys(copy)).toEqual(["b", "__proto__", "constructor", ""]);
    expect(getOwn(copy, "__proto__")).toEqual({ polluted: [true] });
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(copy["polluted"]).toBeUndefined();
  });

  it("rejects what is not plain data", () => {
    expect(() => deepCopy({ when: new Map() })).toThrow("cannot copy a Map: API objects are plain data");
  });

  it("copies the deepest object the decoder allows", () => {
    expect(jsonEqual(deepCopy(nest(1000)), nest(1000))).toBe(true);
  });
});

describe("edit", () => {
  interface SmallPod {
    metadata: { name: string; labels: Record<string, string> };
    spec: { containers: { name: string; image: string }[] };
    status: { phase: string };
  }
  const pod = deepFreeze<SmallPod>({
    metadata: { name: "web", labels: { app: "web" } },
    spec: {
      containers: [
        { name: "a", image: "x" },
        { name: "b", image: "y" },
      ],
    },
    status: { phase: "Running" },
  });

  it("returns a changed copy and leaves the input alone", () => {
    const before = JSON.stringify(pod);
    const next = edit(pod, (draft) => {
      draft.metadata.labels["tier"] = "front";
      draft.spec.containers.push({ name: "c", image: "z" });
    });
    expect(next.metadata.labels).toEqual({ app: "web", tier: "front" });
    expect(next.spec.containers.map(({ name }) => name)).toEqual(["a", "b", "c"]);
    expect(JSON.stringify(pod)).toBe(before);
  });

  it("shares what did not change", () => {
    const next = edit(pod, (draft) => {
      const [, second] = draft.spec.containers;
      if (second !== undefined) second.image = "new";
    });
    expect(next).not.toBe(pod);
    expect(next.metadata).toBe(pod.metadata);
    expect(next.status).toBe(pod.status);
    expect(next.spec.containers[0]).toBe(pod.spec.containers[0]);
    expect(next.spec.containers[1]).toEqual({ name: "b", image: "new" });
  });

  it("returns the input itself when nothing changed in the end", () => {
    expect(edit(pod, () => {})).toBe(pod);
    expect(
      edit(pod, (draft) => {
        draft.status = { phase: "Running" };
        draft.metadata.labels["app"] = "other";
        draft.metadata.labels["app"] = "web";
      }),
    ).toBe(pod);
  });

  it("sees a removed field, a shorter list and a changed type", () => {
    expect(
      edit(pod, (draft) => {
        delete draft.metadata.labels["app"];
      }).metadata.labels,
    ).toEqual({});
    expect(
      edit(pod, (draft) => {
        draft.spec.containers.pop();
      }).spec.containers,
    ).toEqual([{ name: "a", image: "x" }]);
    expect(
      edit<Record<string, number>>({ a: 1 }, (draft) => {
        delete draft["a"];
        draft["b"] = 1;
      }),
    ).toEqual({ b: 1 });
    expect(
      edit({ a: [] as unknown }, (draft) => {
        draft.a = {};
      }),
    ).toEqual({ a: {} });
    expect(
      edit<{ a: unknown }>({ a: { 0: "x" } }, (draft) => {
        draft.a = ["x"];
      }),
    ).toEqual({ a: ["x"] });
  });

  it("never writes to objects that were put into the draft", () => {
    const shared = { phase: "Running", extra: { deep: [1] } };
    const old = { status: { phase: "Running", extra: { deep: [1] }, more: 1 } as object };
    const next = edit(old, (draft) => {
      draft.status = shared;
    });
    expect(next.status).toEqual({ phase: "Running", extra: { deep: [1] } });
    shared.extra.deep.push(2);
    expect(old).toEqual({ status: { phase: "Running", extra: { deep: [1] }, more: 1 } });
  });

  it("returns exactly the draft, whatever the change", () => {
    fc.assert(
      fc.property(json, json, key, (value, other, name) => {
        const old = deepFreeze({ value });
        const text = printed(old);
        const next = edit<Record<string, unknown>>(old, (draft) => {
          setOwn(draft, name, other);
        });
        const expected: Record<string, unknown> = { value };
        setOwn(expected, name, other);
        expect(jsonEqual(next, expected)).toBe(true);
        expect(printed(old)).toBe(text);
        expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
      }),
    );
  });
});

const printed = (value: unknown): string => JSON.stringify(value, (_name, part: unknown) => (typeof part === "bigint" ? `${part}n` : part));

describe("DeepReadonly and DeepMutable", () => {
  it("make every field and list read-only, and writable again", () => {
    interface Thing {
      name: string;
      tags: string[];
      nested?: { list: { a: number }[] };
      call: () => void;
    }
    expectTypeOf<DeepReadonly<Thing>>().toEqualTypeOf<{
      readonly name: string;
      readonly tags: readonly string[];
      readonly nested?: { readonly list: readonly { readonly a: number }[] };
      readonly call: () => void;
    }>();
    expectTypeOf<DeepMutable<DeepReadonly<Thing>>>().toEqualTypeOf<Thing>();
    expectTypeOf<DeepReadonly<string | null | undefined | 5n>>().toEqualTypeOf<string | null | undefined | 5n>();
  });

  it("let a draft be written and return the type that came in", () => {
    const cached = deepFreeze<KubeObject>({ metadata: { name: "web" } });
    expectTypeOf(cached).toEqualTypeOf<DeepReadonly<KubeObject>>();
    const next = edit(cached, (draft) => {
      expectTypeOf(draft).toExtend<KubeObject>();
      expectTypeOf(draft.metadata).toEqualTypeOf<ObjectMeta>();
      draft.metadata.finalizers = ["a"];
    });
    expectTypeOf(next).toEqualTypeOf<DeepReadonly<KubeObject>>();
    expect(() => {
      // @ts-expect-error -- cached objects are read-only
      cached.metadata.name = "other";
    }).toThrow(TypeError);
  });
});
