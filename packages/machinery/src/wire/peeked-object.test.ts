import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeJson } from "../json/json-decode.ts";
import { encodeJson } from "../json/json-encode.ts";
import { jsonEqual } from "../json/json-equal.ts";
import { fieldTree } from "../json/field-tree.ts";
import { JsonProjection } from "../json/projected-json.ts";
import { isJsonObject } from "../json/json-value.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { peekLabels, peekObject } from "./peeked-object.ts";
import type { PeekedObject, PeekOptions } from "./peeked-object.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array | undefined): string | undefined => (bytes === undefined ? undefined : new TextDecoder().decode(bytes));
const peek = (text: string, options?: PeekOptions): (Omit<PeekedObject, "bytes"> & { readonly text: string }) | undefined => {
  const source = bytesOf(`<<${text}>>`);
  const found = peekObject(source, 2, source.length - 2, options);
  // Node's chunks are searched another way, with the same outcome.
  expect(peekObject(Buffer.from(source), 2, source.length - 2, options)).toEqual(found);
  if (found === undefined) return undefined;
  const { bytes, ...identity } = found;
  expect(bytes.buffer.byteLength).toBe(bytes.length);
  return { ...identity, text: textOf(bytes) ?? "" };
};

describe("peekObject", () => {
  const managedFields = [{ manager: "kubectl", fieldsV1: { "f:a": {} } }];
  it("identifies a built-in kind, and cuts its managed fields", () => {
    const metadata = { name: "web-0", namespace: "shop", uid: "u", resourceVersion: "7", labels: { app: "web" } };
    const pod = { kind: "Pod", apiVersion: "v1", metadata: { ...metadata, managedFields }, spec: { a: 1 } };
    const found = { name: "web-0", namespace: "shop", uid: "u", resourceVersion: "7", isTerminating: false };
    expect(peek(encodeJson(pod))).toEqual({ ...found, text: encodeJson({ ...pod, metadata }) });
    expect(peek(encodeJson(pod), { keepManagedFields: true })).toEqual({ ...found, text: encodeJson(pod) });
  });
  it("identifies a custom resource, whose managed fields precede its name", () => {
    const after = { name: "w", namespace: "n", resourceVersion: "7", uid: "u" };
    const widget = {
      apiVersion: "ex.io/v1",
      kind: "Widget",
      metadata: { deletionTimestamp: "t", managedFields, ...after },
      spec: { template: { metadata: { name: "no", managedFields } } },
    };
    expect(peek(encodeJson(widget))).toEqual({
      ...after,
      isTerminating: true,
      text: encodeJson({ ...widget, metadata: { deletionTimestamp: "t", ...after } }),
    });
  });
  it("cuts managed fields anywhere in the metadata, whatever they contain", () => {
    for (const [metadata, rest] of [
      ['{"managedFields":[],"name":"a"}', '{"name":"a"}'],
      ['{"name":"a","managedFields":[]}', '{"name":"a"}'],
      ['{"managedFields":null,"name":"a"}', '{"name":"a"}'],
      [String.raw`{"managedFields":[{"f]},\"a\"":["]"]}],"name":"a"}`, '{"name":"a"}'],
      ['{"generation":1,"managedFields":["]},"],"name":"a"}', '{"generation":1,"name":"a"}'],
    ])
      expect(peek(`{"metadata":${metadata}}`)?.text).toBe(`{"metadata":${rest}}`);
  });
  it("is undefined for anything unusual", () => {
    for (const text of [
      '{"metadata":{"name":"a"},"metadata":{"name":"b"}}',
      String.raw`{"metadata":{"name":"a"},"metad\u0061ta":{"name":"b"}}`,
      String.raw`{"metad\u0061ta":{"name":"b"},"metadata":{"name":"a"}}`,
      '{"metadata":{"name":"a"}, "metadata" :{"name":"b"}}',
      String.raw`{"metadata":{"n\u0061me":"b","name":"a"}}`,
      String.raw`{"metadata":{"name":"\u0061"}}`,
      '{ "metadata":{"name":"a"}}',
      '{"metadata": {"name":"a"}}',
      '{"metadata":{"name":5}}',
      '{"metadata":{"name":""}}',
      '{"metadata":{"name":"a","uid":null}}',
      '{"metadata":{"name":"a","managedFields":[],"managedFields":[1]}}',
      '{"metadata":{}}',
      '{"metadata":null}',
      "{}",
      "[]",
      '{"metadata":{"name":"a"}',
      '{"metadata":{"name":"a"',
    ])
      expect(peek(text), text).toBeUndefined();
  });
  it("ignores the word metadata where it cannot be a key of the object", () => {
    for (const rest of [
      '"spec":{"metadata":{"name":"b"}}',
      '"spec":{"path":"metadata"}',
      String.raw`"spec":{"a":"\"metadata\":{}","b":"\u003c"}`,
    ]) {
      expect(peek(`{"metadata":{"name":"a"},${rest}}`)).toMatchObject({ name: "a" });
    }
  });

  const text = fc.string({ unit: fc.constantFrom("a", '"', "\\", "{", "}", "[", "]", ",", ":", "é", "\n", "😀", "\u0000"), maxLength: 5 });
  const key = fc.oneof(
    { weight: 3, arbitrary: text },
    { weight: 2, arbitrary: fc.constantFrom("metadata", "managedFields", "name", "__proto__", "constructor", "labels", "uid", "0") },
  );
  const lookAlike = fc.constantFrom('"managedFields":[', ']},"spec":{', ',"metadata":{"name":"x"}', ']},\\"spec', '"metadata"');
  const { tree } = fc.letrec<{ tree: JsonValue }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      text,
      lookAlike,
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.integer(),
      fc.constant(null),
      fc.boolean(),
      fc.array(tie("tree"), { maxLength: 3 }),
      fc.dictionary(key, tie("tree"), { maxKeys: 3, noNullPrototype: true }),
    ),
  }));
  const usual = fc.constantFrom("web-0", "shop", "2026-11-15T13:35:46Z");
  const members = {
    name: fc.oneof({ weight: 5, arbitrary: usual }, text),
    namespace: usual,
    uid: fc.oneof(usual, text),
    resourceVersion: usual,
    deletionTimestamp: usual,
    generation: fc.integer(),
    labels: fc.dictionary(fc.oneof(text, key), text, { maxKeys: 2, noNullPrototype: true }),
    annotations: fc.dictionary(text, fc.oneof(text, lookAlike), { maxKeys: 2, noNullPrototype: true }),
    managedFields: fc.array(tree, { maxLength: 2 }),
  };
  const metadata = fc
    .record(members, { requiredKeys: ["name"] })
    .chain((object) => fc.shuffledSubarray(Object.entries(object), { minLength: Object.keys(object).length }));
  const top = fc.tuple(fc.array(fc.tuple(key, tree), { maxLength: 3 }), metadata, fc.integer({ min: 0, max: 3 }));

  /** Written by hand, so that keys may come twice and in any order. */
  const written = top.map(([others, meta, at]) => {
    const parts = others.map(([name, value]) => `${encodeJson(name)}:${encodeJson(value)}`);
    parts.splice(at, 0, `"metadata":{${meta.map(([name, value]) => `${encodeJson(name)}:${encodeJson(value)}`).join(",")}}`);
    return `{${parts.join(",")}}`;
  });

  it("agrees with parsing everything, or is undefined", () => {
    let usuals = 0;
    fc.assert(
      fc.property(written, fc.boolean(), (encoded, keepManagedFields) => {
        const found = peek(encoded, { keepManagedFields });
        if (found === undefined) return;
        usuals++;
        // Inside a watch event, because an object that looks like a list or an event would be taken for one.
        const event = decodeJson(`{"type":"ADDED","object":${encoded}}`, { dropManagedFields: !keepManagedFields }) as {
          readonly object: JsonObject;
        };
        const whole = event.object["metadata"] as JsonObject;
        expect(found).toMatchObject({
          name: whole["name"],
          namespace: whole["namespace"] ?? "",
          uid: whole["uid"] ?? "",
          resourceVersion: whole["resourceVersion"] ?? "",
          isTerminating: whole["deletionTimestamp"] !== undefined,
        });
        expect(jsonEqual(decodeJson(found.text), event.object)).toBe(true);
        const labels = textOf(peekLabels(bytesOf(found.text)));
        if (labels !== undefined) expect(jsonEqual(decodeJson(labels), isJsonObject(whole["labels"]) ? whole["labels"] : {})).toBe(true);
      }),
    );
    expect(usuals).toBeGreaterThan(50);
  });
});

