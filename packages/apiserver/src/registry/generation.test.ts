import type { JsonObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { beginGeneration, nextGeneration } from "./generation.ts";
import type { GenerationRule } from "./resource-rules.ts";

const old: JsonObject = {
  metadata: { generation: 4, labels: { a: "b" }, annotations: { c: "d" } },
  spec: { x: 1 },
  status: { y: 1 },
  data: { z: 1 },
};
const changes: Readonly<Record<string, JsonObject>> = {
  nothing: {},
  spec: { spec: { x: 2 } },
  status: { status: { y: 2 } },
  data: { data: {} },
  labels: { metadata: { generation: 1, labels: {}, annotations: { c: "d" } } },
  annotations: { metadata: { labels: { a: "b" } } },
};

describe("nextGeneration", () => {
  it.each([
    ["none", []],
    ["once", []],
    ["spec", ["spec"]],
    ["spec-and-annotations", ["spec", "annotations"]],
    ["all-but-status", ["spec", "data"]],
    ["all", ["spec", "status", "data"]],
    ["all-and-labels", ["spec", "status", "data", "labels"]],
  ] as const)("with the rule %s increments the generation for changes of %j only", (rule: GenerationRule, counted) => {
    for (const [name, change] of Object.entries(changes)) {
      const object = structuredClone({ ...old, ...change });
      nextGeneration(rule, object, old);
      expect([name, (object["metadata"] as JsonObject)["generation"]]).toEqual([
        name,
        (counted as readonly string[]).includes(name) ? 5 : 4,
      ]);
    }
  });
  it("beginGeneration starts at 1 for kinds that have a generation", () => {
    const [counted, free]: JsonObject[] = [{ metadata: { generation: 7 } }, { metadata: { generation: 7 } }];
    beginGeneration("spec", counted ?? {});
    beginGeneration("none", free ?? {});
    expect([counted, free]).toEqual([{ metadata: { generation: 1 } }, { metadata: { generation: 7 } }]);
  });
});
