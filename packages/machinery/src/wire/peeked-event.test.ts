import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeJson } from "./json-decode.ts";
import { encodeJson } from "./json-encode.ts";
import { jsonEqual } from "./json-equal.ts";
import type { JsonValue } from "./json-value.ts";
import { peekWatchEvent } from "./peeked-event.ts";
import { WatchFrameError, decodeWatchEvent, encodeWatchEvent } from "./watch-frame.ts";

const line = (type: "ADDED" | "DELETED" | "BOOKMARK" | "ERROR", object: unknown): string => encodeWatchEvent(type, encodeJson(object)).trimEnd();

describe("peekWatchEvent", () => {
  const managedFields = [{ manager: "]}", fieldsV1: { "f:a": {} } }];
  it("reads a built-in kind up to its managed fields", () => {
    const pod = { kind: "Pod", apiVersion: "v1", metadata: { name: "web-0", namespace: "shop", uid: "u", resourceVersion: "7", labels: { app: "web" }, managedFields }, spec: { a: 1 } };
    expect(peekWatchEvent(line("ADDED", pod))).toEqual({ type: "ADDED", metadata: { name: "web-0", namespace: "shop", uid: "u", resourceVersion: "7" }, objectText: encodeJson(pod) });
    expect(peekWatchEvent(line("ADDED", pod), { labels: true }).metadata.labels).toEqual({ app: "web" });
  });
  it("reads a custom resource to the end of its metadata", () => {
    const widget = { apiVersion: "ex.io/v1", kind: "Widget", metadata: { deletionTimestamp: "t", managedFields, name: "w", namespace: "n", resourceVersion: "7", uid: "u" }, spec: { metadata: { name: "no" } } };
    expect(peekWatchEvent(line("DELETED", widget)).metadata).toEqual({ deletionTimestamp: "t", name: "w", namespace: "n", resourceVersion: "7", uid: "u" });
  });
  it("reads bookmarks, errors and strange spellings as a whole", () => {
    expect(peekWatchEvent(line("BOOKMARK", { kind: "Pod", metadata: { resourceVersion: "9" } })).metadata).toEqual({ resourceVersion: "9" });
    expect(peekWatchEvent(line("ERROR", { kind: "Status", metadata: {}, code: 410 }))).toEqual({ type: "ERROR", metadata: {}, objectText: '{"kind":"Status","metadata":{},"code":410}' });
    expect(peekWatchEvent(String.raw`{ "object": {"metadata": {"na\u006de": "x"}}, "type": "ADDED"}`)).toEqual({ type: "ADDED", metadata: { name: "x" }, objectText: '{"metadata":{"name":"x"}}' });
  });
  it("does not stumble over labels that are broken", () => {
    expect(() => peekWatchEvent('{"type":"ADDED","object":{"metadata":{"name":"x","labels":{"a"}}}}', { labels: true })).toThrow(WatchFrameError);
  });
  it("refuses what is no event", () => {
    for (const broken of ["", "{}", '{"type":"ADDED","object":1}', '{"type":"ADDED","object":{"metadata":{"name":"x"', '{"type":"OTHER","object":{}}']) expect(() => peekWatchEvent(broken)).toThrow(WatchFrameError);
  });

  const text = fc.string({ unit: fc.constantFrom("a", '"', "\\", "{", "}", "[", "]", ",", ":", "é", "\n"), maxLength: 5 });
  const { tree } = fc.letrec<{ tree: JsonValue }>((tie) => ({
    tree: fc.oneof({ maxDepth: 2 }, text, fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(null), fc.boolean(), fc.array(tie("tree"), { maxLength: 3 }), fc.dictionary(text, tie("tree"), { maxKeys: 3, noNullPrototype: true })),
  }));
  const structOrder = ["name", "namespace", "uid", "resourceVersion", "deletionTimestamp", "labels", "annotations", "managedFields"];
  const metadata = fc.record({
    name: text, namespace: text, uid: text, resourceVersion: text, deletionTimestamp: text, labels: fc.dictionary(text, text, { maxKeys: 2, noNullPrototype: true }),
    annotations: fc.dictionary(text, text, { maxKeys: 2, noNullPrototype: true }), managedFields: fc.array(tree, { maxLength: 2 }),
  }, { requiredKeys: [] });
  const ordered = fc.tuple(metadata, fc.constantFrom(structOrder, structOrder.toSorted())).map(([object, keys]) =>
    Object.fromEntries(keys.filter((key) => Object.hasOwn(object, key)).map((key) => [key, object[key as keyof typeof object]])));
  const object = fc.tuple(fc.dictionary(fc.oneof(text, fc.constantFrom("kind", "apiVersion")), tree, { maxKeys: 2, noNullPrototype: true }), ordered, tree).map(([before, meta, spec]) => ({ ...before, metadata: meta, spec }));

  it("finds what reading everything finds", () => {
    fc.assert(fc.property(fc.constantFrom<"ADDED" | "DELETED" | "BOOKMARK">("ADDED", "DELETED", "BOOKMARK"), object, fc.boolean(), (type, value, labels) => {
      const encoded = line(type, value);
      const peeked = peekWatchEvent(encoded, { labels });
      const { metadata: whole } = decodeWatchEvent(encoded).object as { metadata: Record<string, unknown> };
      const wanted = ["name", "namespace", "uid", "resourceVersion", "deletionTimestamp", ...(labels ? ["labels"] : [])].filter((key) => Object.hasOwn(whole, key));
      expect(peeked.metadata).toEqual(Object.fromEntries(wanted.map((key) => [key, whole[key]])));
      expect(peeked.type).toBe(type);
      expect(jsonEqual(decodeJson(peeked.objectText), decodeJson(encodeJson(value)))).toBe(true);
    }));
  });
});
