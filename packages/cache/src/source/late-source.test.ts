import { Pod } from "@drover/api/core/v1";
import { shapesMinor } from "@drover/api/shapes";
import { ScriptedStream, jsonResponse, scriptedTransport, statusResponse } from "@drover/client/testing";
import { isForbidden, newForbidden, newNotAcceptable, newUnsupportedMediaType } from "@drover/machinery";
import type { HttpResponse, WatchEventType } from "@drover/machinery";
import { encodeEnvelope, encodeWatchMessage, protobufMediaType, protobufWatchMediaType } from "@drover/machinery/protobuf";
import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { podListMessage, podMessage, statusMessage } from "../testing/pod-message.ts";
import { listWatcher } from "./late-list-watcher.ts";
import type { ListWatcherSettings } from "./late-list-watcher.ts";
import type { ProtobufSupport } from "./protobuf-support.ts";
import type { VersionSource } from "./version-source.ts";

const signal = new AbortController().signal;
const asProtobuf = (body: Uint8Array, status = 200): HttpResponse => ({ status, headers: { "content-type": protobufMediaType }, body });
const webList = podListMessage([podMessage({ name: "web", nodeName: "n1" })]);
const jsonList = { kind: "PodList", apiVersion: "v1", metadata: { resourceVersion: "9" }, items: [{ metadata: { name: "json" } }] };
const refused = (code: 406 | 415): HttpResponse =>
  statusResponse(code === 406 ? newNotAcceptable(["application/json"]) : newUnsupportedMediaType(["application/json"]));
const failureOf = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

const widgets = { group: "example.com", version: "v1", kind: "Widget", plural: "widgets", scope: "Namespaced" } as const;

const always: ProtobufSupport = () => Promise.resolve(true);

function setUp(
  script: Parameters<typeof scriptedTransport>[0],
  settings: Partial<ListWatcherSettings> = {},
  supportsProtobuf: ProtobufSupport = always,
) {
  const server = scriptedTransport(script);
  const options = { transport: server, clock: new ManualClock(), kind: Pod, format: "protobuf", ...settings } as const;
  const source = listWatcher(options, supportsProtobuf);
  return { source, accepted: () => server.requests.map(({ headers }) => headers["accept"]) };
}

const namesOf = async (source: Pick<VersionSource<Pod>, "list">): Promise<string[]> =>
  (await source.list({}, { signal })).items.map(({ key }) => key);

async function watched(source: VersionSource<Pod>): Promise<string[]> {
  const seen: string[] = [];
  for await (const batch of source.watch({}, { signal }))
    for (const event of batch) seen.push("version" in event ? `${event.type} ${event.version.object.metadata?.name}` : event.type);
  return seen;
}

function stream(contentType: string, ...chunks: readonly (string | Uint8Array)[]): ScriptedStream {
  const made = new ScriptedStream({ headers: { "content-type": contentType } });
  for (const chunk of chunks) made.push(chunk);
  made.end();
  return made;
}

const framed = (type: WatchEventType, name: string): Uint8Array =>
  encodeWatchMessage({ type, object: encodeEnvelope({ kind: "Pod", apiVersion: "v1", message: podMessage({ name }) }) });
const line = `${JSON.stringify({ type: "ADDED", object: { kind: "Pod", apiVersion: "v1", metadata: { name: "json" } } })}\n`;

const both = `${protobufMediaType},application/json`;

