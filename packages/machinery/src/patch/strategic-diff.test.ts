import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { deepFreeze } from "../json/readonly.ts";
import type { Schema } from "../schema/schema.ts";
import { jsonEqual } from "../json/json-equal.ts";
import type { JsonObject } from "../json/json-value.ts";
import { requireMetadataKeyUnchanged } from "./patch-precondition.ts";
import { diffStrategicMergePatch } from "./strategic-diff.ts";
import { applyStrategicMergePatch } from "./strategic-merge.ts";
import schemas from "./workload-schemas.vectors.json" with { type: "json" };

const podSchema: Schema = schemas.pod;
const deploymentSchema: Schema = schemas.deployment;

describe("diffStrategicMergePatch", () => {
  it("names only the changed container and field, and the order", () => {
    const pod = (image: string): JsonObject => ({
      spec: {
        containers: [
          { name: "web", image },
          { name: "log", image: "l" },
        ],
      },
    });
    expect(diffStrategicMergePatch(pod("1"), pod("2"), podSchema)).toEqual({
      spec: { containers: [{ name: "web", image: "2" }], "$setElementOrder/containers": [{ name: "web" }, { name: "log" }] },
    });
    expect(diffStrategicMergePatch(pod("1"), pod("1"), podSchema)).toEqual({});
  });

  it("lists retained keys where the schema requires it", () => {
    const volumes = (source: JsonObject): JsonObject => ({ spec: { volumes: [{ name: "v", ...source }] } });
    expect(diffStrategicMergePatch(volumes({ emptyDir: {} }), volumes({ configMap: { name: "c" } }), podSchema)).toEqual({
      spec: {
        volumes: [{ name: "v", emptyDir: null, configMap: { name: "c" }, $retainKeys: ["configMap", "name"] }],
        "$setElementOrder/volumes": [{ name: "v" }],
      },
    });
    expect(
      diffStrategicMergePatch(
        { spec: { strategy: { type: "A", rollingUpdate: {} } } },
        { spec: { strategy: { type: "B" } } },
        deploymentSchema,
      ),
    ).toEqual({ spec: { strategy: { type: "B", rollingUpdate: null, $retainKeys: ["type"] } } });
  });

  it("repeats an object with strategy replace whether it changed or not, as upstream", () => {
    const deployment = { spec: { selector: { matchLabels: { a: "1" } } } };
    expect(diffStrategicMergePatch(deployment, deployment, deploymentSchema)).toEqual(deployment);
  });

  it("considers unknown fields only where they differ", () => {
    expect(diffStrategicMergePatch({ bogus: { a: 1 }, list: [1], n: 1 }, { bogus: { a: 1 }, list: [1], n: 2 }, podSchema)).toEqual({
      n: 2,
    });
    expect(() => diffStrategicMergePatch({ bogus: { a: 1 } }, { bogus: { a: 2 } }, podSchema)).toThrow(
      'unable to find api field in struct Pod for the json field "bogus"',
    );
    expect(() => diffStrategicMergePatch({ list: [1] }, { list: [2] }, podSchema)).toThrow('for the json field "list"');
  });

  it("stops at a precondition", () => {
    expect(() =>
      diffStrategicMergePatch({ metadata: { name: "a" } }, { metadata: { name: "b" } }, podSchema, {
        preconditions: [requireMetadataKeyUnchanged("name")],
      }),
    ).toThrow("precondition failed for: map[metadata:map[name:b]]");
  });

  it("leads from one object to the other, and changes neither", () => {
    fc.assert(
      fc.property(podArbitrary, podArbitrary, (original, modified) => {
        deepFreeze([original, modified]);
        const patch = diffStrategicMergePatch(original, modified, podSchema);
        deepFreeze(patch);
        const result = applyStrategicMergePatch(original, patch, podSchema);
        expect(jsonEqual(withSortedFinalizers(result), withSortedFinalizers(modified))).toBe(true);
      }),
    );
  });
});

/** The one thing upstream's patch does not carry over: a list of scalars that ends up sorted keeps the order it had. */
function withSortedFinalizers(pod: JsonObject): JsonObject {
  const metadata = (pod["metadata"] ?? {}) as JsonObject;
  const finalizers = metadata["finalizers"] as string[] | undefined;
  return finalizers === undefined
    ? pod
    : { ...pod, metadata: { ...metadata, finalizers: finalizers.toSorted((a, b) => (a < b ? -1 : 1)) } };
}

const word = fc.constantFrom("a", "b", "c", "d");
const list = <T>(item: fc.Arbitrary<T>, identity: (item: T) => unknown): fc.Arbitrary<T[]> =>
  fc.uniqueArray(item, { maxLength: 4, selector: identity });
const env = list(fc.record({ name: word, value: word }, { requiredKeys: ["name"] }), ({ name }) => name);
const ports = list(
  fc.record({ containerPort: fc.constantFrom(80, 9, 443), protocol: word }, { requiredKeys: ["containerPort"] }),
  ({ containerPort }) => containerPort,
);
const containers = list(
  fc.record({ name: word, image: word, command: fc.array(word, { maxLength: 2 }), env, ports }, { requiredKeys: ["name"] }),
  ({ name }) => name,
);
const volumes = list(
  fc.record(
    { name: word, emptyDir: fc.record({ medium: word }, { requiredKeys: [] }), configMap: fc.record({ name: word }) },
    { requiredKeys: ["name"] },
  ),
  ({ name }) => name,
);
const podArbitrary = fc.record(
  {
    metadata: fc.record(
      { labels: fc.dictionary(word, word, { maxKeys: 3 }), finalizers: list(word, (each) => each) },
      { requiredKeys: [] },
    ),
    spec: fc.record({ containers, volumes, tolerations: fc.array(fc.record({ key: word }), { maxLength: 2 }) }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>;
