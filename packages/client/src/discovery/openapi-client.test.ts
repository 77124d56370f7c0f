import { describe, expect, it } from "vitest";
import type { HttpResponse, Transport } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import { jsonResponse, scriptedTransport, textResponse } from "../testing/scripted-transport.ts";
import type { ScriptedTransport } from "../testing/scripted-transport.ts";
import { DiscoveryDocumentError } from "./discovery-error.ts";
import { OpenApiClient } from "./openapi-client.ts";

const apps = { group: "apps", version: "v1" };
const widget = {
  type: "object",
  properties: { spec: { type: "string" } },
  "x-kubernetes-group-version-kind": [{ group: "apps", version: "v1", kind: "Widget" }],
};
const documentOf = (title: string): object => ({
  openapi: "3.0.0",
  info: { title },
  components: { schemas: { "example.Widget": widget } },
});

/** A server with one document, whose hash a test may change. */
interface Library {
  hash: string;
  prefix: string;
  indexType: string;
}

function library(state: Partial<Library> = {}): {
  readonly state: Library;
  readonly server: ScriptedTransport;
  readonly client: OpenApiClient;
} {
  const now: Library = { hash: "A1", prefix: "", indexType: "application/json", ...state };
  const answer = (path: string, etag: unknown): HttpResponse => {
    const current = now.hash === "" ? "/openapi/v3/apis/apps/v1" : `/openapi/v3/apis/apps/v1?hash=${now.hash}`;
    if (path === "/openapi/v3") {
      if (etag === `"index-${now.hash}"`) return { status: 304, headers: {}, body: "" };
      return jsonResponse(
        { paths: { "apis/apps/v1": { serverRelativeURL: `${now.prefix}${current}` } } },
        { headers: { "content-type": now.indexType, etag: `"index-${now.hash}"` } },
      );
    }
    if (path !== current) return { status: 301, headers: { location: current }, body: "" };
    return etag === `"${now.hash}"`
      ? { status: 304, headers: {}, body: "" }
      : jsonResponse(documentOf(now.hash), { headers: { etag: `"${now.hash}"` } });
  };
  const server = scriptedTransport(({ path, headers }) => answer(path, headers["if-none-match"]));
  return { state: now, server, client: new OpenApiClient(server, { clock: new ManualClock() }) };
}
const paths = ({ requests }: ScriptedTransport): readonly string[] => requests.map(({ path }) => path);

describe("the OpenAPI index", () => {
  it.each(["application/json", "text/plain; charset=utf-8"])(
    "is parsed as JSON also with the content type %s, and revalidated by its ETag",
    async (indexType) => {
      const { client, server } = library({ indexType });
      const first = await client.paths();
      expect([...first]).toEqual([["apis/apps/v1", { url: "/openapi/v3/apis/apps/v1?hash=A1", hash: "A1" }]]);
      expect(await client.paths()).toBe(first);
      expect(server.requests.map(({ headers }) => headers["if-none-match"])).toEqual([undefined, '"index-A1"']);
    },
  );

  it("may contain URLs with a proxy's path prefix", async () => {
    const { client } = library({ prefix: "/k8s/clusters/c-1" });
    expect((await client.paths()).get("apis/apps/v1")?.url).toBe("/openapi/v3/apis/apps/v1?hash=A1");
    expect(await client.document(apps)).toMatchObject({ info: { title: "A1" } });
  });

  it.each([
    ["https://evil.example/openapi/v3/x", "is not a path below /openapi/v3"],
    ["//evil.example", "is not a path below /openapi/v3"],
    ["/api/v1/secrets", "is not a path below /openapi/v3"],
    ["/openapi/v3/a b", "is not a path below /openapi/v3"],
    ["", "must not be empty"],
  ])("is rejected with the address %j", async (serverRelativeURL, message) => {
    const client = new OpenApiClient(scriptedTransport([jsonResponse({ paths: { x: { serverRelativeURL } } })]), {
      clock: new ManualClock(),
    });
    await expect(client.paths()).rejects.toThrow(message);
  });

  it.each([[[]], [{ paths: [] }], [{ paths: { x: 1 } }], ["text"]])("is rejected if it is %j", async (index) => {
    await expect(new OpenApiClient(scriptedTransport([jsonResponse(index)]), { clock: new ManualClock() }).paths()).rejects.toThrow(
      DiscoveryDocumentError,
    );
  });

  it("rejects with the server's error if it does not exist", async () => {
    await expect(
      new OpenApiClient(scriptedTransport([textResponse("404 page not found", { status: 404 })]), { clock: new ManualClock() }).paths(),
    ).rejects.toMatchObject({ code: 404, attempt: "get /openapi/v3" });
  });
});

