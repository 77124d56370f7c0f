import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contentDigest } from "./content-digest.ts";

const digest = (text: string): number => contentDigest({ bytes: new TextEncoder().encode(text), encoding: "json" });

describe("contentDigest", () => {
  it("is the same for a list item, a watch event and a single object", () => {
    const content = '"metadata":{"name":"web"},"data":{"a":"b"}}';
    const forms = [`{${content}`, `{"kind":"ConfigMap","apiVersion":"v1",${content}`, `{"apiVersion":"v1","kind":"ConfigMap",${content}`];
    expect(new Set(forms.map(digest)).size).toBe(1);
  });

  it("does not depend on where the bytes are in memory, and differs between encodings", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.integer({ min: 0, max: 7 }), (bytes, offset) => {
        const moved = new Uint8Array(bytes.length + offset);
        moved.set(bytes, offset);
        const protobuf = contentDigest({ bytes, encoding: "protobuf" });
        expect(contentDigest({ bytes: moved.subarray(offset), encoding: "protobuf" })).toBe(protobuf);
        expect(Math.trunc(protobuf)).toBe(protobuf);
        expect(protobuf === (protobuf | 0)).toBe(true);
      }),
    );
  });

  it("differs for every change of one byte, and for 200,000 similar objects in almost all cases", () => {
    const base = `{"metadata":{"name":"web"},"data":{"count":"0","text":"${"x".repeat(50)}"}}`;
    const seen = new Set<number>();
    for (let at = 1; at < base.length; at++) seen.add(digest(`${base.slice(0, at)}~${base.slice(at + 1)}`));
    expect(seen.size).toBe(base.length - 1);
    const many = new Set<number>();
    for (let at = 0; at < 200_000; at++) many.add(digest(`{"metadata":{"name":"web"},"data":{"count":"${at}"}}`));
    // Five pairs are expected by chance.
    expect(many.size).toBeGreaterThan(200_000 - 25);
  });
});
