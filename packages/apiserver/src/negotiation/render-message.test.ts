import { gunzipSync } from "node:zlib";
import { beforeEach, describe, expect, it } from "vitest";
import { decodeEnvelope, decodeWatchMessages, protobufMediaType, protobufWatchMediaType } from "@drover/machinery/protobuf";
import type { HttpHeaders, HttpResponse, JsonObject } from "@drover/machinery";
import { builtInCodec } from "../codec/built-in-codec.ts";
import { encodeObject } from "../codec/object-message.ts";
import { MessagePlan, MessageReader, structShape } from "@drover/api/shapes";
import { testServer } from "../testing/test-server.ts";
import type { TestServer } from "../testing/test-server.ts";

const maps = "/api/v1/namespaces/default/configmaps";
const configMap = { group: "", version: "v1", kind: "ConfigMap" };
const accept: HttpHeaders = { accept: `${protobufMediaType},application/json` };
const partial: HttpHeaders = { accept: `${protobufMediaType};as=PartialObjectMetadata;g=meta.k8s.io;v=v1` };
const objectIn = (bytes: Uint8Array): JsonObject => builtInCodec(configMap, () => undefined).messages?.decodeBody(bytes).object ?? {};

describe("protobuf responses", () => {
  let server: TestServer;
  const get = async (path: string, headers: HttpHeaders = accept): Promise<HttpResponse & { readonly body: Uint8Array }> => {
    const answer = await server.handle({ method: "GET", path, headers });
    return answer.body instanceof Uint8Array ? { ...answer, body: answer.body } : expect.fail(`${path} was not answered in bytes`);
  };
  const create = (name: string, data: JsonObject = {}): Promise<HttpResponse> =>
    server.handle({
      method: "POST",
      path: maps,
      headers: { ...accept, "content-type": protobufMediaType },
      body: encodeObject({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data }),
    });
  beforeEach(async () => {
    server = await testServer();
    await create("a", { x: "1" });
  });

  it("encode the object as it is stored", async () => {
    const { headers, body } = await get(`${maps}/a`);
    expect(headers["content-type"]).toBe(protobufMediaType);
    expect(objectIn(body)).toEqual((await server.call("GET", `${maps}/a`)).object);
    expect(objectIn(body)).toMatchObject({ metadata: { name: "a" }, data: { x: "1" } });
  });

  it("are encoded once per stored object, and again after a change", async () => {
    const [first, second] = [await get(maps), await get(maps)];
    expect(first.body).toEqual(second.body);
    await server.call("PATCH", `${maps}/a`, { data: { x: "changed" } }, { "content-type": "application/merge-patch+json" });
    expect(Buffer.from((await get(maps)).body).includes("changed")).toBe(true);
  });

  it("encode Statuses", async () => {
    const { status, body } = await get(`${maps}/nobody`);
    const { kind, message } = decodeEnvelope(body);
    const object = new MessageReader().read(message, 0, message.length, MessagePlan.of(structShape("meta/v1.Status")));
    expect([status, kind, object]).toMatchObject([
      404,
      "Status",
      { reason: "NotFound", code: 404, details: { name: "nobody", kind: "configmaps" } },
    ]);
  });

  it("answer 406 for a metadata list of one object", async () => {
    const { status, body } = await server.handle({ method: "GET", path: maps, headers: partial });
    expect([status, body]).toEqual([
      406,
      expect.stringContaining("you requested PartialObjectMetadata, but the requested object is a list (*core.ConfigMapList)"),
    ]);
  });

  it("are length-delimited frames in a watch, with the revision of a deletion", async () => {
    const stop = new AbortController();
    const { headers, body } = await server.handle({
      method: "GET",
      path: `${maps}?watch=1&fieldSelector=metadata.name%3Db`,
      headers: accept,
      signal: stop.signal,
    });
    expect(headers["content-type"]).toBe(protobufWatchMediaType);
    const frames = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
    const next = async (): Promise<readonly [string, JsonObject]> => {
      const [message] = decodeWatchMessages((await frames.next()).value as Uint8Array).messages;
      return [message?.type ?? "", objectIn(message?.object ?? new Uint8Array())];
    };
    await create("b");
    const [added, created] = await next();
    const { object: gone } = await server.call("DELETE", `${maps}/b`);
    const [deleted, last] = await next();
    expect([added, deleted]).toEqual(["ADDED", "DELETED"]);
    expect(gone["status"]).toBe("Success");
    const versionOf = (object: JsonObject): number => Number((object["metadata"] as { readonly resourceVersion: string }).resourceVersion);
    expect(versionOf(last)).toBeGreaterThan(versionOf(created));
    stop.abort(new DOMException("enough", "AbortError"));
  });

  it("are compressed above the size limit", async () => {
    await create("long", { x: "y".repeat(200_000) });
    const { headers, body } = await get(`${maps}/long`, { ...accept, "accept-encoding": "gzip" });
    expect(headers["content-encoding"]).toBe("gzip");
    expect(body.length).toBeLessThan(10_000);
    expect(objectIn(gunzipSync(body))).toMatchObject({ metadata: { name: "long" } });
  });
});
