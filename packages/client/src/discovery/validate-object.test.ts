import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { printFieldError } from "@drover/machinery";
import type { GroupVersionKind, JsonObject } from "@drover/machinery";
import { OpenApiSchemas } from "./openapi-schemas.ts";
import type { ObjectSchema } from "./openapi-schemas.ts";
import { validateObject } from "./validate-object.ts";

const folder = join(import.meta.dirname, "../../../api/openapi");
const definitions: JsonObject = Object.fromEntries(
  readdirSync(folder)
    .filter((file) => file.startsWith("io.k8s."))
    .flatMap((file) =>
      Object.entries(JSON.parse(readFileSync(join(folder, file), "utf8")) as JsonObject).map(([name, schema]) => [
        `${file.slice(0, -".json".length)}.${name}`,
        schema,
      ]),
    ),
);
const builtIn = new OpenApiSchemas({ components: { schemas: definitions } });
const schemaOf = (kind: GroupVersionKind): ObjectSchema => builtIn.schemaFor(kind) ?? expect.fail("no schema");

const widgetKind = { group: "shop.example", version: "v1", kind: "Widget" };
const widgetSchema =
  new OpenApiSchemas({
    components: {
      schemas: {
        "example.shop.v1.Widget": {
          type: "object",
          "x-kubernetes-group-version-kind": [widgetKind],
          properties: {
            apiVersion: { type: "string" },
            kind: { type: "string" },
            metadata: { allOf: [{ $ref: "#/components/schemas/Meta" }] },
            spec: {
              type: "object",
              required: ["size", "color"],
              properties: {
                size: { type: "integer" },
                color: { type: "string", default: "red" },
                any: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
                empty: { type: "object" },
                tags: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
              },
            },
          },
        },
        Meta: { type: "object", properties: { name: { type: "string" } } },
      },
    },
  }).schemaFor(widgetKind) ?? expect.fail("no schema");

const printed = (object: unknown, schema: ObjectSchema, options = {}): readonly string[] =>
  validateObject(object, schema, options).map(printFieldError);
const pod = (spec: object, metadata: object = {}): object => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web", ...metadata },
  spec: { containers: [{ name: "web", image: "nginx" }], ...spec },
});
const podSchema = schemaOf({ group: "", version: "v1", kind: "Pod" });

