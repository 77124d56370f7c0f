import { describe, expect, it } from "vitest";
import {
  applyStrategicMergePatch,
  compileSchema,
  createRandom,
  decodeJson,
  encodeJson,
  prune,
  semanticEqual,
  validate,
} from "@drover/machinery";
import type { JsonValue, Schema } from "@drover/machinery";
import { kinds } from "./kind-list.ts";
import { schemaFor } from "./schemas.ts";
import { exampleOf } from "./testing/example-object.ts";

const pod = schemaFor({ group: "", version: "v1", kind: "Pod" });

/** The schema node at a path: field names, "*" for the entries of a list or a map. */
function at(schema: Schema | undefined, ...path: readonly string[]): Schema | undefined {
  return path.reduce<Schema | undefined>((node, step) => {
    if (step !== "*") return node?.properties?.[step];
    return node?.items ?? (typeof node?.additionalProperties === "object" ? node.additionalProperties : undefined);
  }, schema);
}

/** Yields every node once. */
function* nodes(schema: Schema, seen = new Set<Schema>()): Generator<Schema> {
  if (seen.has(schema)) return;
  seen.add(schema);
  yield schema;
  for (const child of [...Object.values(schema.properties ?? {}), ...(schema.anyOf ?? []), schema.items, schema.additionalProperties])
    if (typeof child === "object") yield* nodes(child, seen);
}

