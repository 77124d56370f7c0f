/** Definitions, and bodies of their objects, to compare the answers of a real server with ours. */
import type { JsonObject, JsonValue } from "@drover/machinery";
import { definition, objectSchema, version } from "./custom-definitions.ts";

const text: JsonObject = { type: "string" };
const whole: JsonObject = { type: "integer" };

const thingSchema = objectSchema(
  {
    spec: objectSchema({
      size: { type: "integer", default: 3, minimum: 1, maximum: 10 },
      small: { type: "integer", format: "int32" },
      mode: { type: "string", enum: ["a", "b"] },
      short: { type: "string", maxLength: 5, minLength: 2 },
      pattern: { type: "string", pattern: "^a+$" },
      when: { type: "string", format: "date-time" },
      address: { type: "string", format: "ipv4" },
      odd: { type: "string", format: "odd" },
      half: { type: "number", multipleOf: 0.5, exclusiveMinimum: true, minimum: 0 },
      on: { type: "boolean", default: true },
      maybe: { type: "string", nullable: true },
      maybeDefault: { type: "string", nullable: true, default: "x" },
      port: { "x-kubernetes-int-or-string": true },
      free: { type: "object", "x-kubernetes-preserve-unknown-fields": true, properties: { known: objectSchema({ a: text }) } },
      labels: { type: "object", additionalProperties: text, maxProperties: 2 },
      nested: objectSchema({ a: text, b: { type: "integer", default: 7 } }, { required: ["a"] }),
      always: objectSchema({ c: { type: "integer", default: 9 } }, { default: {} }),
      set: { type: "array", items: text, "x-kubernetes-list-type": "set" },
      map: {
        type: "array",
        items: objectSchema({ k: text, v: { type: "integer", default: 1 } }, { required: ["k"] }),
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["k"],
      },
      few: { type: "array", items: whole, maxItems: 2, minItems: 1 },
      either: objectSchema({ x: text, y: text }, { oneOf: [{ required: ["x"] }, { required: ["y"] }] }),
      not: { type: "string", not: { enum: ["bad"] } },
      resource: { type: "object", "x-kubernetes-embedded-resource": true, properties: { spec: objectSchema({ a: text }) } },
    }),
    status: objectSchema({
      phase: { type: "string", enum: ["On", "Off"] },
      replicas: whole,
      selector: text,
      seen: { type: "array", items: text, "x-kubernetes-list-type": "set" },
    }),
  },
  { required: ["spec"] },
);

/** The definitions of the objects below, by plural. */
export const instanceDefinitions: Readonly<Record<string, JsonObject>> = {
  things: definition("things", "Thing", [version("v1", thingSchema, { subresources: { status: {} } })]),
  scalers: definition("scalers", "Scaler", [
    version(
      "v1",
      objectSchema({
        spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        status: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      }),
      {
        subresources: {
          status: {},
          scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas", labelSelectorPath: ".spec.selector" },
        },
      },
    ),
  ]),
  olds: definition("olds", "Old", [
    version("v1", objectSchema({ spec: objectSchema({ a: text }) })),
    version("v1beta1", objectSchema({ spec: objectSchema({ a: text, b: { type: "string", default: "beta" } }) }), {
      storage: false,
      deprecated: true,
    }),
  ]),
  ruled: definition("ruled", "Ruled", [
    version(
      "v1",
      objectSchema({
        spec: objectSchema({ a: { type: "integer", maximum: 5 }, b: text }, { "x-kubernetes-validations": [{ rule: "true" }] }),
      }),
    ),
  ]),
  frees: definition("frees", "Free", [version("v1", { type: "object", "x-kubernetes-preserve-unknown-fields": true })], {
    scope: "Cluster",
  }),
};

/** An object of a kind as JSON. */
export const instance = (kind: string, rest: Readonly<Record<string, JsonValue>>, apiVersion = "ex.io/v1"): string =>
  JSON.stringify({ apiVersion, kind, metadata: { name: "a" }, ...rest });
const thing = (spec: JsonValue): string => instance("Thing", { spec });
const start = '{"apiVersion":"ex.io/v1","kind":"Thing"';

export interface InstanceCase {
  readonly plural: string;
  readonly body: string;
  /** @default "v1" */
  readonly version?: string;
  readonly mediaType?: "application/yaml";
}

