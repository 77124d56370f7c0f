import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeJson } from "./json-decode.ts";
import { isDeeper } from "./json-depth.ts";
import { encodeJson } from "./json-encode.ts";
import type { JsonObject, JsonValue } from "./json-value.ts";
import { cutManagedFields, removeManagedFields } from "./managed-fields-cut.ts";

const decodeShort = (text: string): JsonValue => decodeJson(text, { dropManagedFields: true });
/** The long way: read everything, then take the managed fields out. */
const decodeLong = (text: string): JsonValue => removeManagedFields(decodeJson(text));

const managed = [
  { manager: "kubectl", operation: "Update", fieldsV1: { "f:metadata": { "f:labels": { ".": {}, 'k:{"name":"a"}': {} } } } },
];
const pod = {
  kind: "Pod",
  apiVersion: "v1",
  metadata: { name: "web-0", annotations: { note: '"managedFields":[{}]}' }, managedFields: managed },
  spec: { template: { metadata: { name: "inner", managedFields: managed } } },
};
// As custom resources are written: keys in order.
const widget = {
  apiVersion: "ex.io/v1",
  kind: "Widget",
  metadata: { generation: 1, managedFields: managed, name: "w", namespace: "default" },
  spec: { a: 1 },
};
const without = (object: { readonly metadata: { readonly managedFields: unknown } }): unknown => {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
};

