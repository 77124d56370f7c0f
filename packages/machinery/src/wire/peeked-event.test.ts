import { describe, expect, it } from "vitest";
import { encodeJson } from "../json/json-encode.ts";
import { peekWatchEvent } from "./peeked-event.ts";
import { encodeWatchEvent } from "./watch-frame.ts";

const pod = { kind: "Pod", apiVersion: "v1", metadata: { name: "web-0", resourceVersion: "7" }, spec: { a: 1 } };
const text = encodeJson(pod);
const bytes = (line: string): Uint8Array => new TextEncoder().encode(line);

describe("peekWatchEvent", () => {
  it("finds the type and the object", () => {
    for (const type of ["ADDED", "MODIFIED", "DELETED"] as const) {
      expect(peekWatchEvent(bytes(encodeWatchEvent(type, text).trimEnd()))).toEqual({
        type,
        object: { name: "web-0", namespace: "", uid: "", resourceVersion: "7", isTerminating: false, bytes: bytes(text) },
      });
    }
  });
  it("is undefined for bookmarks, errors, unusual spellings and broken lines", () => {
    for (const line of [
      encodeWatchEvent("BOOKMARK", text).trimEnd(),
      encodeWatchEvent("ERROR", text).trimEnd(),
      `{"object":${text},"type":"ADDED"}`,
      `{ "type":"ADDED","object":${text}}`,
      `{"type":"ADDED","object":${text},"more":1}`,
      `{"type":"ADDED","object":{"metadata":{"name":"x"`,
      '{"type":"ADDED","object":1}',
      "{}",
      "",
    ])
      expect(peekWatchEvent(bytes(line)), line).toBeUndefined();
  });
});