describe("peekObject of declared fields", () => {
  const kept = (text: string, options: PeekOptions = {}): string | undefined => {
    const projection = new JsonProjection(fieldTree(["kind", "metadata", "spec.a"]));
    const { bytes, name } = peekObject(bytesOf(`[${text}]`), 1, bytesOf(text).length + 1, { ...options, projection }) ?? {};
    return bytes === undefined ? undefined : `${name}: ${textOf(bytes)}`;
  };
  const object =
    '{"kind":"X","data":[1],"metadata":{"name":"n","managedFields":[{"a":1}],"labels":{}},"spec":{"b":1,"a":{"c":2}},"status":{}}';

  it("keeps these fields and the metadata, without managed fields unless they are kept", () => {
    expect(kept(object)).toBe('n: {"kind":"X","metadata":{"name":"n","labels":{}},"spec":{"a":{"c":2}}}');
    expect(kept(object, { keepManagedFields: true })).toBe(
      'n: {"kind":"X","metadata":{"name":"n","managedFields":[{"a":1}],"labels":{}},"spec":{"a":{"c":2}}}',
    );
  });

  it("copies them into memory of the caller", () => {
    const sizes: number[] = [];
    kept(object, {
      allocate: (length) => {
        sizes.push(length);
        return new Uint8Array(length);
      },
    });
    expect(sizes).toEqual(['{"kind":"X","metadata":{"name":"n","labels":{}},"spec":{"a":{"c":2}}}'.length]);
  });

  it("is undefined for anything unusual", () => {
    expect(kept('{"metadata":{"name":"n"},"spec":{"a": 1}}')).toBeUndefined();
    expect(kept('{"metadata":{"name":"n"},"spec":{"a":1}')).toBeUndefined();
  });
});

