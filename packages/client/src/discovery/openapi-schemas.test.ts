import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { kinds } from "@drover/api";
import { schemaFor } from "@drover/api/schemas";
import type { JsonObject, JsonValue, Schema } from "@drover/machinery";
import { DiscoveryDocumentError } from "./discovery-error.ts";
import { OpenApiSchemas } from "./openapi-schemas.ts";

/** Definitions of a real server, as committed for the generator of @drover/api: one file per package, with shortened names. */
const folder = join(import.meta.dirname, "../../../api/openapi");
const real: JsonObject = Object.fromEntries(
  readdirSync(folder)
    .filter((file) => file.startsWith("io.k8s."))
    .flatMap((file) =>
      Object.entries(JSON.parse(readFileSync(join(folder, file), "utf8")) as JsonObject).map(([name, schema]) => [
        `${file.slice(0, -".json".length)}.${name}`,
        schema,
      ]),
    ),
);
const realSchemas = new OpenApiSchemas({ components: { schemas: real } });

const thing = { group: "example", version: "v1", kind: "Thing" };
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const schemasOf = (schemas: JsonObject): OpenApiSchemas => new OpenApiSchemas({ components: { schemas } });
const schemaOf = (thingSchema: JsonObject, others: JsonObject = {}): Schema =>
  schemasOf({ ...others, Thing: { ...thingSchema, "x-kubernetes-group-version-kind": [thing] } }).schemaFor(thing)?.schema ??
  expect.fail("no schema");

describe("OpenApiSchemas of a real server", () => {
  it("describe every kind of @drover/api, with the fields and types of its tables", () => {
    for (const kind of kinds) {
      const ours = schemaFor(kind);
      const theirs = realSchemas.schemaFor(kind);
      expect(theirs?.origin).toBe("built-in");
      expect(sketch(theirs?.schema, 4)).toEqual(sketch(ours, 4));
    }
  });

  it("may be cyclic", () => {
    const { schema } =
      realSchemas.schemaFor({ group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition" }) ?? expect.fail("no schema");
    const props = ["spec", "versions", "schema", "openAPIV3Schema"].reduce<Schema | undefined>(
      (node, name) => node?.properties?.[name] ?? node?.items?.properties?.[name],
      schema,
    );
    expect(props?.properties?.["not"]).toBe(props?.properties?.["not"]?.properties?.["not"]);
  });

  it("list their kinds", () => {
    expect(realSchemas.kinds()).toContainEqual({ group: "apps", version: "v1", kind: "Deployment" });
    expect(realSchemas.schemaFor({ group: "apps", version: "v1", kind: "Nothing" })).toBeUndefined();
  });
});

/** Field names and types down to a depth; well-known definitions, which the tables write differently, by their format. */
function sketch(schema: Schema | undefined, depth: number): unknown {
  if (schema === undefined || depth === 0) return undefined;
  if (schema["x-kubernetes-preserve-unknown-fields"] === true) return "anything";
  if (schema.format === "quantity" || schema.format === "int-or-string") return schema.format;
  return {
    type: schema.type,
    required: schema.required,
    enum: schema.enum,
    list: schema["x-kubernetes-list-type"],
    merge: schema["x-kubernetes-patch-merge-key"],
    items: sketch(schema.items, depth - 1),
    fields: Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, child]) => [name, sketch(child, depth - 1)])),
    additional:
      typeof schema.additionalProperties === "object" ? sketch(schema.additionalProperties, depth - 1) : schema.additionalProperties,
  };
}