describe("an OpenAPI document", () => {
  it("is fetched once per hash", async () => {
    const { client, server, state } = library();
    const first = await client.document(apps);
    expect(await client.document(apps)).toBe(first);
    expect(paths(server).filter((path) => path !== "/openapi/v3")).toEqual(["/openapi/v3/apis/apps/v1?hash=A1"]);
    state.hash = "B2";
    expect(await client.document(apps)).toMatchObject({ info: { title: "B2" } });
    expect(paths(server).filter((path) => path !== "/openapi/v3")).toEqual([
      "/openapi/v3/apis/apps/v1?hash=A1",
      "/openapi/v3/apis/apps/v1?hash=B2",
    ]);
  });

  it("is fetched once for concurrent calls", async () => {
    const { client, server } = library();
    await Promise.all([client.document(apps), client.schemas(apps), client.schemaFor({ ...apps, kind: "Widget" })]);
    expect(paths(server)).toEqual(["/openapi/v3", "/openapi/v3/apis/apps/v1?hash=A1"]);
  });

  it("is fetched from its new URL when it changes between index and fetch", async () => {
    const { server, state } = library();
    const changing: Transport = (request) => {
      if (request.path.includes("?")) state.hash = "B2";
      return server(request);
    };
    const client = new OpenApiClient(changing, { clock: new ManualClock() });
    expect(await client.document(apps)).toMatchObject({ info: { title: "B2" } });
    expect(paths(server)).toEqual(["/openapi/v3", "/openapi/v3/apis/apps/v1?hash=A1", "/openapi/v3/apis/apps/v1?hash=B2"]);
    await client.document(apps);
    expect(paths(server)).toHaveLength(4);
  });

  it("without a hash is revalidated with its ETag", async () => {
    const { client, server } = library({ hash: "" });
    const first = await client.schemas(apps);
    expect(await client.schemas(apps)).toBe(first);
    expect(server.requests.map(({ headers }) => headers["if-none-match"])).toEqual([undefined, undefined, '"index-"', '""']);
  });

  it("that is not in the index is undefined", async () => {
    const { client } = library();
    expect(await client.document({ group: "", version: "v1" })).toBeUndefined();
    expect(await client.schemaFor({ group: "batch", version: "v1", kind: "Job" })).toBeUndefined();
  });

  it("returns the schema of a kind, the same one each time", async () => {
    const { client } = library();
    const schema = await client.schemaFor({ ...apps, kind: "Widget" });
    expect(schema).toMatchObject({ origin: "custom", schema: { type: "object" } });
    expect(await client.schemaFor({ ...apps, kind: "Widget" })).toBe(schema);
    expect(await client.schemaFor({ ...apps, kind: "Gadget" })).toBeUndefined();
  });

  it("can be aborted while other calls wait for it", async () => {
    const { client } = library();
    const controller = new AbortController();
    const left = client.document(apps, { signal: controller.signal }).catch((error: unknown) => error);
    const stays = client.document(apps);
    controller.abort("enough");
    expect(await left).toBe("enough");
    expect(await stays).toMatchObject({ info: { title: "A1" } });
  });
});
