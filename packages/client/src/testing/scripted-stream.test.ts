import { describe, expect, it } from "vitest";
import { ScriptedStream } from "./scripted-stream.ts";

describe("ScriptedStream", () => {
  it("yields what is pushed, event by event and split at cutAt", async () => {
    const stream = new ScriptedStream();
    stream.event("ADDED", { a: "ü" }, { cutAt: [3, 29] });
    stream.event("DELETED", {});
    stream.end();
    const chunks: (string | Uint8Array)[] = [];
    for await (const chunk of stream.response.body as AsyncIterable<string | Uint8Array>) chunks.push(chunk);
    expect(chunks).toHaveLength(4);
    expect(Buffer.concat(chunks.map((chunk) => Buffer.from(chunk as string))).toString()).toBe(
      '{"type":"ADDED","object":{"a":"ü"}}\n{"type":"DELETED","object":{}}\n',
    );
    expect(stream.isDestroyed).toBe(false);
    expect(() => stream.push("x")).toThrow("ended");
  });

  it("breaks after the pushed chunks, and counts those that were read", async () => {
    const stream = new ScriptedStream();
    stream.push("a");
    stream.fail(new Error("reset"));
    const iterator = (stream.response.body as AsyncIterable<string>)[Symbol.asyncIterator]();
    expect(stream.taken).toBe(0);
    expect(await iterator.next()).toEqual({ done: false, value: "a" });
    expect(stream.taken).toBe(1);
    await expect(iterator.next()).rejects.toThrow("reset");
  });
});
