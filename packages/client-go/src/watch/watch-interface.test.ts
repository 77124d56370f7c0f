import type { KubeObject, WatchEvent } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { watchInterface } from "./watch-interface.ts";

const added = (name: string): WatchEvent<KubeObject> => ({ type: "ADDED", object: { metadata: { name } } });

/** Two events, then silence until the signal aborts. */
async function* stream(signal: AbortSignal): AsyncGenerator<WatchEvent<KubeObject>, void, undefined> {
  yield added("a");
  yield added("b");
  await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
}

describe("watchInterface", () => {
  it("iterates like its result channel, and ends without an error after stop() between two events", async () => {
    const watcher = watchInterface(stream);
    const seen: string[] = [];
    for await (const { type } of watcher.resultChan()) {
      seen.push(type);
      watcher.stop();
      watcher.stop();
    }
    expect(seen).toEqual(["ADDED"]);
    expect(await watcher.next()).toEqual({ done: true, value: undefined });
  });

  it("ends without an error when stop() is called while it waits for the server", async () => {
    const watcher = watchInterface(stream);
    await watcher.next();
    await watcher.next();
    const waiting = watcher.next();
    watcher.stop();
    expect(await waiting).toEqual({ done: true, value: undefined });
  });

  it("throws the reason of the caller's signal", async () => {
    const outer = new AbortController();
    const watcher = watchInterface(stream, outer.signal);
    await watcher.next();
    await watcher.next();
    const waiting = watcher.next();
    outer.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
  });

  it("sends nothing before the first event is requested, and nothing after stop()", async () => {
    let started = 0;
    const watcher = watchInterface((signal) => (started++, stream(signal)));
    watcher.stop();
    await watcher.next();
    expect(started).toBe(0);
  });
});