describe("schemaFor", () => {
  it("returns schemas of every kind, its list, and subresource bodies", () => {
    for (const kind of kinds) {
      expect(schemaFor(kind), kind.kind).toBeDefined();
      if (kind.verbs.includes("list")) expect(schemaFor({ ...kind, kind: kind.listKind }), kind.listKind).toBeDefined();
    }
    for (const [group, version, kind] of [
      ["autoscaling", "v1", "Scale"],
      ["policy", "v1", "Eviction"],
      ["authentication.k8s.io", "v1", "TokenRequest"],
      ["", "v1", "Binding"],
      ["", "v1", "DeleteOptions"],
    ] as const) {
      expect(schemaFor({ group, version, kind }), kind).toBeDefined();
    }
  });

  it("returns none for another version, a part of a kind, or an inherited name", () => {
    for (const [group, version, kind] of [
      ["apps", "v2", "Deployment"],
      ["", "v1", "PodSpec"],
      ["", "v1", "ObjectMeta"],
      ["", "", "toString"],
      ["meta", "v1", "Time"],
    ] as const) {
      expect(schemaFor({ group, version, kind })).toBeUndefined();
    }
  });

  it("contains no references, is frozen, and has a type or a substitute", () => {
    const isTyped = (node: Schema): boolean =>
      node.type !== undefined ||
      node.format === "quantity" ||
      node["x-kubernetes-int-or-string"] === true ||
      node["x-kubernetes-preserve-unknown-fields"] === true;
    for (const kind of kinds)
      expect(
        [...nodes(schemaFor(kind) ?? {})].filter((node) => !Object.isFrozen(node) || "$ref" in node || !isTyped(node)),
        kind.kind,
      ).toEqual([]);
  });

  it("tells how lists merge", () => {
    expect(at(pod, "spec", "containers")).toMatchObject({
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      "x-kubernetes-patch-strategy": "merge",
      "x-kubernetes-patch-merge-key": "name",
    });
    expect(at(pod, "spec", "containers", "*", "ports")).toMatchObject({
      "x-kubernetes-list-map-keys": ["containerPort", "protocol"],
      "x-kubernetes-patch-merge-key": "containerPort",
    });
    expect(at(pod, "spec", "volumes")).toMatchObject({ "x-kubernetes-patch-strategy": "merge,retainKeys" });
    expect(at(schemaFor({ group: "apps", version: "v1", kind: "Deployment" }), "spec", "strategy")).toMatchObject({
      type: "object",
      "x-kubernetes-patch-strategy": "retainKeys",
    });
    expect(at(pod, "metadata", "finalizers")).toMatchObject({ "x-kubernetes-list-type": "set" });
    expect(at(pod, "spec", "nodeSelector")).toMatchObject({ "x-kubernetes-map-type": "atomic" });
  });

  it("has required fields, enums and defaults", () => {
    expect(at(pod, "spec")?.required).toEqual(["containers"]);
    expect(at(pod, "spec", "containers", "*")?.required).toEqual(["name"]);
    expect(at(pod, "spec", "containers", "*", "ports", "*", "protocol")).toEqual({
      type: "string",
      default: "TCP",
      enum: ["SCTP", "TCP", "UDP"],
    });
    expect(at(pod, "metadata", "generation")).toEqual({ type: "integer", format: "int64" });
    expect(at(pod, "spec")?.default).toEqual({});
  });

  it("marks quantities, times and int-or-string fields", () => {
    expect(at(pod, "spec", "containers", "*", "resources", "limits", "*")).toEqual({
      format: "quantity",
      oneOf: [{ type: "string" }, { type: "number" }],
    });
    expect(at(pod, "metadata", "creationTimestamp")).toEqual({ type: "string", format: "date-time" });
    expect(at(schemaFor({ group: "coordination.k8s.io", version: "v1", kind: "Lease" }), "spec", "renewTime")).toEqual({
      type: "string",
      format: "micro-time",
    });
    expect(at(schemaFor({ group: "", version: "v1", kind: "Service" }), "spec", "ports", "*", "targetPort")).toMatchObject({
      "x-kubernetes-int-or-string": true,
    });
    expect(at(schemaFor({ group: "", version: "v1", kind: "Secret" }), "data", "*")).toMatchObject({ type: "string", format: "byte" });
    expect(at(pod, "metadata", "managedFields", "*", "fieldsV1")).toEqual({ type: "object", "x-kubernetes-preserve-unknown-fields": true });
  });

  it("is recursive only where the document is", () => {
    const root = at(
      schemaFor({ group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition" }),
      "spec",
      "versions",
      "*",
      "schema",
      "openAPIV3Schema",
    );
    expect(at(root, "properties", "*")?.properties).toBe(root?.properties);
    expect(at(root, "additionalProperties")?.anyOf?.[0]).toBe(at(root, "not"));
    expect(at(root, "default")).toEqual({ "x-kubernetes-preserve-unknown-fields": true });
  });
});

describe("machinery with schemaFor", () => {
  const podWith = (
    cpu: JsonValue,
    name = "main",
  ): { spec: { containers: { name: string; resources: { limits: { cpu: JsonValue } } }[] } } => ({
    spec: { containers: [{ name, resources: { limits: { cpu } } }] },
  });

  it("validates an object of any kind and prunes nothing", () => {
    for (const [index, kind] of kinds.entries()) {
      const schema = compileSchema(schemaFor(kind) ?? {});
      for (const density of [0.5, 1]) {
        const example = decodeJson(encodeJson(exampleOf(kind, createRandom(index), { density })));
        expect(validate(example, schema), kind.kind).toEqual([]);
        expect(prune(example, schema).pruned, kind.kind).toEqual([]);
      }
    }
  });

  it("accepts a quantity as text or number, and nothing else", () => {
    const schema = compileSchema(pod ?? {});
    expect(["500m", 1, 0.5].flatMap((cpu) => validate(podWith(cpu), schema))).toEqual([]);
    for (const cpu of [true, [], {}]) expect(validate(podWith(cpu), schema)).not.toEqual([]);
  });

  it("compares quantities by value", () => {
    expect(semanticEqual(podWith("1"), podWith("1000m"), pod)).toBe(true);
    expect(semanticEqual(podWith("1"), podWith("100m"), pod)).toBe(false);
  });

  it("merges containers by name", () => {
    const merged = applyStrategicMergePatch(podWith(1), podWith(2, "sidecar"), pod ?? {});
    expect((merged as ReturnType<typeof podWith>).spec.containers.map(({ name }) => name).toSorted()).toEqual(["main", "sidecar"]);
  });
});
