import type { Clock, KubeObject } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { versionOf } from "../source/parsed-version.ts";
import { ReflectorIngest } from "./reflector-ingest.ts";
import { ReflectorJournal } from "./reflector-journal.ts";
import { MapSink } from "../testing/map-sink.ts";
import type { LazyWatchEvent } from "../source/version-source.ts";

const { signal } = new AbortController();
const event = (type: "ADDED" | "MODIFIED" | "DELETED", name: string, resourceVersion: string): LazyWatchEvent<KubeObject> => ({
  type,
  version: versionOf<KubeObject>({ metadata: { name, resourceVersion, uid: name } }),
});
const bookmark = (resourceVersion: string): LazyWatchEvent<KubeObject> => ({ type: "BOOKMARK", resourceVersion, endsInitialEvents: false });

function stage(version = "10") {
  const runtime = testRuntime();
  const sink = new MapSink<KubeObject>();
  const journal = new ReflectorJournal({ runtime, name: "things", onError: undefined });
  const ingest = new ReflectorIngest<KubeObject>({ sink, clock: runtime.clock, journal });
  ingest.replace([], version, { isNewEpoch: false });
  ingest.begin();
  return { runtime, sink, ingest };
}

describe("ReflectorIngest", () => {
  it("passes on events in order and advances the version with each", async () => {
    const { sink, ingest } = stage();
    expect(ingest.progressed).toBe(false);
    expect(
      await ingest.take([event("ADDED", "a", "11"), event("MODIFIED", "a", "12"), bookmark("15"), event("DELETED", "a", "16")], signal),
    ).toBeUndefined();
    expect(sink.calls).toEqual(["replace 0 @10", "ADDED a @11", "MODIFIED a @12", "bookmark @15", "DELETED a @16"]);
    expect([ingest.version, ingest.progressed]).toEqual(["16", true]);
  });

  it("drops older and repeated events, and does not count them as progress", async () => {
    const { sink, ingest } = stage();
    await ingest.take([event("MODIFIED", "a", "9"), event("DELETED", "a", "10")], signal);
    expect([sink.calls.length, ingest.version, ingest.progressed]).toEqual([1, "10", false]);
  });

  it("ends the stream after a hundred older events in a row, not in total", async () => {
    const { ingest } = stage();
    const older = Array.from({ length: 99 }, () => event("MODIFIED", "a", "9"));
    expect(await ingest.take([...older, event("ADDED", "b", "11"), ...older], signal)).toBeUndefined();
    expect((await ingest.take([event("MODIFIED", "a", "9")], signal))?.name).toBe("WatchProtocolError");
  });

  it("ends the stream at an older bookmark and drops the events after it", async () => {
    const { sink, ingest } = stage();
    expect((await ingest.take([bookmark("10"), bookmark("9"), event("ADDED", "b", "11")], signal))?.name).toBe("WatchProtocolError");
    expect(sink.calls).toEqual(["replace 0 @10", "bookmark @10"]);
  });

  it("keeps its version at a bookmark or an object without a version", async () => {
    const { sink, ingest } = stage();
    await ingest.take([bookmark(""), event("ADDED", "a", "")], signal);
    expect([ingest.version, sink.versions.size]).toEqual(["10", 1]);
  });

  it("returns the status of an ERROR event", async () => {
    const { ingest } = stage();
    const error = await ingest.take(
      [
        event("ADDED", "a", "11"),
        { type: "ERROR", status: { kind: "Status", apiVersion: "v1", metadata: {}, code: 410, reason: "Expired" } },
      ],
      signal,
    );
    expect(error).toMatchObject({ name: "ApiError", code: 410 });
    expect(ingest.version).toBe("11");
  });

  it("continues after a poison object and after an error of the sink, and logs both", async () => {
    const { runtime, sink, ingest } = stage();
    sink.upsert = () => {
      throw new Error("full");
    };
    await ingest.take(
      [
        { type: "POISON", report: { key: "a", resourceVersion: "11", message: "no" } },
        event("ADDED", "b", "12"),
        event("DELETED", "b", "13"),
      ],
      signal,
    );
    expect(ingest.version).toBe("13");
    expect(runtime.log.entries.map(({ message }) => message)).toEqual([
      "dropped an object that cannot be decoded",
      "reflector sink threw at ADDED",
    ]);
  });

  it("waits for the sink, and after an abort knows what was processed", async () => {
    const { sink, ingest } = stage();
    const stopped = new AbortController();
    const taking = ingest.take([event("ADDED", "a", "11")], stopped.signal);
    await taking;
    sink.isFull = true;
    const waiting = ingest.take([event("ADDED", "b", "12")], stopped.signal);
    stopped.abort(new Error("stop"));
    await expect(waiting).rejects.toThrow("stop");
    expect([ingest.version, sink.versions.size]).toEqual(["11", 1]);
  });

  it("yields to the event loop every ten milliseconds of work", async () => {
    const runtime = testRuntime();
    let nowMs = 0;
    const turns: (() => void)[] = [];
    // Every read of this clock advances it by a millisecond.
    const clock: Clock = {
      now: () => nowMs,
      monotonic: () => ++nowMs,
      timer: (_, callback) => {
        turns.push(callback);
        return () => void turns.splice(turns.indexOf(callback), 1);
      },
    };
    const sink = new MapSink<KubeObject>();
    const ingest = new ReflectorIngest<KubeObject>({
      sink,
      clock,
      journal: new ReflectorJournal({ runtime, name: "things", onError: undefined }),
    });
    ingest.begin();
    const taking = ingest.take(
      Array.from({ length: 100 }, (_, index) => event("ADDED", `n${index}`, String(index + 11))),
      signal,
    );
    const sizes: number[] = [];
    while (sink.versions.size < 100) {
      await new Promise((resolve) => void setImmediate(resolve));
      sizes.push(sink.versions.size);
      for (const turn of turns.splice(0)) turn();
    }
    await taking;
    expect(Math.max(...sizes.map((size, index) => size - (sizes[index - 1] ?? 0)))).toBeLessThanOrEqual(12);
  });

  it("takes no version from the initial state of a watch without a version", async () => {
    const { sink, ingest } = stage("");
    await ingest.take([event("ADDED", "b", "7"), event("ADDED", "a", "5")], signal);
    expect([ingest.version, sink.versions.size]).toEqual(["", 2]);
    await ingest.take([event("MODIFIED", "a", "9")], signal);
    expect(ingest.version).toBe("9");
  });
});
