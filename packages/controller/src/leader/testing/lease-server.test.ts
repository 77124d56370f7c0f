import { describe, expect, it } from "vitest";
import type { HttpRequest } from "@drover/machinery";
import { LeaseServer } from "./lease-server.ts";

const collection = "/apis/coordination.k8s.io/v1/namespaces/shop/leases";
const get: HttpRequest = { method: "GET", path: `${collection}/web`, headers: {} };
const put = (resourceVersion: string): HttpRequest => ({
  method: "PUT",
  path: `${collection}/web`,
  headers: {},
  body: JSON.stringify({ metadata: { name: "web", resourceVersion }, spec: {} }),
});

describe("lease server", () => {
  it("creates the lease once, and updates it only from its newest version", () => {
    const server = new LeaseServer();
    const post: HttpRequest = { method: "POST", path: collection, headers: {}, body: JSON.stringify({ metadata: { name: "web" } }) };
    expect([get, put("1"), post, post, get, put("7"), put("1"), put("1")].map((request) => server.handle(request).status)).toEqual([
      404, 404, 201, 409, 200, 409, 200, 409,
    ]);
    expect([server.lease?.metadata.resourceVersion, server.requests.length]).toEqual(["2", 8]);
    server.put(undefined);
    expect(server.handle(get).status).toBe(404);
  });

  it("accepts other writes", () => {
    expect(new LeaseServer().handle({ method: "PATCH", path: "/api/v1/namespaces/shop/configmaps/a", headers: {}, body: "" }).status).toBe(
      200,
    );
  });
});
