import { describe, expect, it } from "vitest";
import { customResource, deployments, pods } from "../openapi/testing/small-resources.ts";
import { discoveryDocuments } from "./discovery-documents.ts";
import { discoveryResponse } from "./discovery-response.ts";

const options = { serverAddress: "127.0.0.1:6443", sha256: () => new Uint8Array(32), sha512Hex: (text: string) => `h${text.length}` };
const documents = discoveryDocuments([pods, deployments, customResource("Widget")], options);
const ask = (
  path: string,
  headers: Readonly<Record<string, string>> = {},
  { method = "GET", from = documents } = {},
): ReturnType<typeof discoveryResponse> => discoveryResponse({ method, path, headers }, from);
const kindOf = (path: string): unknown => (JSON.parse(ask(path)?.body as string) as { readonly kind: string }).kind;
const v2 = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

describe("discoveryResponse", () => {
  it("serves each discovery path with its kind, with or without a trailing slash", () => {
    expect(["/api", "/api/v1", "/apis", "/apis/apps", "/apis/apps/v1", "/apis/ex.io/v1"].map(kindOf)).toEqual([
      "APIVersions",
      "APIResourceList",
      "APIGroupList",
      "APIGroup",
      "APIResourceList",
      "APIResourceList",
    ]);
    expect(["/api/", "/api/v1/", "/apis/", "/apis/apps/", "/apis/apps/v1/?timeout=32s"].map(kindOf)).toEqual([
      "APIVersions",
      "APIResourceList",
      "APIGroupList",
      "APIGroup",
      "APIResourceList",
    ]);
  });

  it("ignores paths of resources and others", () => {
    for (const path of ["/api/v1/pods", "/apis/apps/v1/deployments", "/", "/version", "/apish"]) expect(ask(path)).toBeUndefined();
  });

  it("serves the aggregated document on request, with an ETag and its content type", () => {
    const { status, headers, body } = ask("/apis", { accept: `${v2},application/json` }) ?? expect.fail("no answer");
    expect({ status, headers }).toEqual({
      status: 200,
      headers: { "content-type": v2, etag: documents.apis.aggregated.tag, vary: "Accept", "cache-control": "public" },
    });
    expect(JSON.parse(body as string)).toMatchObject({
      kind: "APIGroupDiscoveryList",
      apiVersion: "apidiscovery.k8s.io/v2",
      items: [{ metadata: { name: "apps" } }, { metadata: { name: "ex.io" } }],
    });
    expect(ask("/api", { accept: `application/json,${v2};q=0.1` })?.headers["content-type"]).toBe(v2);
  });

  it("answers 304 for the current ETag only", () => {
    const { tag } = documents.apis.aggregated;
    expect(ask("/apis", { accept: v2, "if-none-match": tag })).toMatchObject({ status: 304, body: "", headers: { etag: tag } });
    for (const other of [`W/${tag}`, tag.slice(1, -1), "*"]) expect(ask("/apis", { accept: v2, "if-none-match": other })?.status).toBe(200);
  });

  it("serves v2beta1 only if configured, and otherwise the legacy form to clients that accept it", () => {
    const v2beta1 = v2.replace("v2", "v2beta1");
    expect(ask("/apis", { accept: v2beta1 })?.status).toBe(406);
    expect(ask("/apis", { accept: `${v2beta1},application/json` })?.headers["content-type"]).toBe("application/json");
    const from = discoveryDocuments([pods], { ...options, aggregatedVersions: ["v2", "v2beta1"] });
    expect(ask("/apis", { accept: v2beta1 }, { from })?.headers["content-type"]).toBe(v2beta1);
  });

  it("answers 404 as a Status for an unknown version and as text for an unknown group", () => {
    for (const path of ["/api/v2", "/apis/apps/v9"])
      expect(ask(path)).toMatchObject({ status: 404, headers: { "content-type": "application/json" } });
    for (const path of ["/apis/nope", "/apis/nope/v1", "/apis/ex.io/v9", "/apis//v1"])
      expect(ask(path)).toMatchObject({ status: 404, body: "404 page not found\n" });
  });

  it("accepts any method for custom groups, as kube-apiserver does", () => {
    const status = (method: string, path: string): number | undefined => ask(path, {}, { method })?.status;
    expect(["/apis", "/apis/apps", "/apis/ex.io/v1"].map((path) => status("POST", path))).toEqual([200, 200, 200]);
    expect(["/api", "/api/v1", "/apis/apps/v1"].map((path) => status("POST", path))).toEqual([405, 405, 405]);
    expect(ask("/apis", {}, { method: "HEAD" })).toMatchObject({ status: 200, body: "" });
  });
});
