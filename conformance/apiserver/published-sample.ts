/**
 * Custom resource definitions with every construct that discovery and OpenAPI treat specially, and their resources, to
 * compare documents.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync, gzipSync } from "node:zlib";
import { kinds } from "@drover/api";
import type { Schema, Subresource } from "@drover/machinery";
import type { PublishedResource } from "../../packages/apiserver/src/openapi/custom-definition.ts";
import type { OpenApiHost } from "../../packages/apiserver/src/openapi/openapi-documents.ts";

interface SampleVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly schema: { readonly openAPIV3Schema: Schema };
  readonly subresources?: { readonly status?: object; readonly scale?: object };
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
}

export interface SampleDefinition {
  readonly apiVersion: "apiextensions.k8s.io/v1";
  readonly kind: "CustomResourceDefinition";
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: {
    readonly group: string;
    readonly scope: "Namespaced" | "Cluster";
    readonly names: {
      readonly plural: string;
      readonly singular: string;
      readonly kind: string;
      readonly listKind: string;
      readonly shortNames?: readonly string[];
      readonly categories?: readonly string[];
    };
    readonly versions: readonly SampleVersion[];
  };
}

const text: Schema = { type: "string" };
const plain: Schema = { type: "object", properties: { spec: { type: "object" } } };
const conditions: Schema = { type: "array", items: { type: "object", required: ["type"], properties: { type: text } } };

const widgetSpec: Schema = {
  type: "object",
  description: "What is wanted: <b> & more.",
  required: ["color", "note"],
  properties: {
    color: {
      type: "string",
      enum: ["red", "green"],
      default: "red",
      description: "Which color.",
      minLength: 1,
      maxLength: 10,
      pattern: "^[a-z]+$",
    },
    replicas: { type: "integer", format: "int32", minimum: 0, maximum: 100, exclusiveMinimum: true, default: 1 },
    size: { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }], pattern: "^[0-9]+$" },
    plainSize: { "x-kubernetes-int-or-string": true, description: "either" },
    checkedSize: { "x-kubernetes-int-or-string": true, anyOf: [{ minimum: 1 }, { pattern: "^1" }] },
    note: { type: "string", nullable: true },
    nullDefault: { type: "string", nullable: true, default: null },
    labels: { type: "object", additionalProperties: { type: "string", maxLength: 5 } },
    nullValues: { type: "object", required: ["a"], additionalProperties: { type: "string", nullable: true } },
    boolMap: { type: "object", additionalProperties: true },
    any: { type: "object", "x-kubernetes-preserve-unknown-fields": true, properties: { known: text } },
    anyList: { type: "array", nullable: true, items: text },
    free: { "x-kubernetes-preserve-unknown-fields": true },
    template: {
      type: "object",
      "x-kubernetes-embedded-resource": true,
      "x-kubernetes-preserve-unknown-fields": true,
      properties: { spec: { type: "object", properties: { a: text } } },
    },
    strict: {
      type: "object",
      "x-kubernetes-embedded-resource": true,
      required: ["kind"],
      properties: { apiVersion: text, kind: text, metadata: { type: "object" }, spec: { type: "object", properties: { a: text } } },
    },
    ports: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      minItems: 1,
      maxItems: 8,
      items: {
        type: "object",
        required: ["name"],
        properties: {
          name: text,
          port: { type: "integer", format: "int32" },
          ratio: { type: "number", format: "double", multipleOf: 0.5, default: 1.5 },
        },
      },
    },
    tags: { type: "array", "x-kubernetes-list-type": "set", items: text },
    when: { type: "string", format: "date-time" },
    ref: {
      type: "object",
      "x-kubernetes-map-type": "atomic",
      title: "Ref",
      externalDocs: { url: "https://example.org", description: "more" },
      example: { name: "x" },
      default: { name: "n", b: 1, a: [{ d: "", c: null }] },
      minProperties: 1,
      maxProperties: 3,
      "x-kubernetes-preserve-unknown-fields": true,
      properties: { name: text },
      "x-kubernetes-validations": [{ rule: "self.name != ''", message: "name it", reason: "FieldValueInvalid" }],
    },
    choice: {
      type: "object",
      properties: { a: text, b: text },
      oneOf: [{ required: ["a"] }, { required: ["b"] }],
      anyOf: [{ properties: { a: { minLength: 2 } } }, { properties: { b: { minLength: 2 } } }],
      allOf: [{ properties: { a: { maxLength: 9 } } }],
      not: { properties: { a: { enum: ["no"] } } },
    },
  },
};

const widgetSchema: Schema = {
  type: "object",
  description: "A widget is what it is.",
  required: ["spec"],
  properties: {
    apiVersion: text,
    kind: text,
    metadata: { type: "object" },
    spec: widgetSpec,
    status: { type: "object", properties: { replicas: { type: "integer" }, selector: text, conditions } },
  },
};

const define = (spec: SampleDefinition["spec"], annotations?: Readonly<Record<string, string>>): SampleDefinition => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${spec.names.plural}.${spec.group}`, ...(annotations === undefined ? {} : { annotations }) },
  spec,
});

export const sampleDefinitions: readonly SampleDefinition[] = [
  define({
    group: "ex.io",
    scope: "Namespaced",
    names: { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList", shortNames: ["wd"], categories: ["all"] },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: widgetSchema },
        selectableFields: [{ jsonPath: ".spec.color" }],
        subresources: {
          status: {},
          scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas", labelSelectorPath: ".status.selector" },
        },
      },
      {
        name: "v1beta1",
        served: true,
        storage: false,
        deprecated: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
      { name: "v2alpha1", served: false, storage: false, schema: { openAPIV3Schema: plain } },
    ],
  }),
  define({
    group: "ex.io",
    scope: "Cluster",
    names: { plural: "gadgets", singular: "gadget", kind: "Gadget", listKind: "GadgetList" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties: { open: { type: "boolean" } } } } },
        },
      },
    ],
  }),
  define({
    group: "aa.example.com",
    scope: "Namespaced",
    names: { plural: "apples", singular: "apple", kind: "Apple", listKind: "AppleList" },
    versions: [{ name: "v1alpha1", served: true, storage: true, subresources: { status: {} }, schema: { openAPIV3Schema: plain } }],
  }),
  define(
    {
      group: "zoo.k8s.io",
      scope: "Cluster",
      names: { plural: "zebras", singular: "zebra", kind: "Zebras", listKind: "ZebrasList" },
      versions: ["v2", "v10", "v3beta1"].map((name) => ({
        name,
        served: true,
        storage: name === "v2",
        schema: { openAPIV3Schema: { type: "object", description: name } },
      })),
    },
    { "api-approved.kubernetes.io": "unapproved, for a test" },
  ),
];

/** The group versions of the sample. */
export const sampleGroupVersions: readonly string[] = [
  "aa.example.com/v1alpha1",
  "ex.io/v1",
  "ex.io/v1beta1",
  "zoo.k8s.io/v10",
  "zoo.k8s.io/v2",
  "zoo.k8s.io/v3beta1",
];

