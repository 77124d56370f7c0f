import { definedOnly } from "../json/defined-only.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeJson } from "../json/json-encode.ts";
import { WatchFrameError, decodeWatchEvent, decodeWatchEvents, encodeWatchEvent, isInitialEventsEnd } from "./watch-frame.ts";
import type { WatchEvent, WatchEventType } from "./watch-frame.ts";

const pod = { kind: "Pod", apiVersion: "v1", metadata: { name: "web-0", resourceVersion: "7", managedFields: [] } };

describe("watch events", () => {
  it("are one line each", () => {
    expect(encodeWatchEvent("ADDED", '{"kind":"Pod"}')).toBe('{"type":"ADDED","object":{"kind":"Pod"}}\n');
  });
  it("round-trip", () => {
    const types = fc.constantFrom<WatchEventType>("ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR");
    fc.assert(
      fc.property(types, fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true }), (type, object) => {
        const text = encodeJson(object);
        const event = decodeWatchEvent<unknown>(encodeWatchEvent(type, text));
        expect({ type: event.type, text: encodeJson(event.object) }).toEqual({ type, text });
      }),
    );
  });
  it("can be decoded without managed fields", () => {
    const event = decodeWatchEvent(encodeWatchEvent("MODIFIED", JSON.stringify(pod)), { dropManagedFields: true });
    expect(event.object).toEqual({ kind: "Pod", apiVersion: "v1", metadata: { name: "web-0", resourceVersion: "7" } });
  });
  it.each([
    ['{"type":"CHANGED","object":{}}', "got invalid watch event type: CHANGED"],
    ['{"object":{}}', "got invalid watch event type: "],
    ['{"type":"ADDED"}', "unable to decode watch event: the object of ADDED is missing"],
    ["[]", "unable to decode to metav1.WatchEvent"],
    ['{"type":}', "invalid character '}' looking for beginning of value (line 1, column 9, offset 8)"],
  ])("are rejected: %s", (line, message) => {
    expect(() => decodeWatchEvent(line)).toThrow(new WatchFrameError(message));
    expect(() => decodeWatchEvent(line)).toThrow(expect.objectContaining({ truncated: false }));
  });
  it("report when they are truncated", () => {
    expect(() => decodeWatchEvent('{"type":"ADDED","obj')).toThrow(expect.objectContaining({ truncated: true }));
  });
  it("mark the end of the initial state with a bookmark", () => {
    const bookmark = (annotations?: Record<string, string>): WatchEvent => ({
      type: "BOOKMARK",
      object: { metadata: definedOnly({ annotations }) },
    });
    expect(isInitialEventsEnd(bookmark({ "k8s.io/initial-events-end": "true" }))).toBe(true);
    expect(isInitialEventsEnd(bookmark({ other: "true" }))).toBe(false);
    expect(isInitialEventsEnd(bookmark())).toBe(false);
    expect(isInitialEventsEnd({ type: "ADDED", object: { metadata: { annotations: { "k8s.io/initial-events-end": "true" } } } })).toBe(
      false,
    );
  });
  it("are decoded from a stream that is cut anywhere", async () => {
    const bytes = new TextEncoder().encode(encodeWatchEvent("ADDED", '{"a":"é"}') + encodeWatchEvent("DELETED", '{"b":"𝒳"}'));
    async function* chunks(): AsyncGenerator<Uint8Array> {
      for (const byte of bytes) yield Uint8Array.of(byte);
    }
    const events: unknown[] = [];
    for await (const event of decodeWatchEvents<unknown>(chunks())) events.push(event);
    expect(events).toEqual([
      { type: "ADDED", object: { a: "é" } },
      { type: "DELETED", object: { b: "𝒳" } },
    ]);
  });
});