describe("validateObject of a built-in kind", () => {
  it("returns no errors for a valid object", () => {
    expect(printed(pod({ restartPolicy: "Always", nodeSelector: { "a.example/b": "c" } }), podSchema)).toEqual([]);
  });

  it("reports unknown fields, unless they are ignored", () => {
    const misspelt = pod(
      { restartPolice: "Always", containers: [{ name: "web", image: "nginx", env: [{ name: "A", valeu: "1" }] }] },
      { lables: {} },
    );
    expect(printed(misspelt, podSchema)).toEqual([
      'metadata.lables: Forbidden: unknown field "metadata.lables"',
      'spec.containers[0].env[0].valeu: Forbidden: unknown field "spec.containers[0].env[0].valeu"',
      'spec.restartPolice: Forbidden: unknown field "spec.restartPolice"',
    ]);
    expect(printed(misspelt, podSchema, { unknownFields: "ignore" })).toEqual([]);
  });

  it("reports missing fields and wrong types", () => {
    expect(printed(pod({ containers: [{ image: 7 }], hostNetwork: "yes" }), podSchema)).toEqual([
      'spec.containers[0].image: Invalid value: "integer": spec.containers[0].image in body must be of type string: "integer"',
      "spec.containers[0].name: Required value",
      'spec.hostNetwork: Invalid value: "string": spec.hostNetwork in body must be of type boolean: "string"',
    ]);
  });

  it("reports each mistake once", () => {
    const deployment = { apiVersion: "apps/v1", kind: "Deployment", metadata: {}, spec: { replicas: 1.5, selector: {}, template: {} } };
    expect(validateObject(deployment, schemaOf({ group: "apps", version: "v1", kind: "Deployment" })).map(({ field }) => field)).toEqual([
      "spec.replicas",
    ]);
  });

  it("accepts nulls, undefined fields and empty texts, which the server treats as not set", () => {
    expect(
      printed(
        pod(
          {
            nodeName: null,
            volumes: undefined,
            hostname: "",
            restartPolicy: "",
            containers: [{ name: "web", image: "nginx", ports: [{ containerPort: 80, protocol: "" }], env: null }],
          },
          { creationTimestamp: null },
        ),
        podSchema,
      ),
    ).toEqual([]);
  });

  it("accepts quantities as text and number, and reports invalid ones", () => {
    const limits = (cpu: unknown): object => pod({ containers: [{ name: "web", image: "nginx", resources: { limits: { cpu } } }] });
    for (const good of ["500m", "0.5", 2, "1Ki"]) expect(printed(limits(good), podSchema)).toEqual([]);
    expect(printed(limits("many"), podSchema)).toEqual([
      expect.stringContaining(
        'spec.containers[0].resources.limits.cpu: Invalid value: "many": quantities must match the regular expression',
      ),
    ]);
    expect(validateObject(limits(true), podSchema)).not.toEqual([]);
  });

  it("accepts numbers or text in IntOrString fields", () => {
    const service = schemaOf({ group: "", version: "v1", kind: "Service" });
    const of = (targetPort: unknown): object => ({
      apiVersion: "v1",
      kind: "Service",
      metadata: {},
      spec: { ports: [{ port: 80, targetPort }] },
    });
    expect(printed(of("http"), service)).toEqual([]);
    expect(printed(of(8080), service)).toEqual([]);
    expect(printed(of(true), service)).not.toEqual([]);
  });

  it("accepts anything where the server does", () => {
    const revision = schemaOf({ group: "apps", version: "v1", kind: "ControllerRevision" });
    expect(
      printed(
        {
          apiVersion: "apps/v1",
          kind: "ControllerRevision",
          metadata: { managedFields: [{ fieldsV1: { "f:spec": { ".": {} } } }] },
          revision: 1,
          data: { any: [{ thing: 1 }] },
        },
        revision,
      ),
    ).toEqual([]);
  });

  it("reports another kind", () => {
    expect(printed({ metadata: {} }, schemaOf({ group: "", version: "v1", kind: "ConfigMap" }))).toEqual([
      "apiVersion: Required value",
      "kind: Required value",
    ]);
    expect(printed({ apiVersion: "v2", kind: "Secret" }, schemaOf({ group: "", version: "v1", kind: "ConfigMap" }))).toEqual([
      'apiVersion: Invalid value: "v2": must be v1',
      'kind: Invalid value: "Secret": must be ConfigMap',
    ]);
    expect(validateObject(null, podSchema)).toHaveLength(1);
    expect(validateObject([], podSchema)).toHaveLength(1);
  });

  it("never modifies the object, and treats keys like __proto__ as keys", () => {
    const map = JSON.parse(
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","annotations":{"__proto__":"x"}},"data":{"__proto__":"y","constructor":"z"},"__proto__":{"polluted":true}}',
    ) as object;
    const before = JSON.stringify(map);
    expect(printed(map, schemaOf({ group: "", version: "v1", kind: "ConfigMap" }))).toEqual([
      '__proto__: Forbidden: unknown field "__proto__"',
    ]);
    expect(JSON.stringify(map)).toBe(before);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});

describe("validateObject of a custom kind", () => {
  const widget = (spec: object): object => ({ apiVersion: "shop.example/v1", kind: "Widget", metadata: { name: "w" }, spec });

  it("applies defaults before it checks required fields", () => {
    expect(printed(widget({ size: 1 }), widgetSchema)).toEqual([]);
    expect(printed(widget({ color: "green" }), widgetSchema)).toEqual(["spec.size: Required value"]);
  });

  it("drops nulls that the schema does not allow", () => {
    expect(printed(widget({ size: 1, color: null, empty: null }), widgetSchema)).toEqual([]);
    expect(printed(widget({ size: null }), widgetSchema)).toEqual(["spec.size: Required value"]);
  });

  it("accepts unknown fields only where the schema preserves them", () => {
    expect(printed(widget({ size: 1, any: { x: 1 } }), widgetSchema)).toEqual([]);
    expect(printed(widget({ size: 1, empty: { x: 1 } }), widgetSchema)).toEqual(['spec.empty.x: Forbidden: unknown field "spec.empty.x"']);
  });

  it("reports duplicates in a set", () => {
    expect(printed(widget({ size: 1, tags: ["a", "a"] }), widgetSchema)).toEqual(['spec.tags[1]: Duplicate value: "a"']);
  });
});