describe("a source that offers protobuf", () => {
  it("lists and watches in protobuf, and accepts JSON", async () => {
    const { source, accepted } = setUp([
      asProtobuf(webList),
      stream(protobufWatchMediaType, framed("ADDED", "a"), framed("DELETED", "a")).response,
    ]);
    expect((await source.list({}, { signal })).items[0]?.object).toMatchObject({ kind: "Pod", spec: { nodeName: "n1" } });
    expect(await watched(source)).toEqual(["ADDED a", "DELETED a"]);
    expect(accepted()).toEqual([both, both]);
  });

  it("requests JSON only without the option, and for custom kinds", async () => {
    const json = setUp([jsonResponse(jsonList)], { format: "json" });
    await json.source.list({}, { signal });
    const server = scriptedTransport([jsonResponse({ ...jsonList, kind: "WidgetList" }), stream("application/json", line).response]);
    const custom = listWatcher({ transport: server, clock: new ManualClock(), resource: widgets, format: "protobuf" }, always);
    await custom.list({}, { signal });
    for await (const batch of custom.watch({}, { signal })) expect(batch).toHaveLength(1);
    expect([...json.accepted(), ...server.requests.map(({ headers }) => headers["accept"])]).toEqual(
      Array.from({ length: 3 }, () => "application/json"),
    );
  });

  it("requests the metadata of objects in both formats", async () => {
    const partial = { kind: "PartialObjectMetadataList", apiVersion: "meta.k8s.io/v1" };
    const { source, accepted } = setUp([asProtobuf(podListMessage([podMessage({ name: "web" })], partial)), stream("").response], {
      projection: "metadata",
    });
    expect((await source.list({}, { signal })).items[0]?.object).toMatchObject({ kind: "PartialObjectMetadata" });
    await watched(source);
    const as = (kind: string): string => `as=${kind};g=meta.k8s.io;v=v1`;
    expect(accepted()).toEqual(
      ["PartialObjectMetadataList", "PartialObjectMetadata"].map(
        (kind) => `${protobufMediaType};${as(kind)},application/json;${as(kind)},application/json`,
      ),
    );
  });

  it("reads the answer of a server that sends JSON nevertheless, and offers protobuf again", async () => {
    const { source, accepted } = setUp([
      jsonResponse(jsonList),
      { ...jsonResponse(jsonList), body: new TextEncoder().encode(JSON.stringify(jsonList)) },
      stream("application/json", line).response,
      asProtobuf(webList),
    ]);
    expect([await namesOf(source), await namesOf(source), await watched(source), await namesOf(source)]).toEqual([
      ["json"],
      ["json"],
      ["ADDED json"],
      ["web"],
    ]);
    expect(accepted()).toEqual([both, both, both, both]);
  });

  it.each([406, 415] as const)("requests JSON from then on if the server refuses protobuf with %i", async (code) => {
    const listed = setUp([refused(code), jsonResponse(jsonList), jsonResponse(jsonList), stream("application/json", line).response]);
    expect([await namesOf(listed.source), await namesOf(listed.source), await watched(listed.source)]).toEqual([
      ["json"],
      ["json"],
      ["ADDED json"],
    ]);
    expect(listed.accepted()).toEqual([both, "application/json", "application/json", "application/json"]);
    const follower = setUp([refused(code), stream("application/json", line).response, jsonResponse(jsonList)]);
    expect([await watched(follower.source), await namesOf(follower.source)]).toEqual([["ADDED json"], ["json"]]);
    expect(follower.accepted()).toEqual([both, "application/json", "application/json"]);
  });

  it("rejects if the server refuses JSON as well", async () => {
    const { source, accepted } = setUp([refused(406), refused(406), refused(406)]);
    expect(await failureOf(namesOf(source))).toMatchObject({ code: 406 });
    expect(await failureOf(watched(source))).toMatchObject({ code: 406 });
    expect(accepted()).toEqual([both, "application/json", "application/json"]);
  });

  it("rejects with any other error, in either format, and offers protobuf again", async () => {
    const forbidden = newForbidden({ group: "", resource: "pods" }, "", "no");
    const { source, accepted } = setUp([
      statusResponse(forbidden),
      asProtobuf(statusMessage(forbidden), 403),
      asProtobuf(statusMessage(forbidden), 403),
      asProtobuf(webList),
    ]);
    const errors = [await failureOf(namesOf(source)), await failureOf(namesOf(source)), await failureOf(watched(source))];
    expect(errors.map((error) => isForbidden(error))).toEqual([true, true, true]);
    expect(await namesOf(source)).toEqual(["web"]);
    expect(accepted()).toEqual([both, both, both, both]);
  });

  it("requests JSON while the server does not support the tables, and asks before every request", async () => {
    const supported = [false, false, true];
    const asked: number[] = [];
    const { source, accepted } = setUp(
      [jsonResponse(jsonList), stream("application/json", line).response, asProtobuf(webList)],
      {},
      (newestMinor) => {
        asked.push(newestMinor);
        return Promise.resolve(supported.shift() ?? false);
      },
    );
    expect([await namesOf(source), await watched(source), await namesOf(source)]).toEqual([["json"], ["ADDED json"], ["web"]]);
    expect(accepted()).toEqual(["application/json", "application/json", both]);
    expect(asked).toEqual([shapesMinor, shapesMinor, shapesMinor]);
  });

  it("sends nothing if the server cannot be asked, and does not ask for kinds without protobuf", async () => {
    const { source, accepted } = setUp([], {}, () => Promise.reject(new Error("no route")));
    expect([await failureOf(namesOf(source)), await failureOf(watched(source))]).toEqual([new Error("no route"), new Error("no route")]);
    expect(accepted()).toEqual([]);
    const json = setUp([jsonResponse(jsonList)], { format: "json" }, () => Promise.reject(new Error("asked in vain")));
    expect(await namesOf(json.source)).toEqual(["json"]);
  });

  it("rejects protobuf that it did not request", async () => {
    const { source } = setUp([asProtobuf(webList), stream(protobufWatchMediaType, framed("ADDED", "a")).response], { format: "json" });
    expect(await failureOf(namesOf(source))).toMatchObject({ reason: "content-type" });
    expect(await failureOf(watched(source))).toMatchObject({ reason: "content-type" });
  });

  it("yields the events before a truncated frame, then throws", async () => {
    const { source } = setUp([stream(protobufWatchMediaType, framed("ADDED", "a"), framed("ADDED", "b").subarray(0, -1)).response]);
    const events = source.watch({}, { signal })[Symbol.asyncIterator]();
    expect((await events.next()).value).toMatchObject([{ type: "ADDED" }]);
    expect(await failureOf(events.next())).toMatchObject({ name: "WatchFrameError", truncated: true });
  });

  it("ends after an ERROR event", async () => {
    const error = encodeWatchMessage({ type: "ERROR", object: statusMessage({ status: "Failure", reason: "Expired", code: 410 }) });
    const { source } = setUp([stream(protobufWatchMediaType, error, framed("ADDED", "a")).response]);
    expect(await watched(source)).toEqual(["ERROR"]);
  });

  it("decodes on arrival if requested", async () => {
    const body = podListMessage([podMessage({ name: "a" }), podMessage({ name: "b", isBroken: true })]);
    const { source } = setUp([asProtobuf(body)], { decode: "eager" });
    const page = await source.list({}, { signal });
    expect([page.items.map(({ key, isParsed }) => [key, isParsed]), page.poison]).toMatchObject([[["a", true]], [{ key: "b" }]]);
  });
});