export const builtInResources: readonly PublishedResource[] = kinds.map((kind) => ({ kind, isCustom: false, selectableFields: new Map() }));
export const allResources: readonly PublishedResource[] = [...builtInResources, ...sampleDefinitions.flatMap(resourcesOf)];

function resourcesOf({ spec: { group, scope, names, versions } }: SampleDefinition): PublishedResource[] {
  const stored = versions.find(({ storage }) => storage)?.name ?? "";
  return versions
    .filter(({ served }) => served)
    .map(({ name: version, schema, subresources, selectableFields = [] }) => {
      const below: Record<string, Subresource> = {
        ...(subresources?.scale === undefined
          ? {}
          : { scale: { group: "autoscaling", version: "v1", kind: "Scale", verbs: ["get", "patch", "update"] as const } }),
        ...(subresources?.status === undefined
          ? {}
          : { status: { group, version, kind: names.kind, verbs: ["get", "patch", "update"] as const } }),
      };
      return {
        isCustom: true,
        storageVersion: stored,
        openApiSchema: schema.openAPIV3Schema,
        selectableFields: new Map(selectableFields.map(({ jsonPath }) => [jsonPath.slice(1), () => ""])),
        kind: {
          shortNames: [],
          categories: [],
          ...names,
          group,
          version,
          scope,
          subresources: below,
          verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        },
      };
    });
}

const dataFolder = join(import.meta.dirname, "..", "..", "packages", "apiserver", "data");

export const sha512Hex = (data: string | Uint8Array): string => createHash("sha512").update(data).digest("hex");
export const sha256 = (data: string): Uint8Array => new Uint8Array(createHash("sha256").update(data).digest());

/** The real files and functions, with a fixed time. */
export const sampleHost: OpenApiHost = {
  readData: (name) => readFileSync(join(dataFolder, name)),
  inflate: (bytes) => brotliDecompressSync(bytes),
  gzip: (bytes) => gzipSync(bytes),
  sha512Hex,
  now: () => Date.UTC(2026, 10, 15, 20, 16, 13),
};
