import type { KubeObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { versionOf } from "../source/parsed-version.ts";
import { MapSink } from "./map-sink.ts";

const version = (name: string, resourceVersion: string) => versionOf<KubeObject>({ metadata: { name, uid: name, resourceVersion } });

describe("MapSink", () => {
  it("stores what it receives and records the calls", () => {
    const sink = new MapSink();
    sink.replace([version("a", "1"), version("b", "2")], "3");
    sink.upsert(version("a", "4"), "MODIFIED");
    sink.remove(version("b", "5"));
    sink.bookmark("9");
    expect([sink.contents(), sink.resourceVersion, sink.wentBack]).toEqual([["a a @4"], "9", []]);
    expect(sink.calls).toEqual(["replace 2 @3", "MODIFIED a @4", "DELETED b @5", "bookmark @9"]);
  });

  it("records when it is moved back", () => {
    const sink = new MapSink();
    sink.replace([version("a", "5")], "9");
    sink.replace([version("a", "4")], "9");
    sink.bookmark("8");
    expect(sink.wentBack).toEqual(["a: 5 → 4", "9 → 8"]);
  });

  it("applies backpressure while it is full", async () => {
    const sink = new MapSink();
    expect(sink.ready()).toBeUndefined();
    sink.isFull = true;
    const ready = sink.ready();
    sink.release();
    await ready;
    expect(sink.ready()).toBeUndefined();
  });
});
