import { WatchFrameError, newGone } from "@drover/machinery";
import { ResponseError } from "@drover/client";
import type { KubeObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { readWatchEvents } from "./lazy-watch-events.ts";
import type { ReadEvents } from "./lazy-watch-events.ts";
import { VersionReader } from "./version-reader.ts";

const about = { attempt: "watch pods in shop", method: "GET" };
const read = (
  lines: readonly string[],
  { decode = "late", isUnterminated = false }: { readonly decode?: "late" | "eager"; readonly isUnterminated?: boolean } = {},
): ReadEvents<KubeObject> => {
  const reader = new VersionReader<KubeObject>({
    target: { group: "", version: "v1", kind: "Pod" },
    projection: "full",
    keepManagedFields: false,
    decode,
    afterLook: "parsed",
    freeze: true,
  });
  return readWatchEvents({ framing: "lines", lines: lines.map((line) => new TextEncoder().encode(line)), isUnterminated }, about, reader);
};
const pod = (name: string, rest = ""): string =>
  `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"${name}","resourceVersion":"7"}${rest}}`;
const line = (type: string, object: string): string => `{"type":"${type}","object":${object}}`;

describe("readWatchEvents", () => {
  it("decodes changes, late or eager", () => {
    for (const decode of ["late", "eager"] as const) {
      const { events, failure } = read([line("ADDED", pod("a")), line("MODIFIED", pod("b")), line("DELETED", pod("c"))], { decode });
      expect(
        events.map((event) => [event.type, "version" in event ? event.version.key : "", "version" in event && event.version.isParsed]),
      ).toEqual([
        ["ADDED", "a", decode === "eager"],
        ["MODIFIED", "b", decode === "eager"],
        ["DELETED", "c", decode === "eager"],
      ]);
      expect(failure).toBeUndefined();
    }
  });

  it("decodes bookmarks, and recognises the one that ends the initial events", () => {
    const end = '{"kind":"Pod","metadata":{"resourceVersion":"9","annotations":{"k8s.io/initial-events-end":"true"}}}';
    expect(
      read([line("BOOKMARK", '{"kind":"Pod","metadata":{"resourceVersion":"8"}}'), line("BOOKMARK", end), line("BOOKMARK", "{}")]).events,
    ).toEqual([
      { type: "BOOKMARK", resourceVersion: "8", endsInitialEvents: false },
      { type: "BOOKMARK", resourceVersion: "9", endsInitialEvents: true },
      { type: "POISON", report: { key: undefined, message: "cannot decode bookmark: it has no metadata.resourceVersion" } },
    ]);
  });

  it("ends with an ERROR event, whatever its object is", () => {
    const gone = newGone("too old resource version");
    expect(read([line("ADDED", pod("a")), line("ERROR", JSON.stringify(gone)), line("ADDED", pod("b"))]).events).toMatchObject([
      { type: "ADDED" },
      { type: "ERROR", status: { code: 410 } },
    ]);
    expect(read([line("ERROR", "{}")]).events).toMatchObject([{ type: "ERROR", status: { code: 500 } }]);
  });

  it("reports one malformed object as POISON, and continues", () => {
    const lines = [
      line("ADDED", pod("a")),
      line("MODIFIED", pod("b", ',"spec":tru')),
      line("DELETED", pod("c", ',"spec":tru')),
      line("ADDED", pod("d")),
    ];
    const late = read(lines).events;
    expect(late.map(({ type }) => type)).toEqual(["ADDED", "MODIFIED", "DELETED", "ADDED"]);
    expect(() => late[1]?.type === "MODIFIED" && late[1].version.object).toThrow('Pod "b" at version 7 cannot be decoded');
    const eager = read(lines, { decode: "eager" }).events;
    expect(eager.map(({ type }) => type)).toEqual(["ADDED", "POISON", "DELETED", "ADDED"]);
    expect(eager[1]).toMatchObject({ report: { key: "b", resourceVersion: "7" } });
  });

  it("reports an object without a name or with malformed metadata without a key", () => {
    for (const object of ['{"metadata":{}}', '{"metadata":{"name":tru}}', '{"metadata":{"name":5}}', "{}"]) {
      expect(read([line("ADDED", object)]).events, object).toMatchObject([{ type: "POISON", report: { key: undefined } }]);
    }
  });

  it("stops at a line that is not an event, and keeps the events before it", () => {
    for (const garbage of ["garbage", '{"type":"ADDED"}', '{"type":"OTHER","object":{}}', "[]"]) {
      const { events, failure } = read([line("ADDED", pod("a")), garbage, line("ADDED", pod("b"))]);
      expect(events).toHaveLength(1);
      expect(failure).toBeInstanceOf(WatchFrameError);
      expect(failure?.message).toContain("watch pods in shop: ");
    }
  });

  it("rejects an unterminated last line even if it looks complete", () => {
    const { events, failure } = read([line("ADDED", pod("a", ',"spec":{"x":{}}')).slice(0, -1)], { isUnterminated: true });
    expect(events).toEqual([]);
    expect(failure).toBeInstanceOf(WatchFrameError);
    expect((failure as WatchFrameError).truncated).toBe(true);
    expect(read([line("ADDED", pod("a"))], { isUnterminated: true }).events).toMatchObject([{ type: "ADDED" }]);
  });

  it("rejects Tables", () => {
    expect(read([line("ADDED", '{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{},"rows":[]}')]).failure).toBeInstanceOf(
      ResponseError,
    );
  });
});
