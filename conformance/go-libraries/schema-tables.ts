/** The questions about schemas whose answers are recorded. */
import type { JsonValue, Schema, UncheckedSchema } from "@drover/machinery";

interface ValueQuestion {
  readonly schema: Schema;
  readonly value: JsonValue;
  readonly old?: JsonValue;
  readonly path?: string;
}

const field = (schema: Schema, ...values: readonly JsonValue[]): ValueQuestion[] =>
  values.map((value) => ({
    schema: { type: "object", properties: { spec: { type: "object", properties: { a: schema } } } },
    value: { spec: { a: value } },
  }));
const map = (schema: Schema): Schema => ({ type: "object", additionalProperties: schema });
const embedded: Schema = { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true };
const mapList: Schema = {
  type: "array",
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["k"],
  items: { type: "object", required: ["k"], properties: { k: { type: "string" }, n: { type: "integer", maximum: 5 } } },
};

export const validateQuestions: readonly ValueQuestion[] = [
  ...field({ type: "integer", minimum: 0, maximum: 10 }, 5, 20, -1, "5", 2.5, true, null, [], {}, 1e21),
  ...field({ type: "integer", format: "int32" }, 2147483647, 2147483648, -2147483649),
  ...field({ type: "integer", format: "int64" }, 9007199254740991, 1e21),
  ...field({ type: "integer", minimum: 0.5, maximum: 5.5, multipleOf: 2.5 }, 5, 6, 0),
  ...field({ type: "number", minimum: 0.5, maximum: 5.5 }, 0, 6, 5.6, 0.4, 3),
  ...field({ type: "number", multipleOf: 0.5 }, 1, 1.5, 1.3, 1000000.25),
  ...field({ type: "number", format: "float" }, 4e38, 1e-50),
  ...field({ type: "integer", exclusiveMinimum: true, minimum: 0, exclusiveMaximum: true, maximum: 10 }, 0, 10, 5),
  ...field({ type: "number", maximum: 1000000 }, 1000001, 1000000.5, 2500000.5),
  ...field({ type: "integer", multipleOf: 3 }, 9, 10, -3),
  ...field({ type: "string", minLength: 2, maxLength: 3, pattern: "^é" }, "é", "éé", "éééé", "abc", "😀😀", "😀😀😀😀", 5),
  ...field({ type: "string", maxLength: 1 }, "ab"),
  ...field({ type: "string", pattern: "(?i)^a+$" }, "AAA", "b"),
  ...field({ type: "string", format: "date-time" }, "2020-01-01T00:00:00Z", "nope", 'a"b\u0001', 5, []),
  ...field({ format: "date" }, "2020-01-01", "x", 5, true, null, {}, []),
  ...field({ type: "string", format: "unknown" }, "x", 5, []),
  ...field({ type: "string", enum: ["a", "b"] }, "a", "z", null, 5),
  ...field({ type: "string", enum: ["a", "b"], nullable: true }, null),
  ...field({ enum: [1, 2.5, true, { a: 1 }, ["x"], null, "A", "<"] }, 1, 2.5, true, { a: 1 }, ["x"], null, 65, 1.9, false, { a: 2 }, "q"),
  ...field({ type: "boolean" }, true, "true", 1),
  ...field({ type: "array", items: { type: "string" }, minItems: 1, maxItems: 2 }, [], ["a"], ["a", "b", "c"], ["a", 5], [null], {}),
  ...field({ type: "array", items: { type: "string" }, maxItems: 1 }, ["a", "b"]),
  ...field(
    { type: "object", minProperties: 1, maxProperties: 2, properties: { x: { type: "string" } } },
    {},
    { a: 1, b: 2, c: 3 },
    { x: 5 },
  ),
  ...field({ type: "object", required: ["x", "y"], properties: { x: { type: "string" } } }, {}, { x: "a" }, { x: null, y: null }),
  ...field({ type: "object", additionalProperties: { type: "integer" } }, { a: 1 }, { "a.b": "c" }, { "": "c" }),
  ...field({ type: "object", additionalProperties: false, properties: { x: { type: "string" } } }, { x: "a" }, { y: 1 }),
  ...field({ "x-kubernetes-int-or-string": true }, 5, "5", true, null, 2.5),
  ...field(
    { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }], pattern: "^[0-9]+%$" },
    5,
    "5%",
    "x",
    false,
  ),
  ...field({ type: "integer", allOf: [{ minimum: 5 }, { maximum: 10 }] }, 7, 3, 12),
  ...field({ type: "integer", anyOf: [{ minimum: 5 }, { maximum: 2 }] }, 7, 3),
  ...field({ type: "integer", oneOf: [{ minimum: 5 }, { minimum: 3 }] }, 7, 4, 1),
  ...field({ type: "string", not: { pattern: "^a" } }, "b", "a"),
  ...field(
    {
      type: "object",
      properties: { x: { type: "integer" } },
      oneOf: [{ required: ["x"] }, { required: ["y"], properties: { x: { minimum: 5 } } }],
    },
    { x: 1 },
    { y: 1 },
    {},
    { x: 5, y: 1 },
  ),
  ...field(
    { type: "object", anyOf: [{ properties: { x: { minimum: 5 } } }, { properties: { x: { enum: [1] } }, required: ["z"] }] },
    { x: 2 },
    { x: 1 },
  ),
  ...field({ type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } }, ["a", "b"], ["a", "a", "a", "b", "b"]),
  ...field({ type: "array", "x-kubernetes-list-type": "set", items: { type: "object", "x-kubernetes-map-type": "atomic" } }, [
    { a: 1, b: 2 },
    { b: 2, a: 1 },
  ]),
  ...field(mapList, [{ k: "1" }, { k: "1" }], [{ k: "1" }, 5], [null, {}], [{ n: 1 }, { n: 2 }]),
  ...field(
    { ...mapList, "x-kubernetes-list-map-keys": ["k", "n"] },
    [
      { k: "1", n: 1 },
      { k: "1", n: 1 },
    ],
    [{ k: "1" }, { k: "1" }, { n: 1 }],
  ),
  ...field(
    embedded,
    { apiVersion: "v1", kind: "Pod", metadata: { name: "a" } },
    {},
    { apiVersion: 5, kind: "" },
    { apiVersion: "a/b/c", kind: "A_b" },
    { apiVersion: "", kind: null, metadata: { name: "a/b", labels: { "-": "x" } } },
    { apiVersion: "v1", kind: "A", metadata: { name: 5 } },
  ),
  ...field(embedded, {
    apiVersion: "v1",
    kind: "A",
    metadata: { namespace: "A_B", ownerReferences: [{}], generation: -1, finalizers: ["x y"] },
  }),
  { schema: map({ type: "string" }), value: { a: 5, b: "x" } },
  { schema: map(mapList), value: { a: [{ k: "x" }, { k: "x" }] } },
  { schema: { type: "object", required: ["spec"] }, value: {} },
  { schema: { type: "object", required: ["spec"], properties: { a: { type: "string" } } }, value: { a: 5 }, path: "status" },
  { schema: { type: "array", items: { type: "string" } }, value: [5], path: "status" },
  { schema: { type: "string" }, value: 5 },
  { schema: { type: "object" }, value: "x" },
];

