import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { deepFreeze } from "../json/readonly.ts";
import type { Schema } from "../schema/schema.ts";
import type { JsonObject } from "../json/json-value.ts";
import { MergePatchError } from "./merge-patch-error.ts";
import { applyStrategicMergePatch, mergeStrategically, parseStrategicMergePatch } from "./strategic-merge.ts";
import schemas from "./workload-schemas.vectors.json" with { type: "json" };

const podSchema: Schema = schemas.pod;
const deploymentSchema: Schema = schemas.deployment;

const pod: JsonObject = {
  metadata: { name: "web", labels: { app: "web", tier: "front" }, finalizers: ["a", "b"] },
  spec: {
    nodeSelector: { disk: "ssd" },
    tolerations: [{ key: "x" }],
    containers: [
      { name: "web", image: "web:1", command: ["run"], env: [{ name: "A", value: "1" }], ports: [{ containerPort: 80 }] },
      { name: "log", image: "log:1" },
    ],
    volumes: [{ name: "v", emptyDir: {} }],
  },
};
deepFreeze(pod);

const patchPod = (patch: JsonObject): JsonObject => applyStrategicMergePatch(pod, patch, podSchema);
const patchSpec = (spec: JsonObject): JsonObject => patchPod({ spec })["spec"] as JsonObject;
const patchMeta = (metadata: JsonObject): JsonObject => patchPod({ metadata })["metadata"] as JsonObject;

