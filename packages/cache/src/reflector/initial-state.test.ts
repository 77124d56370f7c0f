import fc from "fast-check";
import type { ObjectKey } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { ObjectVersion } from "../source/object-version.ts";
import { podVersion } from "../testing/pod-version.ts";
import type { TestPod } from "../testing/pod-version.ts";
import { InitialState } from "./initial-state.ts";

const sorted = (versions: Iterable<ObjectVersion<TestPod>>): string[] =>
  [...versions].map(({ key, resourceVersion }) => `${key}@${resourceVersion}`).toSorted();

describe("InitialState", () => {
  it("has the last version of each key, whatever the order of the events", () => {
    const key = fc.constantFrom("shop/a", "shop/b", "shop/c", "a/z", "web", "shop/aa").map((text) => text as ObjectKey);
    const ascending = fc.constant(["a/z", "shop/a", "shop/aa", "shop/b", "web"] as ObjectKey[]);
    const step = fc.record({ key, isDeletion: fc.boolean() });
    fc.assert(
      fc.property(fc.option(ascending, { nil: [] }), fc.array(step, { maxLength: 12 }), (first, steps) => {
        const [state, model] = [new InitialState<TestPod>(), new Map<ObjectKey, ObjectVersion<TestPod>>()];
        const events = [...first.map((each) => ({ key: each, isDeletion: false })), ...steps];
        for (const [at, event] of events.entries()) {
          const version = podVersion(event.key, at + 1);
          if (event.isDeletion) {
            state.delete(event.key);
            model.delete(event.key);
          } else {
            state.set(version);
            model.set(event.key, version);
          }
        }
        expect(sorted(state.versions())).toEqual(sorted(model.values()));
      }),
    );
  });

  it("keeps the order of a sorted list", () => {
    const state = new InitialState<TestPod>();
    for (const name of ["a", "b", "c", "d"]) state.set(podVersion(name, 1));
    state.set(podVersion("b", 2));
    state.delete("c" as ObjectKey);
    expect(state.versions().map(({ key, resourceVersion }) => `${key}@${resourceVersion}`)).toEqual(["a@1", "b@2", "d@1"]);
  });
});
