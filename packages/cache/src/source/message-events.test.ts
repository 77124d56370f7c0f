import { ResponseError } from "@drover/client";
import { WatchFrameError } from "@drover/machinery";
import type { KubeObject, WatchEventType } from "@drover/machinery";
import { encodeWatchMessage } from "@drover/machinery/protobuf";
import { describe, expect, it } from "vitest";
import { podFrame, podMessage, statusMessage } from "../testing/pod-message.ts";
import type { ReadEvents } from "./lazy-watch-events.ts";
import { readMessageEvents } from "./message-events.ts";
import { FieldLimit } from "./field-limit.ts";
import { messageFormat } from "./message-format.ts";
import { VersionReader } from "./version-reader.ts";
import type { VersionReaderOptions } from "./version-reader.ts";

const about = { attempt: "watch pods in shop", method: "GET" };
const target = { group: "", version: "v1", kind: "Pod" };

async function read(
  frames: readonly Uint8Array[],
  { isUnterminated = false, ...options }: Partial<VersionReaderOptions> & { readonly isUnterminated?: boolean } = {},
): Promise<ReadEvents<KubeObject>> {
  const { projection = "full", limit } = options;
  const reader = new VersionReader<KubeObject>({
    target,
    projection,
    keepManagedFields: false,
    decode: "late",
    afterLook: "parsed",
    freeze: true,
    ...options,
  });
  const format = await messageFormat({ target, projection, limit });
  if (format === undefined) throw new Error("Pods are built in");
  return readMessageEvents({ framing: "messages", lines: frames, isUnterminated }, about, reader, format);
}

const errorFrame = (object: Uint8Array): Uint8Array => encodeWatchMessage({ type: "ERROR", object }).subarray(4);
const frame = (type: WatchEventType, name: string): Uint8Array => podFrame(type, podMessage({ name, manager: "kubectl" }));