const things = [
  thing({}),
  instance("Thing", {}),
  thing(null),
  thing([]),
  thing({ size: null, maybe: null, maybeDefault: null, on: null, mode: null, nested: null, always: null }),
  thing({ size: 20, mode: "z", short: "much too long", pattern: "b", when: "nope", address: "1.2.3", odd: "anything" }),
  thing({ size: "x", on: 1, mode: 1, half: "1", set: "a", labels: 3 }),
  thing({ size: 0 }),
  thing({ size: 1.5 }),
  thing({ small: 3_000_000_000 }),
  thing({ half: 0.75 }),
  thing({ half: 0 }),
  thing({ half: 1.5 }),
  thing({ short: "x" }),
  thing({ short: "äöüäöü" }),
  thing({ port: 80 }),
  thing({ port: "http" }),
  thing({ port: true }),
  thing({ port: 1.5 }),
  thing({ free: { any: [1, { thing: null }], known: { a: "x", b: 1 } } }),
  thing({ labels: { a: "x", b: "y" } }),
  thing({ labels: { a: "x", b: "y", c: "z" } }),
  thing({ labels: { a: 1 } }),
  thing({ labels: { a: null } }),
  thing({ nested: {} }),
  thing({ nested: { a: "x", extra: { deep: 1 } } }),
  thing({ always: { c: 1 } }),
  thing({ set: ["a", "b", "a", "a"] }),
  thing({ set: [] }),
  thing({ map: [{ k: "1" }, { k: "2", v: 5 }, { k: "1", v: 2 }] }),
  thing({ map: [{ v: 1 }] }),
  thing({ map: [null] }),
  thing({ few: [] }),
  thing({ few: [1, 2, 3] }),
  thing({ few: [1, "x", null] }),
  thing({ either: {} }),
  thing({ either: { x: "1", y: "2" } }),
  thing({ either: { x: "1" } }),
  thing({ not: "bad" }),
  thing({ not: "good" }),
  thing({ resource: {} }),
  thing({
    resource: { apiVersion: "v1", kind: "Pod", metadata: { name: "x", zz: 1, labels: { a: "b" } }, spec: { a: "1", b: 2 }, other: 1 },
  }),
  thing({ resource: { apiVersion: "a/b/c", kind: "_", metadata: { name: "X_", namespace: "y" } } }),
  thing({ resource: { apiVersion: "v1", kind: "Pod", metadata: { labels: { a: 1 } } } }),
  thing({ resource: { apiVersion: 1, kind: "Pod" } }),
  thing({ bogus: 1, abc: 2, nested: { a: "x", q: [] } }),
  instance("Thing", { spec: {}, zeta: 1, alpha: {}, status: { phase: "Odd" } }),
  instance("Thing", {
    metadata: { name: "a", zz: 1, yy: { x: 1 }, labels: { a: "b" }, annotations: null, finalizers: [], creationTimestamp: null },
    spec: {},
  }),
  instance("Thing", { metadata: { name: 1 }, spec: {} }),
  instance("Thing", { metadata: 1 }),
  instance("Thing", { metadata: { name: "a", labels: { a: 1 } }, spec: {} }),
  instance("Thing", { metadata: { name: "a", generation: "x" } }),
  instance("Other", { metadata: { name: "a", zz: 1 }, spec: { bogus: 1 } }),
  instance("ThingList", { items: [] }),
  instance("Thing", { spec: {} }, "ex.io/v9"),
  instance("Thing", { spec: {} }, "v1"),
  instance("Thing", { spec: {} }, "a/b/c"),
  instance("Thing", { spec: {} }, ""),
  "{bad",
  "",
  "null",
  "[]",
  "1",
  '"x"',
  "{}",
  '{"kind":"Thing"}',
  '{"apiVersion":"ex.io/v1"}',
  '{"apiVersion":1,"kind":"Thing"}',
  '{"apiVersion":"ex.io/v1","kind":3}',
  '{"apiVersion":"ex.io/v1","kind":null}',
  `${start}} x`,
  `${start},"spec":"\u0001"}`,
  `${start},"metadata":{"name":"a"},"spec":{"size":1,"size":2},"spec":{"maybe":"a","bogus":1,"bogus":2}}`,
  `${start},"metadata":{"name":"a"},"spec":{"labels":{"a":"1","a":"2"}},"x":{"a":1,"a":1}}`,
  `${start},"metadata":{"name":"a"},"spec":{"half":1e400}}`,
  `${start},"metadata":{"name":"a"},"spec":{"size":2.0,"half":15e-1,"small":1e3,"free":{"big":9007199254740993,"__proto__":{"a":1},"":2}}}`,
].map((body): InstanceCase => ({ plural: "things", body }));

