import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeWatchMessages, encodeWatchMessage } from "./watch-message.ts";

describe("watch events in protobuf", () => {
  it("are length-prefixed messages", () => {
    expect([...encodeWatchMessage({ type: "ADDED", object: Uint8Array.of(9) })]).toEqual([
      0, 0, 0, 12, 0x0a, 5, 0x41, 0x44, 0x44, 0x45, 0x44, 0x12, 3, 0x0a, 1, 9,
    ]);
  });

  it("are decoded however the stream is cut", () => {
    const message = fc.record({
      type: fc.constantFrom("ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"),
      object: fc.uint8Array({ maxLength: 200 }),
    });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 4 }), fc.nat(), (messages, seed) => {
        const stream = new Uint8Array(messages.flatMap((each) => [...encodeWatchMessage(each)]));
        const cut = seed % (stream.length + 1);
        const first = decodeWatchMessages(stream.subarray(0, cut));
        const second = decodeWatchMessages(Uint8Array.from([...first.rest, ...stream.subarray(cut)]));
        expect([...first.messages, ...second.messages]).toEqual(messages);
        expect(second.rest).toHaveLength(0);
      }),
    );
  });

  it("have one of five types", () => {
    expect(() => decodeWatchMessages(Uint8Array.of(0, 0, 0, 3, 0x0a, 1, 0x41))).toThrow('the type of a watch event is "A"');
  });
});