describe("peekLabels", () => {
  it("finds the labels, and is undefined without labels or for anything unusual", () => {
    expect(textOf(peekLabels(bytesOf('{"metadata":{"labels":{"a":"b"},"name":"x"}}')))).toBe('{"a":"b"}');
    for (const text of [
      '{"metadata":{"name":"x"}}',
      '{"metadata":{"labels":{"a":"b"},"name":"x"},"metadata":{}}',
      '{"metadata":{"labels":null,"name":"x"}}',
      "{}",
    ])
      expect(peekLabels(bytesOf(text)), text).toBeUndefined();
  });
});

describe("peekObject of Node's Buffer", () => {
  it("is undefined exactly where it is for other bytes", () => {
    const bytes = Uint8Array.of(...bytesOf('{"metadata":{"name":"a'), 0xff, ...bytesOf('"}}'));
    expect([peekObject(bytes, 0, bytes.length), peekObject(Buffer.from(bytes), 0, bytes.length)]).toEqual([undefined, undefined]);
    const replaced = bytesOf('{"metadata":{"name":"a\ufffd"}}');
    expect(peekObject(Buffer.from(replaced), 0, replaced.length)?.name).toBe("a\ufffd");
  });
});

describe("peekObject of invalid UTF-8", () => {
  it("is undefined for it in a name, and ignores it elsewhere", () => {
    const source = bytesOf('{"metadata":{"name":"a?"},"spec":"!"}');
    const at = (mark: string): Uint8Array => source.map((byte) => (byte === mark.charCodeAt(0) ? 0xff : byte));
    expect(peekObject(at("?"), 0, source.length)).toBeUndefined();
    expect(peekObject(at("!"), 0, source.length)?.name).toBe("a?");
  });
});
