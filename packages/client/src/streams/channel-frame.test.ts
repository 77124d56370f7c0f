import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeChannelFrame, encodeChannelClose, encodeChannelFrames, frameBytesMax } from "./channel-frame.ts";

describe("channel frames", () => {
  it("carry bytes of any length, in messages within the limit, and decode to the same bytes", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 254 }),
        fc.uint8Array({ maxLength: 64 }),
        fc.integer({ min: 0, max: 3 }),
        (channel, tail, whole) => {
          const bytes = new Uint8Array(whole * (frameBytesMax / 2) + tail.length).fill(7);
          bytes.set(tail, bytes.length - tail.length);
          const messages = [...encodeChannelFrames(channel, bytes)];
          expect(messages.every((message) => message.length > 1 && message.length <= frameBytesMax + 1)).toBe(true);
          const frames = messages.map(decodeChannelFrame);
          expect(frames.every((frame) => frame.channel === channel)).toBe(true);
          expect(Buffer.concat(frames.map((frame) => frame.bytes)).equals(bytes)).toBe(true);
        },
      ),
      { numRuns: Math.ceil((fc.readConfigureGlobal()?.numRuns ?? 100) / 4) },
    );
  });

  it("are split exactly at the limit", () => {
    expect([...encodeChannelFrames(0, new Uint8Array(frameBytesMax))]).toHaveLength(1);
    expect([...encodeChannelFrames(0, new Uint8Array(frameBytesMax + 1))].map((message) => message.length)).toEqual([frameBytesMax + 1, 2]);
    expect([...encodeChannelFrames(0, new Uint8Array(0))]).toEqual([]);
  });

  it("announce a channel without bytes", () => {
    expect(decodeChannelFrame(Uint8Array.of(1))).toEqual({ channel: 1, bytes: new Uint8Array(0) });
  });

  it("close a channel with the signal and its number", () => {
    expect(encodeChannelClose(0)).toEqual(Uint8Array.of(255, 0));
  });

  it("are never text and never empty", () => {
    expect(() => decodeChannelFrame("1hello")).toThrow("sent text on a binary connection");
    expect(() => decodeChannelFrame(new Uint8Array(0))).toThrow("without a channel");
  });
});