const root = (properties: Readonly<Record<string, Schema>>): Schema => ({ type: "object", properties });

export const updateQuestions: readonly ValueQuestion[] = [
  { schema: root({ a: { type: "integer", maximum: 5 }, b: { type: "string" } }), value: { a: 7, b: "new" }, old: { a: 7, b: "old" } },
  { schema: root({ a: { type: "integer", maximum: 5 } }), value: { a: 8 }, old: { a: 7 } },
  { schema: root({ kind: { type: "string", maxLength: 1 } }), value: { kind: "ab", x: 1 }, old: { kind: "ab", x: 2 } },
  { schema: root({ kind: { type: "string", maxLength: 1 } }), value: { kind: "ab" }, old: { kind: "ab" } },
  {
    schema: root({ l: mapList }),
    value: {
      l: [
        { k: "b", n: 9 },
        { k: "a", n: 9 },
      ],
    },
    old: {
      l: [
        { k: "a", n: 9 },
        { k: "b", n: 8 },
      ],
    },
  },
  {
    schema: root({ l: mapList }),
    value: {
      l: [
        { k: "b", n: 9 },
        { k: "a", n: 9 },
      ],
    },
    old: {
      l: [
        { k: "a", n: 9 },
        { k: "b", n: 9 },
      ],
    },
  },
  { schema: root({ l: mapList }), value: { l: [{ k: "a" }, { k: "a" }] }, old: { l: [{ k: "b" }, { k: "b" }] } },
  { schema: root({ l: mapList }), value: { l: [{ k: "a" }, { k: "a" }] }, old: { l: [{ k: "b" }] } },
  { schema: root({ l: { type: "array", items: { type: "integer", maximum: 5 } } }), value: { l: [7, 1] }, old: { l: [7, 2] } },
  { schema: root({ l: { type: "array", items: { type: "integer", maximum: 5 } } }), value: { l: [7, 1], x: 1 }, old: { l: [7, 1] } },
  {
    schema: root({ a: { type: "object", required: ["x"], properties: { y: { type: "string" } } } }),
    value: { a: { y: "1" } },
    old: { a: { y: "1" } },
  },
  {
    schema: root({ a: { type: "object", required: ["x"], "x-kubernetes-preserve-unknown-fields": true } }),
    value: { a: { y: "1" } },
    old: { a: { y: "1" } },
  },
  {
    schema: root({ a: { type: "object", properties: { x: { type: "integer" } }, allOf: [{ properties: { x: { maximum: 5 } } }] } }),
    value: { a: { x: 7, y: 1 } },
    old: { a: { x: 7 } },
  },
];

