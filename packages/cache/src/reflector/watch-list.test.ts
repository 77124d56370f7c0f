import type { KubeObject } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { versionOf } from "../source/parsed-version.ts";
import { ReflectorStream } from "./reflector-stream.ts";
import { TurnKeeper } from "@drover/machinery";
import type { PoisonReport, LazyWatchEvent, VersionSource } from "../source/version-source.ts";
import { collectInitialEvents } from "./watch-list.ts";
import type { InitialEvents } from "./watch-list.ts";

type Batches = readonly (readonly LazyWatchEvent<KubeObject>[])[];
const event = (type: "ADDED" | "MODIFIED" | "DELETED", name: string, resourceVersion: string): LazyWatchEvent<KubeObject> => ({
  type,
  version: versionOf<KubeObject>({ metadata: { name, resourceVersion, uid: name } }),
});
const bookmark = (resourceVersion: string, endsInitialEvents: boolean): LazyWatchEvent<KubeObject> => ({
  type: "BOOKMARK",
  resourceVersion,
  endsInitialEvents,
});

function stage(batches: Batches, { hangs = false } = {}) {
  const clock = new ManualClock();
  const poison: PoisonReport[] = [];
  const source: VersionSource<KubeObject> = {
    description: "things",
    supportsWatchList: true,
    list: async () => {
      throw new Error("not here");
    },
    async *watch() {
      yield* batches;
      if (hangs) await new Promise(() => undefined);
    },
  };
  const stream = new ReflectorStream(source, {}, new AbortController().signal);
  const collecting = collectInitialEvents(stream, {
    clock,
    turns: new TurnKeeper({ clock }),
    patienceMs: 1000,
    onPoison: (report) => poison.push(report),
  });
  return { clock, stream, poison, collecting };
}

const keys = (collected: InitialEvents<KubeObject>): unknown =>
  collected.kind === "whole"
    ? [collected.resourceVersion, ...collected.objects.map(({ key, resourceVersion }) => `${key}@${resourceVersion}`)]
    : collected.kind;

describe("collectInitialEvents", () => {
  it("collects up to the final bookmark, over several batches, and leaves the rest to the watch (§9.2)", async () => {
    const { clock, stream, collecting } = stage([
      [event("ADDED", "a", "1")],
      [event("ADDED", "b", "2"), bookmark("3", false), bookmark("5", true), event("ADDED", "c", "6")],
    ]);
    expect(keys(await collecting)).toEqual(["5", "a@1", "b@2"]);
    expect(await stream.next()).toEqual([event("ADDED", "c", "6")]);
    await clock.advance(0);
    expect(clock.pending).toEqual([]);
  });

  it("applies changes and deletions among the initial events", async () => {
    const { collecting } = stage([
      [event("ADDED", "a", "1"), event("ADDED", "b", "2"), event("MODIFIED", "a", "3"), event("DELETED", "b", "4"), bookmark("5", true)],
    ]);
    expect(keys(await collecting)).toEqual(["5", "a@3"]);
  });

  it("is incomplete when the stream ends without the bookmark", async () => {
    const { collecting } = stage([[event("ADDED", "a", "1"), bookmark("5", false)]]);
    expect(await collecting).toMatchObject({ kind: "incomplete", error: { name: "WatchListIncompleteError" } });
  });

  it("is incomplete when the server pauses for too long, and ends the stream", async () => {
    const { clock, stream, collecting } = stage([[event("ADDED", "a", "1")]], { hangs: true });
    await clock.advance(999);
    expect(stream.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(keys(await collecting)).toBe("incomplete");
    expect(stream.signal.aborted).toBe(true);
    expect(clock.pending.filter((ms) => ms > 0)).toEqual([]);
  });

  it("passes on errors of the server, and reports poison objects", async () => {
    const status = { kind: "Status", apiVersion: "v1", metadata: {}, code: 429, reason: "TooManyRequests" } as const;
    const report: PoisonReport = { key: "x", resourceVersion: "1", message: "no" };
    const { poison, collecting } = stage([[{ type: "POISON", report }], [{ type: "ERROR", status }]]);
    expect(await collecting).toMatchObject({ kind: "error", error: { code: 429 } });
    expect(poison).toEqual([report]);
  });
});
