import { describe, expect, it } from "vitest";

import { deepFreeze } from "../json/readonly.ts";
import { applyMergePatch } from "./merge-patch.ts";
import { requireMetadataKeyUnchanged } from "./patch-precondition.ts";
import { mergePatchesConflict, threeWayMergePatch } from "./three-way-merge-patch.ts";
import type { ThreeStates } from "./three-way-merge-patch.ts";

const states: ThreeStates = {
  original: { spec: { image: "a:1", debug: true, args: ["x"] } },
  modified: { spec: { image: "a:2", args: ["x"], extra: {} } },
  current: { spec: { image: "a:1", debug: true, args: ["y"], replicas: 3 }, status: { ready: 1 } },
};

describe("threeWayMergePatch", () => {
  it("deletes what the user removed, sets what the user wants, and keeps what others added", () => {
    deepFreeze(states);
    const patch = threeWayMergePatch(states);
    expect(patch).toEqual({ spec: { debug: null, image: "a:2", args: ["x"], extra: {} } });
    expect(applyMergePatch(states.current, patch)).toEqual({
      spec: { image: "a:2", args: ["x"], extra: {}, replicas: 3 },
      status: { ready: 1 },
    });
  });

  it("is empty once it has been applied", () => {
    const current = applyMergePatch(states.current, threeWayMergePatch(states)) as ThreeStates["current"];
    expect(threeWayMergePatch({ original: states.modified, modified: states.modified, current })).toEqual({});
  });

  it("stops at a precondition", () => {
    const renamed = { original: {}, modified: { metadata: { name: "b" } }, current: { metadata: { name: "a" } } };
    expect(() => threeWayMergePatch(renamed, { preconditions: [requireMetadataKeyUnchanged("name")] })).toThrow(
      "precondition failed for: map[metadata:map[name:b]]",
    );
  });
});

describe("mergePatchesConflict", () => {
  it("is true where both set the same key differently", () => {
    expect(mergePatchesConflict({ a: 1, b: { c: 1 } }, { b: { d: 2 }, e: 3 })).toBe(false);
    expect(mergePatchesConflict({ a: { b: 1 } }, { a: { b: null } })).toBe(true);
    expect(mergePatchesConflict({ a: { b: 1 } }, { a: 5 })).toBe(true);
    expect(mergePatchesConflict({ a: [1, { b: 1 }] }, { a: [1, { c: 1 }] })).toBe(false);
    expect(mergePatchesConflict({ a: [1] }, { a: [1, 2] })).toBe(true);
    expect(mergePatchesConflict({ a: 1 }, { a: 1n })).toBe(false);
    expect(mergePatchesConflict({ toString: 1 }, {})).toBe(false);
  });
});