const yamls = [
  "kind: Thing\napiVersion: ex.io/v1\nmetadata: {name: a}\nspec: {mode: a, on: no}",
  "kind: Thing\napiVersion: ex.io/v1\nmetadata: {name: a}\nspec: {size: 1, size: 2}\nspec: {size: 2, x: 1}",
  "",
  "- a",
  "kind: y\napiVersion: ex.io/v1",
  `${start},"metadata":{"name":"a"},"spec":{}}`,
  "kind: Thing\napiVersion: ex.io/v1\nmetadata: {name: a}\nspec: {}\n---\nkind: Other",
].map((body): InstanceCase => ({ plural: "things", body, mediaType: "application/yaml" }));

const scaler = (spec: JsonValue): InstanceCase => ({ plural: "scalers", body: instance("Scaler", { spec }) });

/** Bodies of create requests. */
export const instances: readonly InstanceCase[] = [
  ...things,
  ...yamls,
  scaler({ replicas: 3, selector: "a=b" }),
  scaler({ replicas: -1 }),
  scaler({ replicas: 3_000_000_000 }),
  scaler({ replicas: "3", selector: 1 }),
  scaler({ replicas: 1.5 }),
  scaler({ replicas: null }),
  scaler("x"),
  scaler({}),
  { plural: "olds", body: instance("Old", { spec: { a: "x", b: "y" } }) },
  { plural: "olds", version: "v1beta1", body: instance("Old", { spec: { a: "x" } }, "ex.io/v1beta1") },
  { plural: "olds", version: "v1beta1", body: instance("Old", { spec: {} }) },
  { plural: "ruled", body: instance("Ruled", { spec: { a: 6, b: "x" } }) },
  { plural: "ruled", body: instance("Ruled", { spec: { a: "x", b: 1 } }) },
  { plural: "ruled", body: instance("Ruled", { spec: { a: 1 } }) },
  { plural: "frees", body: instance("Free", { spec: { a: null, b: [{}], c: 1.5 }, other: "x", status: {} }) },
  { plural: "frees", body: instance("Free", { metadata: { name: "a", finalizers: ["x", "a.b", "ok.io/x", "kubernetes"] } }) },
];

/** A stricter schema for things, and changes of an object that the first schema accepted. */
export const strictThing = definition("laxes", "Lax", [
  version(
    "v1",
    objectSchema({
      spec: objectSchema(
        {
          a: { type: "string", maxLength: 3 },
          n: { type: "integer", maximum: 5 },
          s: { type: "array", items: text, "x-kubernetes-list-type": "set" },
          m: {
            type: "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["k"],
            items: objectSchema({ k: text, v: { type: "integer", maximum: 5 } }, { required: ["k"] }),
          },
          l: { type: "array", items: { type: "integer", maximum: 5 } },
        },
        { required: ["must"] },
      ),
      status: objectSchema({ phase: { type: "string", enum: ["On"] }, n: { type: "integer", maximum: 5 } }),
    }),
    { subresources: { status: {} } },
  ),
]);
export const laxThing = definition("laxes", "Lax", [
  version("v1", { type: "object", "x-kubernetes-preserve-unknown-fields": true }, { subresources: { status: {} } }),
]);
export const laxObject: JsonObject = {
  apiVersion: "ex.io/v1",
  kind: "Lax",
  metadata: { name: "a" },
  spec: {
    a: "much too long",
    n: 9,
    s: ["x", "x"],
    m: [
      { k: "1", v: 9 },
      { k: "2", v: 1 },
    ],
    l: [9, 1],
  },
};
export const laxStatus: JsonObject = { phase: "Odd", n: 9 };

/** Specs that the object gets afterwards. */
export const laxSpecs: readonly JsonObject[] = [
  {
    a: "much too long",
    n: 9,
    s: ["x", "x"],
    m: [
      { k: "1", v: 9 },
      { k: "2", v: 1 },
    ],
    l: [9, 1],
  },
  {
    a: "much too long",
    n: 9,
    s: ["x", "x"],
    m: [
      { k: "1", v: 9 },
      { k: "2", v: 2 },
    ],
    l: [9, 1],
  },
  {
    a: "still too long",
    n: 9,
    s: ["x", "x"],
    m: [
      { k: "1", v: 9 },
      { k: "2", v: 1 },
    ],
    l: [9, 1],
  },
  {
    a: "ok",
    n: 8,
    s: ["x", "x", "x"],
    m: [
      { k: "2", v: 7 },
      { k: "1", v: 9 },
    ],
    l: [9, 1],
  },
  { a: "ok", n: 5, s: ["x"], m: [{ k: "1", v: 9 }], l: [9, 2] },
  { a: "ok", m: [{ k: "1" }, { k: "1" }] },
];
export const laxStatuses: readonly JsonObject[] = [
  { phase: "Odd", n: 9 },
  { phase: "Odd", n: 8 },
  { phase: "On", n: 9 },
  { phase: "Other", n: 1 },
  {},
];