describe("applyStrategicMergePatch", () => {
  it("merges containers by name and their variables too, and replaces other lists", () => {
    expect(
      patchSpec({
        containers: [{ name: "web", image: "web:2", command: ["go"], env: [{ name: "B", value: "2" }] }],
        tolerations: [{ key: "y" }],
      }),
    ).toMatchObject({
      tolerations: [{ key: "y" }],
      containers: [
        {
          name: "web",
          image: "web:2",
          command: ["go"],
          env: [
            { name: "B", value: "2" },
            { name: "A", value: "1" },
          ],
          ports: [{ containerPort: 80 }],
        },
        { name: "log", image: "log:1" },
      ],
    });
  });

  it("puts a new container first", () => {
    expect(patchSpec({ containers: [{ name: "new", image: "n" }] })["containers"]).toMatchObject([
      { name: "new" },
      { name: "web" },
      { name: "log" },
    ]);
  });

  it("deletes with null, with a marked item, and from a list of scalars", () => {
    expect(patchMeta({ labels: { tier: null, gone: null } })["labels"]).toEqual({ app: "web" });
    expect(patchSpec({ containers: [{ name: "web", $patch: "delete" }] })["containers"]).toEqual([{ name: "log", image: "log:1" }]);
    expect(patchMeta({ "$deleteFromPrimitiveList/finalizers": ["a", "z"] })["finalizers"]).toEqual(["b"]);
    expect(patchPod({ metadata: { $patch: "delete" } })["metadata"]).toEqual({});
  });

  it("replaces a marked object or list", () => {
    expect(patchMeta({ labels: { $patch: "replace", only: "this" } })["labels"]).toEqual({ only: "this" });
    expect(patchSpec({ containers: [{ $patch: "replace" }, { name: "solo" }] })["containers"]).toEqual([{ name: "solo" }]);
  });

  it("follows $setElementOrder", () => {
    expect(patchSpec({ "$setElementOrder/containers": [{ name: "log" }, { name: "web" }] })["containers"]).toMatchObject([
      { name: "log" },
      { name: "web" },
    ]);
    expect(
      patchMeta({ finalizers: ["c"], "$setElementOrder/finalizers": ["b", "c"], "$deleteFromPrimitiveList/finalizers": ["a"] })[
        "finalizers"
      ],
    ).toEqual(["b", "c"]);
  });

  it("lets a new item take the place of a deleted one when an order is given", () => {
    const containers = [{ name: "log", $patch: "delete" }, { name: "new" }];
    expect(patchSpec({ containers })["containers"]).toMatchObject([{ name: "new" }, { name: "web" }]);
    expect(patchSpec({ containers, "$setElementOrder/containers": [{ name: "new" }] })["containers"]).toMatchObject([
      { name: "web" },
      { name: "new" },
    ]);
  });

  it("retains only the keys of $retainKeys", () => {
    expect(patchSpec({ volumes: [{ name: "v", configMap: { name: "c" }, $retainKeys: ["name", "configMap"] }] })["volumes"]).toEqual([
      { name: "v", configMap: { name: "c" } },
    ]);
    const deployment = { spec: { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } } } };
    expect(
      applyStrategicMergePatch(deployment, { spec: { strategy: { $retainKeys: ["type"], type: "Recreate" } } }, deploymentSchema),
    ).toEqual({ spec: { strategy: { type: "Recreate" } } });
    expect(
      applyStrategicMergePatch(
        { spec: { selector: { matchLabels: { a: "1" } } } },
        { spec: { selector: { matchLabels: { b: "2" } } } },
        deploymentSchema,
      ),
    ).toEqual({ spec: { selector: { matchLabels: { b: "2" } } } });
  });

  it("keeps unknown fields, and drops nulls and marked objects from new values", () => {
    expect(patchSpec({ bogus: { a: null, b: [{ $patch: "delete" }, { c: null }] } })["bogus"]).toEqual({ b: [{}] });
    expect(() => applyStrategicMergePatch({ bogus: {} }, { bogus: {} }, podSchema)).toThrow(
      'unable to find api field in struct Pod for the json field "bogus"',
    );
  });

  it.each<[string, JsonObject, MergePatchError["reason"], string]>([
    [
      "an item without merge key",
      { spec: { containers: [{ image: "x" }] } },
      "inapplicable",
      "map: map[image:x] does not contain declared merge key: name",
    ],
    ["an unknown marker", { spec: { $patch: "zap" } }, "inapplicable", "unknown patch type: zap in map: map[$patch:zap]"],
    ["lists of lists", { metadata: { finalizers: [["a"]] } }, "inapplicable", "list element types are not identical: [[a b] [[a]]]"],
    [
      "a patch outside its order",
      { spec: { containers: [{ name: "x" }], "$setElementOrder/containers": [{ name: "y" }] } },
      "inapplicable",
      "The order in patch list:\n[map[name:x]]\n doesn't match $setElementOrder list:\n[map[name:y]]\n",
    ],
    [
      "keys that are not retained",
      { spec: { volumes: [{ name: "v", $retainKeys: ["name"], emptyDir: {} }] } },
      "malformed",
      "invalid patch format of retainKeys",
    ],
    ["retained keys that are no list", { spec: { $retainKeys: 1 } }, "malformed", "invalid patch format of retainKeys"],
    ["a parallel list without a field", { spec: { $deleteFromPrimitiveListX: [] } }, "malformed", "invalid patch format of primitive list"],
    ["an order without a field", { spec: { $setElementOrder: [] } }, "malformed", "invalid patch format of setElementOrder list"],
    [
      "an order that is no list",
      { spec: { "$setElementOrder/containers": {} } },
      "inapplicable",
      "expected a []interface {}, but received a map[string]interface {}",
    ],
  ])("rejects %s", (_what, patch, reason, message) => {
    try {
      patchPod(patch);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(MergePatchError);
      expect(error).toMatchObject({ reason, message });
    }
  });

  it("rejects lists of lists as unprocessable", () => {
    expect(() => applyStrategicMergePatch({ metadata: { finalizers: [["a"]] } }, { metadata: { finalizers: [["b"]] } }, podSchema)).toThrow(
      "lists of lists are not supported",
    );
  });

  it("must be an object; null changes nothing", () => {
    expect(parseStrategicMergePatch(null)).toEqual({});
    expect(parseStrategicMergePatch({ a: 1 })).toEqual({ a: 1 });
    expect(() => parseStrategicMergePatch([])).toThrow("json: cannot unmarshal array into Go value of type map[string]interface {}");
  });

  it("cannot reach a prototype, and keeps keys that look like one (X1, S2)", () => {
    const hostile = JSON.parse(
      '{"metadata":{"labels":{"__proto__":"x","constructor":"y","toString":"z"}},"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
    ) as JsonObject;
    expect(JSON.stringify(applyStrategicMergePatch({}, hostile, podSchema))).toBe(JSON.stringify(hostile));
    expect(JSON.stringify(patchPod(hostile))).toContain(
      '"labels":{"app":"web","tier":"front","__proto__":"x","constructor":"y","toString":"z"}',
    );
    expect(() => applyStrategicMergePatch(hostile, hostile, podSchema)).toThrow('for the json field "__proto__"');
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it("never changes the object or the patch", () => {
    const name = fc.constantFrom("web", "log", "new");
    const item = fc.record(
      { name, image: fc.constantFrom("a", null), $patch: fc.constantFrom("delete", "replace") },
      { requiredKeys: ["name"] },
    );
    const patch = fc.record(
      {
        metadata: fc.record(
          {
            labels: fc.dictionary(fc.constantFrom("app", "x", "$patch"), fc.constantFrom("1", null, "replace")),
            finalizers: fc.array(name),
            "$setElementOrder/finalizers": fc.array(name),
            "$deleteFromPrimitiveList/finalizers": fc.array(name),
          },
          { requiredKeys: [] },
        ),
        spec: fc.record(
          {
            containers: fc.array(item, { maxLength: 3 }),
            "$setElementOrder/containers": fc.array(
              name.map((each) => ({ name: each })),
              { maxLength: 3 },
            ),
            $retainKeys: fc.constant(["containers"]),
          },
          { requiredKeys: [] },
        ),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(patch, (given) => {
        deepFreeze(given);
        try {
          patchPod(given as JsonObject);
        } catch (error) {
          expect(error).toBeInstanceOf(MergePatchError);
        }
      }),
    );
  });
});

describe("mergeStrategically in mode combine", () => {
  it("keeps directives and nulls for the server", () => {
    const first = { metadata: { labels: { a: null }, "$deleteFromPrimitiveList/finalizers": ["x"] } };
    const second = {
      metadata: { labels: { b: null, c: "1" }, "$deleteFromPrimitiveList/finalizers": ["y"], "$setElementOrder/finalizers": ["z"] },
    };
    expect(mergeStrategically(first, second, podSchema, "combine")).toEqual({
      metadata: {
        labels: { a: null, b: null, c: "1" },
        "$deleteFromPrimitiveList/finalizers": ["y"],
        "$setElementOrder/finalizers": ["z"],
      },
    });
  });

  it("rejects two different orders or sets of retained keys", () => {
    expect(() =>
      mergeStrategically(
        { "$setElementOrder/containers": [] },
        { "$setElementOrder/containers": [{ name: "a" }] },
        podSchema.properties?.["spec"] ?? {},
        "combine",
      ),
    ).toThrow("invalid patch format of setElementOrder list");
    expect(() => mergeStrategically({ $retainKeys: ["a"] }, { $retainKeys: ["b"] }, podSchema, "combine")).toThrow(
      "[a] and [b] are not deep equal: this may happen when calculating the 3-way diff patch",
    );
  });
});