describe("decodeJson with dropManagedFields", () => {
  it("removes them from an object and keeps embedded ones", () => {
    expect(decodeShort(JSON.stringify(pod))).toEqual(without(pod));
    expect(decodeShort(JSON.stringify(widget))).toEqual(without(widget));
  });
  it("removes them from every item of a list", () => {
    const podList = {
      kind: "PodList",
      apiVersion: "v1",
      metadata: { resourceVersion: "7" },
      items: [pod, pod, { metadata: { name: "bare" } }, pod],
    };
    const widgetList = {
      apiVersion: "ex.io/v1",
      items: [widget, widget],
      kind: "WidgetList",
      metadata: { continue: "", resourceVersion: "7" },
    };
    expect(decodeShort(JSON.stringify(podList))).toEqual({
      ...podList,
      items: [without(pod), without(pod), { metadata: { name: "bare" } }, without(pod)],
    });
    expect(decodeShort(JSON.stringify(widgetList))).toEqual({ ...widgetList, items: [without(widget), without(widget)] });
  });
  it("removes them from the object of a watch event", () => {
    expect(decodeShort(JSON.stringify({ type: "ADDED", object: pod }))).toEqual({ type: "ADDED", object: without(pod) });
    expect(decodeShort(JSON.stringify({ type: "MODIFIED", object: widget }))).toEqual({ type: "MODIFIED", object: without(widget) });
  });
  it("does not take an object with items for a list", () => {
    const oddity = {
      kind: "ShoppingList",
      apiVersion: "ex.io/v1",
      metadata: { name: "x", managedFields: managed },
      items: [{ metadata: { managedFields: managed } }],
    };
    expect(decodeShort(JSON.stringify(oddity))).toEqual(without(oddity));
  });
  it("keeps fast objects fast: removes the last member, restores a name", () => {
    const text = JSON.stringify(pod);
    expect(cutManagedFields(text, 1000)?.text.length).toBeLessThan(text.length - JSON.stringify(managed).length + 30);
    expect(Object.keys(decodeShort(JSON.stringify(widget)) as JsonObject)).toEqual(Object.keys(widget));
  });
  it.each([
    ["a list inside them", { metadata: { managedFields: [{ a: [1] }, { b: 2 }] } }],
    ["a bracket in a string", { metadata: { managedFields: [{ "f:a]}": {}, "b]": 1 }], name: "x" } }],
    ["a bracket in a string, last", { metadata: { name: "x", managedFields: [{ "f:a]}": {}, "b]}": "]}" }] } }],
    ["an empty list", { metadata: { name: "x", managedFields: [] } }],
    ["null", { metadata: { name: "x", managedFields: null } }],
    ["only embedded ones", { metadata: { name: "x" }, spec: { metadata: { managedFields: managed } } }],
    ["embedded ones before their own", { spec: { metadata: { managedFields: managed } }, metadata: { name: "x", managedFields: managed } }],
    ["a key that ends like theirs", { metadata: { name: "x", 'odd"managedFields': [1], managedFields: [1] } }],
    ["large numbers in them", { metadata: { name: "x", managedFields: [{ n: 9007199254740993n }] } }],
    ["large numbers beside them", { metadata: { name: "x", managedFields: [{ n: 1 }] }, spec: { n: 9007199254740993n } }],
  ])("falls back with %s", (_, object) => {
    const text = encodeJson(object);
    expect(decodeShort(text)).toEqual(decodeLong(text));
  });
  it("falls back with white space and escapes", () => {
    for (const text of [
      JSON.stringify(pod, undefined, 2),
      String.raw`{"metadata":{"managedF\u0069elds":[1],"name":"x"}}`,
      '{"metadata":{"managedFields":[1],"managedFields":[2]}}',
    ]) {
      expect(decodeShort(text)).toEqual(decodeLong(text));
    }
  });
  it("reports what is wrong with invalid text", () => {
    expect(() => decodeShort('{"metadata":{"managedFields":[1]}')).toThrow("unexpected end of JSON input");
    expect(() => decodeShort('{"metadata":{"managedFields":[1')).toThrow("unexpected end of JSON input");
  });
  it("rejects too many levels, anywhere", () => {
    const deep = (levels: number): JsonValue => JSON.parse(`${'{"":'.repeat(levels)}1${"}".repeat(levels)}`) as JsonValue;
    const filler = Array.from({ length: 300 }, () => "a string to make it long");
    const make = (levels: number): JsonValue[] =>
      [
        { ...pod, spec: deep(levels - 1), filler },
        { type: "ADDED", object: { ...widget, spec: { x: deep(levels - 3) }, filler } },
        { kind: "PodList", metadata: {}, items: [pod, { ...pod, status: { x: deep(levels - 4) }, filler }, pod] },
        {
          kind: "PodList",
          metadata: {},
          items: [pod, { metadata: { name: "x", y: deep(levels - 4), managedFields: managed }, filler }, pod],
        },
      ] as JsonValue[];
    for (const value of make(1000)) expect(decodeShort(encodeJson(value))).toEqual(decodeLong(encodeJson(value)));
    for (const value of make(1001)) expect(() => decodeShort(encodeJson(value, { maxDepth: 2000 }))).toThrow("exceeded max depth");
  });
  it("leaves a member without a name alone", () => {
    for (const text of ['{"kind":"Pod","metadata":{"":[],"managedFields":[{"a":1}]}}', '{"metadata":{"":1,"managedFields":[],"name":"a"}}'])
      expect(decodeShort(text)).toEqual(decodeLong(text));
  });
  it("decodes values that are not objects", () => {
    for (const text of ["1", "null", "[]", '"managedFields"', '{"metadata":1}', '{"metadata":null,"items":[]}'])
      expect(decodeShort(text)).toEqual(JSON.parse(text));
  });

  const tricky = fc.constantFrom(
    '"managedFields":[',
    ',"managedFields":[]}',
    "]",
    "}]",
    "]}",
    '\\"',
    "\\",
    '"',
    "managedFields",
    '],"name":"',
    "[",
    "{",
    "703862510",
    "\0",
  );
  const text = fc
    .array(fc.oneof({ weight: 3, arbitrary: tricky }, fc.string({ maxLength: 3 })), { maxLength: 4 })
    .map((parts) => parts.join(""));
  const scalar = fc.oneof(text, fc.integer(), fc.constant(null), fc.boolean(), fc.constant(9007199254740993n));
  const { tree } = fc.letrec<{ tree: JsonValue }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      scalar,
      fc.array(tie("tree"), { maxLength: 3 }),
      fc.dictionary(text, tie("tree"), { maxKeys: 3, noNullPrototype: true }),
    ),
  }));
  const fields = fc.oneof({ weight: 4, arbitrary: fc.array(tree, { maxLength: 3 }) }, tree);
  const metadata = fc.record(
    {
      "": text,
      name: text,
      annotations: fc.dictionary(text, text, { maxKeys: 3, noNullPrototype: true }),
      managedFields: fields,
      uid: text,
    },
    { requiredKeys: [] },
  );
  const inOrder = metadata.map((object) => Object.fromEntries(Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1))));
  const managedLast = metadata.map(({ managedFields, ...rest }) => (managedFields === undefined ? rest : { ...rest, managedFields }));
  const anyMetadata = fc.oneof(metadata, inOrder, managedLast);
  const object = fc.record(
    {
      kind: fc.constantFrom("Pod", "PodList", "Widget"),
      metadata: anyMetadata,
      spec: fc.record({ metadata: anyMetadata, x: tree }, { requiredKeys: [] }),
    },
    { requiredKeys: [] },
  );
  const list = fc.record({
    kind: fc.constant("PodList"),
    metadata: fc.record({ resourceVersion: fc.constant("1") }),
    items: fc.array(object, { maxLength: 4 }),
  });
  const event = fc.record({ type: fc.constantFrom("ADDED", "ERROR"), object });

  it("equals decoding everything and removing them", () => {
    fc.assert(
      fc.property(fc.oneof(object, list, event), (value) => {
        const encoded = encodeJson(value);
        expect(encodeJson(decodeShort(encoded))).toBe(encodeJson(decodeLong(encoded)));
      }),
    );
  });
  it("never lets too many levels through, and rejects nothing else", () => {
    fc.assert(
      fc.property(fc.oneof(object, list, event), fc.integer({ min: 1, max: 7 }), (value, maxDepth) => {
        const encoded = encodeJson(value);
        // Levels inside the managed fields themselves do not count: they may be cut before parsing.
        const wanted = decodeLong(encoded);
        let short: JsonValue;
        try {
          short = decodeJson(encoded, { dropManagedFields: true, maxDepth });
        } catch {
          expect(isDeeper(decodeJson(encoded), maxDepth)).toBe(true);
          return;
        }
        expect(encodeJson(short)).toBe(encodeJson(wanted));
        expect(isDeeper(short, maxDepth)).toBe(false);
      }),
    );
  });
});