const settled: Schema = root({
  size: { type: "integer", default: 1 },
  mode: { type: "string", nullable: true, default: "a" },
  plain: { type: "string" },
  nullable: { type: "string", nullable: true },
  nested: { type: "object", properties: { x: { type: "integer", default: 7 } } },
  filled: { type: "object", default: {}, properties: { x: { type: "integer", default: 7 } } },
  list: { type: "array", items: { type: "object", default: { y: 1 }, properties: { x: { type: "integer", default: 7 } } } },
  map: map({ type: "object", properties: { x: { type: "integer", default: 7 } } }),
  anyMap: { type: "object", additionalProperties: true },
  open: {
    type: "object",
    "x-kubernetes-preserve-unknown-fields": true,
    properties: { shut: { type: "object", properties: { x: { type: "string" } } } },
  },
  openList: {
    type: "array",
    "x-kubernetes-preserve-unknown-fields": true,
    items: { type: "object", properties: { shut: { type: "object" } } },
  },
  part: { type: "object", "x-kubernetes-embedded-resource": true, properties: { spec: { type: "object" } } },
});

export const settleQuestions: readonly { readonly schema: Schema; readonly value: JsonValue; readonly root: boolean }[] = [
  true,
  false,
].flatMap((isRoot) =>
  [
    {},
    { size: null, mode: null, plain: null, nullable: null, nested: null, unknown: null },
    { nested: {}, filled: { x: 1 } },
    { list: [null, {}, { x: 1 }, 5], map: { a: {}, b: null } },
    { apiVersion: "v1", kind: "K", metadata: { odd: 1 }, part: { kind: "P", metadata: { odd: 1 }, odd: 1, spec: { odd: 1 } } },
    { open: { any: { x: 1 }, shut: { x: "1", y: 1 } }, openList: [{ any: 1, shut: { y: 1 } }] },
    { anyMap: { k: { x: 1 }, s: "t", l: [{ y: 1 }] }, map: { k: { x: 1, y: 1 } } },
    { nested: "x", list: {}, map: [1], z: 1, é: 1, "~": 1 },
    [{ a: 1 }],
    "x",
    null,
  ].map((value) => ({ schema: settled, value, root: isRoot })),
);

const spec = (schema: UncheckedSchema): { readonly schema: UncheckedSchema } => ({
  schema: { type: "object", properties: { spec: schema } },
});