describe("OpenAPI references", () => {
  it("to the same definition are the same object", () => {
    const { properties } = schemaOf({ properties: { a: ref("Part"), b: { items: ref("Part") } } }, { Part: { type: "string" } });
    expect(properties?.["a"]).toEqual({ type: "string" });
    expect(properties?.["b"]?.items).toBe(properties?.["a"]);
  });

  it("in an allOf of one are extended by its siblings", () => {
    const { properties } = schemaOf(
      { properties: { a: { allOf: [ref("Part")], default: {}, description: "mine" } } },
      { Part: { type: "object", description: "theirs", properties: { x: ref("Part") } } },
    );
    expect(properties?.["a"]).toMatchObject({ type: "object", default: {}, description: "mine" });
    expect(properties?.["a"]?.properties?.["x"]).not.toHaveProperty("default");
    expect(properties?.["a"]).not.toHaveProperty("allOf");
  });

  it("in an allOf of several stay unchanged", () => {
    expect(schemaOf({ allOf: [ref("Part"), { maxLength: 3 }] }, { Part: { type: "string" } }).allOf).toEqual([
      { type: "string" },
      { maxLength: 3 },
    ]);
  });

  it("may lead through definitions that are only references, also in cycles", () => {
    expect(
      schemaOf(
        { properties: { a: ref("One") } },
        { One: { allOf: [ref("Two")], description: "one" }, Two: ref("Three"), Three: { type: "string" } },
      ).properties?.["a"],
    ).toEqual({ type: "string", description: "one" });
    expect(schemaOf({ properties: { a: ref("One") } }, { One: ref("Two"), Two: ref("One") }).properties?.["a"]).toEqual({});
  });

  it("may escape slashes and tildes as in JSON pointers", () => {
    expect(schemaOf({ items: ref("a~1b~0c") }, { "a/b~c": { type: "string" } }).items).toEqual({ type: "string" });
  });

  it("may form a chain longer than the stack, which is read or rejected with a reason", () => {
    const chain = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => [`N${index}`, { type: "object", properties: { next: ref(`N${index + 1}`) } }]),
    );
    try {
      expect(schemaOf({ properties: { next: ref("N0") } }, { ...chain, N20000: { type: "string" } }).properties).toHaveProperty("next");
    } catch (error) {
      expect(error).toBeInstanceOf(DiscoveryDocumentError);
    }
  });
});

describe("a malformed OpenAPI document", () => {
  it.each([
    ["no object", []],
    ["components", { components: 1 }],
    ["schemas", { components: { schemas: [] } }],
    ["the list of kinds", { components: { schemas: { X: { "x-kubernetes-group-version-kind": 7 } } } }],
  ] as [string, JsonValue][])("is rejected as a whole: %s", (_, document) => {
    expect(() => new OpenApiSchemas(document)).toThrow(DiscoveryDocumentError);
  });

  it.each([
    [{ items: ref("Nowhere") }, 'the document refers to the schema "Nowhere", which it does not define'],
    [{ items: ref("__proto__") }, 'the document refers to the schema "__proto__", which it does not define'],
    [
      { items: { $ref: "https://evil.example/schema" } },
      'Thing: the reference "https://evil.example/schema" does not begin with #/components/schemas/',
    ],
    [{ items: { $ref: 7 } }, "$ref of Thing: expected a text, found number"],
    [{ properties: [] }, "properties of Thing: expected an object, found a list"],
    [{ properties: { a: 1 } }, "properties of Thing.a: expected an object, found number"],
    [{ type: ["string"] }, "type of Thing: expected a text, found a list"],
    [{ required: "name" }, "required of Thing: expected a list, found string"],
    [{ maxLength: "3" }, "maxLength of Thing: expected a number"],
    [{ nullable: 1 }, "nullable of Thing: expected true or false"],
  ] as [JsonObject, string][])("is rejected on use: %j", (schema, message) => {
    expect(() => schemaOf(schema)).toThrow(DiscoveryDocumentError);
    expect(() => schemaOf(schema)).toThrow(message);
  });

  it("leaves no partial schema, and other kinds usable", () => {
    const other = { ...thing, kind: "Other" };
    const schemas = schemasOf({
      Shared: { type: "object", properties: { part: ref("Part") } },
      Part: { type: "string" },
      Thing: { items: ref("Shared"), not: ref("Nowhere"), "x-kubernetes-group-version-kind": [thing] },
      Other: { items: ref("Shared"), "x-kubernetes-group-version-kind": [other] },
    });
    expect(() => schemas.schemaFor(thing)).toThrow("Nowhere");
    expect(schemas.schemaFor(other)?.schema.items).toEqual({ type: "object", properties: { part: { type: "string" } } });
    expect(() => schemas.schemaFor(thing)).toThrow("Nowhere");
  });

  it("is read or rejected with a reason, for every tree of keywords", () => {
    const { node } = fc.letrec<{ node: JsonValue }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom<JsonValue>(null, true, 1, "", "string", "[", "object", "int32"),
        fc.array(tie("node"), { maxLength: 3 }),
        fc.dictionary(
          fc.constantFrom(
            "type",
            "format",
            "pattern",
            "properties",
            "items",
            "allOf",
            "anyOf",
            "not",
            "$ref",
            "additionalProperties",
            "required",
            "enum",
            "default",
            "__proto__",
            "x-kubernetes-list-type",
          ),
          tie("node"),
          { maxKeys: 4 },
        ),
      ),
    }));
    fc.assert(
      fc.property(node, (schema) => {
        try {
          schemaOf({ properties: { a: schema, b: ref("Thing") } });
          return true;
        } catch (error) {
          return error instanceof DiscoveryDocumentError;
        }
      }),
      { numRuns: Math.ceil((fc.readConfigureGlobal().numRuns ?? 200) / 4) },
    );
  });
});
