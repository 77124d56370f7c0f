import { describe, expect, it } from "vitest";
import { OpenApiDocuments } from "./openapi-documents.ts";
import { openApiResponse } from "./openapi-response.ts";
import { smallHost } from "./testing/small-archive.ts";
import { deployments, pods } from "./testing/small-resources.ts";

const now = Date.UTC(2026, 10, 15, 20, 16, 56);
const documents = new OpenApiDocuments(smallHost(() => now - 60_000));
const resources = [pods, deployments];
const get = (path: string, headers: Readonly<Record<string, string>> = {}): ReturnType<typeof openApiResponse> =>
  openApiResponse({ method: "GET", path, headers }, { documents, resources, now });
const tag = '"HASH OF version"';

describe("/openapi/v3", () => {
  it("is an index of document URLs with hashes, modified now", () => {
    const { status, headers, body } = get("/openapi/v3?timeout=32s") ?? expect.fail("no answer");
    expect({ status, headers }).toEqual({
      status: 200,
      headers: {
        "cache-control": "no-cache, private",
        "content-type": "text/plain; charset=utf-8",
        "last-modified": "Sun, 15 Nov 2026 20:16:56 GMT",
      },
    });
    expect(JSON.parse(body as string)).toMatchObject({
      paths: { "apis/apps/v1": { serverRelativeURL: "/openapi/v3/apis/apps/v1?hash=HASH OF apis/apps/v1" } },
    });
    expect(get("/openapi/v3", { "if-modified-since": "Sun, 15 Nov 2026 20:16:55 GMT" })?.status).toBe(200);
    expect(get("/openapi/v3", { "if-modified-since": "Sun, 15 Nov 2026 20:16:56 GMT" })?.status).toBe(304);
  });

  it("answers 404 for unknown documents", () => {
    for (const path of ["/openapi/v3/nope", "/openapi/v3/", "/openapi/v3/v2"]) expect(get(path)).toMatchObject({ status: 404, body: "" });
    for (const path of ["/openapi", "/openapi/v4", "/openapi/v2/x"]) expect(get(path)).toBeUndefined();
  });
});

describe("an OpenAPI v3 document", () => {
  it("can be cached for a year with its hash in the URL", () => {
    expect(get(`/openapi/v3/version?hash=${encodeURIComponent("HASH OF version")}`)?.headers).toEqual({
      "cache-control": "public, immutable",
      expires: "Mon, 15 Nov 2027 20:16:56 UTC",
      etag: tag,
      vary: "Accept",
      "content-type": "application/json",
      "last-modified": "Sun, 15 Nov 2026 20:15:56 GMT",
    });
    expect(get("/openapi/v3/version")?.headers).toMatchObject({ "cache-control": "no-cache, private", etag: tag });
  });

  it("redirects from an outdated hash", () => {
    expect(get("/openapi/v3/version?hash=AB")).toEqual({
      status: 301,
      body: "",
      headers: {
        "cache-control": "no-cache, private",
        "content-type": "application/json",
        etag: tag,
        vary: "Accept",
        location: "/openapi/v3/version?hash=HASH OF version",
      },
    });
  });

  it("answers 304 to a client that has it, and is never compressed", () => {
    expect(get("/openapi/v3/version", { "if-none-match": tag })?.status).toBe(304);
    expect(get("/openapi/v3/version", { "accept-encoding": "gzip" })?.headers).not.toHaveProperty("content-encoding");
  });

  it("is served as JSON only", () => {
    expect(get("/openapi/v3/version", { accept: "application/*" })?.status).toBe(200);
    expect(get("/openapi/v3/version", { accept: "text/xml" })).toMatchObject({ status: 406, body: "" });
    expect(get("/openapi/v3/version", { accept: "," })).toMatchObject({ status: 200, body: "" });
  });
});

describe("/openapi/v2", () => {
  const protobuf = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

  it("is JSON by default", () => {
    expect(get("/openapi/v2")).toMatchObject({
      status: 200,
      headers: {
        "content-type": "application/json",
        vary: ["Accept-Encoding", "Accept"],
        "last-modified": "Sun, 15 Nov 2026 20:15:56 GMT",
      },
    });
    expect(get("/openapi/v2", { accept: "application/yaml" })).toMatchObject({ status: 406, body: "" });
  });

  it("is protobuf under both media types, with the ETag of the JSON", () => {
    for (const accept of [protobuf, protobuf.replace(".v1.0", "@v1.0")])
      expect(get("/openapi/v2", { accept })?.headers).toMatchObject({
        "content-type": protobuf,
        etag: get("/openapi/v2")?.headers["etag"],
      });
    expect(get("/openapi/v2", { accept: `application/json;q=0.1,${protobuf}` })?.headers["content-type"]).toBe(protobuf);
  });

  it("is compressed for clients that accept gzip", () => {
    expect(get("/openapi/v2", { "accept-encoding": "br, gzip;q=0.5" })).toMatchObject({ headers: { "content-encoding": "gzip" } });
    const { body } = get("/openapi/v2", { "accept-encoding": "gzip" }) ?? expect.fail("no answer");
    expect([...(body as Uint8Array).subarray(0, 2)]).toEqual([0x1f, 0x8b]);
    for (const coding of ["", "identity", "gzip;q=0"])
      expect(get("/openapi/v2", { "accept-encoding": coding })?.headers).not.toHaveProperty("content-encoding");
  });

  it("answers 304 to a client that has it", () => {
    const known = get("/openapi/v2", { "if-none-match": get("/openapi/v2")?.headers["etag"] as string, "accept-encoding": "gzip" });
    expect(known).toMatchObject({ status: 304, body: "" });
    expect(known?.headers).not.toHaveProperty("content-encoding");
  });
});