export const structuralQuestions: readonly { readonly schema: UncheckedSchema; readonly status?: boolean }[] = [
  { schema: { type: "object" } },
  { schema: {} },
  { schema: { type: "string" } },
  { schema: { type: "object", nullable: true } },
  { schema: { type: "object", $schema: "x" } },
  { schema: { type: "object", additionalProperties: { type: "string" } } },
  { schema: { type: "object", enum: [{}], description: "d" }, status: true },
  { schema: { type: "array", items: [{}], externalDocs: { url: "u" } }, status: true },
  spec({}),
  spec({ type: "nope" }),
  spec({ type: "null" }),
  spec({ type: "array" }),
  spec({ type: "array", items: {} }),
  spec({ type: "array", items: [{ type: "string" }], "x-kubernetes-list-type": "map" }),
  spec({ type: "array", items: { type: "string" }, uniqueItems: true }),
  spec({ type: "object", properties: { a: { type: "string" } }, additionalProperties: { type: "string" } }),
  spec({ type: "object", properties: { a: { type: "string" } }, additionalProperties: true }),
  spec({ type: "object", additionalProperties: {} }),
  spec({ type: "string", pattern: "(" }),
  spec({ type: "string", pattern: "a**" }),
  spec({ type: "string", minLength: -1, format: "unknown" }),
  spec({
    type: "object",
    $ref: "#/a",
    id: "x",
    definitions: { a: { type: "nope" } },
    dependencies: { a: ["b"], b: { uniqueItems: true } },
    patternProperties: { a: {} },
    additionalItems: false,
  }),
  spec({
    type: "object",
    allOf: [
      {
        type: "string",
        title: "t",
        description: "d",
        nullable: true,
        default: 1,
        additionalProperties: true,
        "x-kubernetes-list-type": "set",
        "x-kubernetes-list-map-keys": ["a"],
        "x-kubernetes-map-type": "atomic",
      },
    ],
  }),
  spec({
    type: "object",
    not: {
      "x-kubernetes-int-or-string": true,
      "x-kubernetes-embedded-resource": true,
      "x-kubernetes-preserve-unknown-fields": true,
      "x-kubernetes-validations": [{ rule: "true" }],
    },
  }),
  spec({ type: "object", anyOf: [{ properties: { a: { required: ["b"] } }, required: ["a"] }] }),
  { schema: { type: "object", anyOf: [{ properties: { a: { items: { maxLength: 1 } } } }, { required: ["x"] }] } },
  {
    schema: {
      type: "object",
      properties: { a: { type: "object" } },
      not: { properties: { a: { properties: { b: {} }, items: {} }, metadata: {} } },
    },
  },
  spec({ "x-kubernetes-int-or-string": true }),
  spec({ "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] }),
  spec({ "x-kubernetes-int-or-string": true, allOf: [{ anyOf: [{ type: "integer" }, { type: "string" }] }, { pattern: "a" }] }),
  spec({ "x-kubernetes-int-or-string": true, anyOf: [{ type: "string" }, { type: "integer" }] }),
  spec({ "x-kubernetes-int-or-string": true, "x-kubernetes-preserve-unknown-fields": true, "x-kubernetes-embedded-resource": true }),
  spec({ "x-kubernetes-preserve-unknown-fields": false }),
  spec({ "x-kubernetes-preserve-unknown-fields": true }),
  spec({ "x-kubernetes-embedded-resource": true }),
  spec({ type: "object", "x-kubernetes-embedded-resource": true }),
  spec({ type: "array", "x-kubernetes-embedded-resource": true, additionalProperties: { type: "string" }, items: { type: "string" } }),
  {
    schema: {
      type: "object",
      properties: {
        metadata: { type: "object", properties: { name: { type: "string", pattern: "^a" }, generateName: { type: "string" } } },
      },
    },
  },
  { schema: { type: "object", properties: { metadata: { type: "object", properties: { labels: { type: "object" } } } } } },
  {
    schema: {
      type: "object",
      properties: {
        metadata: { type: "object", description: "d" },
        kind: { type: "integer" },
        apiVersion: { type: "string", default: "v1" },
      },
    },
  },
  spec({ type: "array", "x-kubernetes-list-type": "set", items: { type: "object" } }),
  spec({
    type: "array",
    "x-kubernetes-list-type": "set",
    items: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
  }),
  spec({ type: "array", "x-kubernetes-list-type": "set", items: { type: "string", nullable: true } }),
  spec({ type: "array", "x-kubernetes-list-type": "odd", items: { type: "string" } }),
  spec({ type: "string", "x-kubernetes-list-type": "set" }),
  spec({ "x-kubernetes-list-type": "set" }),
  spec({ type: "array", "x-kubernetes-list-type": "map", items: { type: "string" } }),
  spec({
    type: "array",
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["a", "b", "b", "c"],
    items: {
      type: "object",
      nullable: true,
      required: ["b"],
      properties: { a: { type: "string", nullable: true }, b: { type: "object" } },
    },
  }),
  spec({
    type: "array",
    "x-kubernetes-list-map-keys": ["a"],
    items: { type: "object", properties: { a: { type: "string", default: "x" } } },
  }),
  spec({ type: "array", "x-kubernetes-list-map-keys": ["a"], "x-kubernetes-list-type": "atomic", items: { type: "string" } }),
  spec({ type: "string", "x-kubernetes-map-type": "atomic" }),
  spec({ type: "object", "x-kubernetes-map-type": "odd" }),
  spec({ "x-kubernetes-map-type": "granular" }),
  spec({ type: "integer", default: "x" }),
  spec({ type: "integer", default: 5, maximum: 3 }),
  spec({ type: "object", default: { a: 1 } }),
  spec({ type: "object", default: { a: { b: 1 } }, properties: { a: { type: "object", default: { c: 1 } } } }),
  spec({ type: "string", default: null }),
  spec({ type: "string", nullable: true, enum: ["a"], default: "b" }),
  spec({ "x-kubernetes-int-or-string": true, default: true }),
  spec({ type: "string", format: "date", default: "x" }),
  spec({
    type: "object",
    default: { apiVersion: "v1", kind: "A", metadata: { name: "a/b", foo: 1 } },
    "x-kubernetes-embedded-resource": true,
    "x-kubernetes-preserve-unknown-fields": true,
  }),
  spec({ type: "object", default: { kind: 5 }, "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true }),
  spec({
    type: "object",
    "x-kubernetes-embedded-resource": true,
    properties: {
      kind: { type: "string", default: "a b" },
      metadata: {
        type: "object",
        properties: {
          name: { type: "string", default: "a/b", maxLength: 2 },
          labels: { type: "object", additionalProperties: { type: "string", default: "x" }, default: { a: 5 } },
          owner: { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
        },
      },
    },
  }),
  spec({
    type: "object",
    properties: { a: { type: "string" } },
    "x-kubernetes-validations": [
      { rule: " ", fieldPath: ".a" },
      { rule: "true", message: " ", fieldPath: ".b", reason: "FieldValueOdd" },
      { rule: "true", message: "a\nb", fieldPath: " " },
      { rule: "true &&\ntrue", messageExpression: " ", fieldPath: ".a\n" },
      { rule: "true", fieldPath: "['a']" },
      { rule: "true", fieldPath: "a" },
      { rule: "true", fieldPath: ".a.b" },
      { rule: "true", fieldPath: "['a'" },
      { rule: "true", fieldPath: "['\\q']" },
    ],
  }),
  spec({
    type: "object",
    additionalProperties: { type: "object", properties: { "a.b'c": { type: "string" } } },
    "x-kubernetes-validations": [
      { rule: "true", fieldPath: ".x['a.b\\'c']" },
      { rule: "true", fieldPath: "['x'].y" },
      { rule: "true", fieldPath: "[x]" },
      { rule: "true", fieldPath: "." },
    ],
  }),
];

export const metaQuestions: readonly { readonly value: JsonValue; readonly drop?: boolean; readonly root?: boolean }[] = [
  ...[
    {},
    { name: "a", foo: 1, bar: {} },
    { name: 5 },
    { name: true },
    { name: [1] },
    { name: {} },
    { name: null },
    { labels: { a: 1 } },
    { labels: [] },
    { labels: { a: null } },
    { labels: {}, annotations: {}, finalizers: [], ownerReferences: [], managedFields: [], generation: 0, uid: "" },
    { generation: 1.5 },
    { generation: "1" },
    { generation: 1e30 },
    { ownerReferences: [{ name: 5 }] },
    { ownerReferences: {} },
    { ownerReferences: [5] },
    { ownerReferences: [null] },
    { ownerReferences: [{ name: "a", foo: 1, controller: false, blockOwnerDeletion: null }] },
    { finalizers: [5] },
    { finalizers: [null, "a"] },
    { creationTimestamp: "nope" },
    { creationTimestamp: 5 },
    { creationTimestamp: null },
    { creationTimestamp: "2020-01-01T00:00:00+01:00" },
    { creationTimestamp: "0001-01-01T00:00:00Z" },
    { deletionTimestamp: null },
    { managedFields: [{ time: "x" }] },
    { managedFields: [{ time: 5 }] },
    { managedFields: [{ fieldsV1: { a: {} }, zzz: 1 }] },
    { managedFields: [{ fieldsV1: null }] },
    { name: 5, creationTimestamp: "nope" },
    { namespace: [], name: 5 },
    "str",
    5,
    [],
    null,
    true,
    { Name: "x" },
    { deletionGracePeriodSeconds: 0 },
    { labels: { z: 1, a: [] } },
  ].flatMap((metadata) => [{ value: { metadata } }, { value: { metadata }, drop: true }]),
  { value: { part: { kind: 5, metadata: {} } } },
  { value: { part: { apiVersion: null, metadata: 5 } }, drop: true },
  { value: { parts: [{ metadata: { a: 1 } }, { metadata: { b: 1 } }] } },
  { value: { metadata: { a: 1 } }, root: false },
  { value: { kind: 5 } },
  { value: [1] },
  { value: 5 },
];
