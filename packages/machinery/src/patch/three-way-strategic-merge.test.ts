import { describe, expect, it } from "vitest";

import { deepFreeze } from "../json/readonly.ts";
import type { Schema } from "../schema/schema.ts";
import { requireKeyUnchanged } from "./patch-precondition.ts";
import { applyStrategicMergePatch } from "./strategic-merge.ts";
import type { ThreeStates } from "./three-way-merge-patch.ts";
import { threeWayStrategicMergePatch } from "./three-way-strategic-merge.ts";
import schemas from "./workload-schemas.vectors.json" with { type: "json" };

const podSchema: Schema = schemas.pod;

const states: ThreeStates = {
  original: {
    spec: {
      containers: [
        { name: "web", image: "1", command: ["x"] },
        { name: "old", image: "o" },
      ],
      nodeSelector: { a: "1", b: "2" },
    },
  },
  modified: { spec: { containers: [{ name: "web", image: "2" }], nodeSelector: { a: "1" } } },
  current: {
    spec: {
      containers: [
        { name: "injected" },
        { name: "web", image: "1", command: ["x"], ports: [{ containerPort: 80 }] },
        { name: "old", image: "o" },
      ],
      nodeSelector: { a: "1", b: "2", c: "3" },
    },
  },
};
deepFreeze(states);

describe("threeWayStrategicMergePatch", () => {
  it("deletes what the user removed, sets what the user wants, and keeps what others added", () => {
    const patch = threeWayStrategicMergePatch(states, podSchema);
    expect(patch).toEqual({
      spec: {
        containers: [
          { name: "web", image: "2", command: null },
          { name: "old", $patch: "delete" },
        ],
        "$setElementOrder/containers": [{ name: "web" }],
        nodeSelector: { b: null },
      },
    });
    expect(applyStrategicMergePatch(states.current, patch, podSchema)).toEqual({
      spec: {
        containers: [{ name: "injected" }, { name: "web", image: "2", ports: [{ containerPort: 80 }] }],
        nodeSelector: { a: "1", c: "3" },
      },
    });
  });

  it("overwrites changes of others, or refuses to", () => {
    const clash: ThreeStates = {
      original: { spec: { nodeSelector: { a: "1" } } },
      modified: { spec: { nodeSelector: { a: "2" } } },
      current: { spec: { nodeSelector: { a: "3" } } },
    };
    expect(threeWayStrategicMergePatch(clash, podSchema)).toEqual(clash.modified);
    expect(() => threeWayStrategicMergePatch(clash, podSchema, { conflicts: "refuse" })).toThrow(
      "conflicts with changes made from original to current",
    );
    expect(threeWayStrategicMergePatch(states, podSchema, { conflicts: "refuse" })).toEqual(threeWayStrategicMergePatch(states, podSchema));
  });

  it("keeps a list as the user wrote it when it checks for conflicts", () => {
    // Upstream sorts the list inside the patch while it compares, and returns a directive in another order than requested.
    const pod = (...command: string[]): ThreeStates["current"] => ({ spec: { containers: [{ name: "web", command }] } });
    const patch = threeWayStrategicMergePatch(
      { original: pod("x"), modified: pod("run", "fast"), current: pod("fast", "run") },
      podSchema,
      { conflicts: "refuse" },
    );
    expect(patch).toMatchObject({ spec: { containers: [{ name: "web", command: ["run", "fast"] }] } });
  });

  it("stops at a precondition", () => {
    expect(() =>
      threeWayStrategicMergePatch({ original: {}, modified: { kind: "B" }, current: { kind: "A" } }, podSchema, {
        preconditions: [requireKeyUnchanged("kind")],
      }),
    ).toThrow("precondition failed for: map[kind:B]");
  });
});
