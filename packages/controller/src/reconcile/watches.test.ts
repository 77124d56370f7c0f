import { isNotSyncedError } from "@drover/cache";
import type { NotSyncedError } from "@drover/cache";
import { testRuntime } from "@drover/machinery/testing";
import type { TestRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { handSource } from "./testing/hand-source.ts";
import { Watches } from "./watches.ts";

const never = new AbortController().signal;

function stage(): { readonly runtime: TestRuntime; readonly watches: Watches } {
  const runtime = testRuntime();
  const { clock, log } = runtime;
  return { runtime, watches: new Watches({ controller: "web", clock, log, syncTimeoutMs: 5000, request: () => undefined }) };
}

describe("Watches", () => {
  it("have synced immediately without any source", async () => {
    const { watches } = stage();
    watches.startForGood();
    await watches.synced(never);
  });

  it("keep a failure: current and later waits reject with it", async () => {
    const { watches, runtime } = stage();
    const source = handSource("bad", { synced: false });
    watches.add(source);
    watches.startForGood();
    const waiting = expect(watches.synced(never)).rejects.toThrow("gone");
    source.fail(new Error("gone"));
    await waiting;
    await expect(watches.synced(never)).rejects.toThrow("gone");
    expect([watches.failed.reason, runtime.clock.pending]).toEqual([new Error("gone"), []]);
  });

  it("do not take a TimeoutError of a source for the sync timeout", async () => {
    const { watches } = stage();
    const source = handSource("bad", { synced: false });
    watches.add(source);
    watches.startForGood();
    const error = Object.assign(new Error("its own"), { name: "TimeoutError" });
    const waiting = expect(watches.synced(never)).rejects.toBe(error);
    source.fail(error);
    await waiting;
  });

  it("count the timeout from the call, and name only sources that are late and still watched", async () => {
    const { watches, runtime } = stage();
    const [slow, stopped] = [handSource("slow", { synced: false }), handSource("stopped", { synced: false })];
    watches.add(slow);
    const watch = watches.add(stopped);
    watches.add(handSource("quick"));
    watches.startForGood();
    await runtime.clock.advance(4000);
    const waiting = watches.synced(never).catch((error: unknown) => error);
    await watch.stop();
    await runtime.clock.advance(5000);
    const error = (await waiting) as NotSyncedError;
    expect([isNotSyncedError(error), error.unsynced.map(({ name }) => name)]).toEqual([true, ["slow of controller web"]]);
  });

  it("end with the standby's signal until the controller runs, and not afterwards", async () => {
    const { watches, runtime } = stage();
    const source = handSource();
    watches.add(source);
    const first = new AbortController();
    watches.startStandby(first.signal);
    first.abort();
    await runtime.clock.settle();
    expect([source.running, source.starts]).toEqual([0, 1]);
    watches.startStandby(AbortSignal.abort());
    expect(source.starts).toBe(1);
    const second = new AbortController();
    watches.startStandby(second.signal);
    watches.startForGood();
    second.abort();
    await runtime.clock.settle();
    expect([source.running, source.starts]).toEqual([1, 2]);
    await watches.end("over");
    expect([source.running, watches.views()]).toEqual([0, [{ name: "by hand", isSynced: false, waitingFor: undefined }]]);
  });
});