describe("readMessageEvents", () => {
  it("decodes changes, late or eager", async () => {
    for (const decode of ["late", "eager"] as const) {
      const { events, failure } = await read([frame("ADDED", "a"), frame("MODIFIED", "b"), frame("DELETED", "c")], { decode });
      expect(
        events.map((event) => [event.type, "version" in event ? event.version.key : "", "version" in event && event.version.isParsed]),
      ).toEqual([
        ["ADDED", "a", decode === "eager"],
        ["MODIFIED", "b", decode === "eager"],
        ["DELETED", "c", decode === "eager"],
      ]);
      expect(failure).toBeUndefined();
      expect(events[0]?.type === "ADDED" && events[0].version.object).toEqual({
        kind: "Pod",
        apiVersion: "v1",
        metadata: { name: "a", resourceVersion: "7" },
        spec: { containers: null },
        status: {},
      });
    }
  });

  it("keeps only the bytes of declared fields", async () => {
    const pod = podMessage({ name: "a", nodeName: "a-node", manager: "kubectl" });
    const bytesOf = async (...fields: string[]): Promise<string> => {
      const { events } = await read([podFrame("ADDED", pod)], { limit: new FieldLimit(fields) });
      return Buffer.from((events[0]?.type === "ADDED" && events[0].version.encoded) || []).toString("latin1");
    };
    const metadata = String.fromCharCode(10, 6, 10, 1) + "a" + String.fromCharCode(50, 1) + "7";
    expect(await bytesOf()).toBe(metadata);
    expect(await bytesOf("spec.nodeName")).toBe(`${metadata}${String.fromCharCode(18, 8, 82, 6)}a-node`);
    expect(await bytesOf("spec.hostname")).toBe(`${metadata}${String.fromCharCode(18, 0)}`);
  });

  it("keeps managed fields if requested, and reduces objects to their metadata", async () => {
    const [event] = (await read([frame("ADDED", "a")], { keepManagedFields: true })).events;
    expect(event?.type === "ADDED" && event.version.object.metadata.managedFields).toEqual([{ manager: "kubectl" }]);
    for (const names of [{ kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1" }, {}]) {
      const [partial] = (await read([podFrame("ADDED", podMessage({ name: "a" }), names)], { projection: "metadata" })).events;
      expect(partial?.type === "ADDED" && partial.version.object).toEqual({
        kind: "PartialObjectMetadata",
        apiVersion: "meta.k8s.io/v1",
        metadata: { name: "a", resourceVersion: "7" },
      });
    }
  });

  it("decodes bookmarks, and recognises the one that ends the initial events", async () => {
    const bookmarks = [
      podMessage({ resourceVersion: "8" }),
      podMessage({ resourceVersion: "9", annotations: { "k8s.io/initial-events-end": "true" } }),
      podMessage({ resourceVersion: "" }),
    ];
    for (const decode of ["late", "eager"] as const)
      expect(
        (
          await read(
            bookmarks.map((each) => podFrame("BOOKMARK", each)),
            { decode },
          )
        ).events,
      ).toEqual([
        { type: "BOOKMARK", resourceVersion: "8", endsInitialEvents: false },
        { type: "BOOKMARK", resourceVersion: "9", endsInitialEvents: true },
        { type: "POISON", report: { key: undefined, message: "cannot decode bookmark: it has no metadata.resourceVersion" } },
      ]);
  });

  it("ends with an ERROR event, whatever its object is", async () => {
    const gone = statusMessage({ status: "Failure", reason: "Expired", message: "too old resource version", code: 410 });
    expect((await read([frame("ADDED", "a"), errorFrame(gone), frame("ADDED", "b")])).events).toMatchObject([
      { type: "ADDED" },
      { type: "ERROR", status: { code: 410, reason: "Expired", message: "too old resource version" } },
    ]);
    expect((await read([podFrame("ERROR", podMessage({ name: "a" }))])).events).toMatchObject([{ type: "ERROR", status: { code: 500 } }]);
  });

  it("reports one malformed object as POISON, and continues", async () => {
    const broken = (type: WatchEventType, name: string): Uint8Array => podFrame(type, podMessage({ name, isBroken: true }));
    const frames = [frame("ADDED", "a"), broken("MODIFIED", "b"), broken("DELETED", "c"), frame("ADDED", "d")];
    const late = (await read(frames)).events;
    expect(late.map(({ type }) => type)).toEqual(["ADDED", "MODIFIED", "DELETED", "ADDED"]);
    expect(() => late[1]?.type === "MODIFIED" && late[1].version.object).toThrow('Pod "b" at version 7 cannot be decoded');
    // A deletion is valid without its object: otherwise the cache would keep the object.
    const eager = (await read(frames, { decode: "eager" })).events;
    expect(eager.map(({ type }) => type)).toEqual(["ADDED", "POISON", "DELETED", "ADDED"]);
    expect(eager[1]).toMatchObject({ report: { key: "b", resourceVersion: "7" } });
    expect(eager[2]?.type === "DELETED" && eager[2].version.key).toBe("c");
  });

  it("reports an object without a name without a key", async () => {
    for (const decode of ["late", "eager"] as const)
      for (const type of ["ADDED", "DELETED"] as const)
        expect((await read([podFrame(type, podMessage({}))], { decode })).events).toMatchObject([
          { type: "POISON", report: { key: undefined } },
        ]);
  });

  it("stops at a frame that is not an event, and keeps the events before it", async () => {
    const garbage = [
      new Uint8Array(),
      Uint8Array.of(0xff),
      frame("ADDED", "a").subarray(0, -1),
      encodeWatchMessage({ type: "ADDED", object: Uint8Array.of(1, 2, 3) }).subarray(4),
      encodeWatchMessage({ type: "ADDED", object: new Uint8Array() }).subarray(4),
      errorFrame(Uint8Array.of(1, 2, 3)),
      podFrame("BOOKMARK", Uint8Array.of(0x0a, 100)),
    ];
    for (const each of garbage) {
      const { events, failure } = await read([frame("ADDED", "a"), each, frame("ADDED", "b")]);
      expect(events).toHaveLength(1);
      expect(failure).toBeInstanceOf(WatchFrameError);
      expect(failure).toMatchObject({ truncated: false, message: expect.stringContaining("watch pods in shop: ") as string });
    }
  });

  it("stops at an object of another kind, which would be read as other fields", async () => {
    for (const names of [{ kind: "Service" }, { apiVersion: "v2" }, { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1" }])
      for (const type of ["ADDED", "DELETED", "BOOKMARK"] as const) {
        const { events, failure } = await read([frame("ADDED", "a"), podFrame(type, podMessage({ name: "b" }), names)]);
        expect(events).toHaveLength(1);
        expect(failure?.message).toContain(`the object is of another kind: ${names.apiVersion ?? "v1"} ${names.kind ?? "Pod"}`);
      }
    const table = podFrame("ADDED", podMessage({ name: "b" }), { kind: "Table", apiVersion: "meta.k8s.io/v1" });
    expect((await read([table])).failure).toBeInstanceOf(ResponseError);
  });

  it("rejects an unfinished frame even if it looks complete", async () => {
    const { events, failure } = await read([frame("ADDED", "a")], { isUnterminated: true });
    expect(events).toEqual([]);
    expect(failure).toBeInstanceOf(WatchFrameError);
    expect((failure as WatchFrameError).truncated).toBe(true);
  });
});
