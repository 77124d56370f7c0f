import { describe, expect, it } from "vitest";
import { testServer } from "../testing/test-server.ts";
import type { TestServer } from "../testing/test-server.ts";
import { parseServerAddress } from "./server-endpoints.ts";

const inDefault = "/api/v1/namespaces/default";
const slice = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes";

describe("a new server", () => {
  it("publishes its address and port as Service, Endpoints and EndpointSlice kubernetes", async () => {
    const server = await testServer({ serverAddress: "127.0.0.1:40123" });
    expect((await server.call("GET", `${inDefault}/services/kubernetes`)).object).toMatchObject({
      spec: { ports: [{ targetPort: 40123 }] },
    });
    expect((await server.call("GET", `${inDefault}/endpoints/kubernetes`)).object).toMatchObject({
      metadata: {
        labels: { "endpointslice.kubernetes.io/skip-mirror": "true" },
        managedFields: [{ manager: "kube-apiserver", operation: "Update" }],
        creationTimestamp: "2026-01-01T00:00:00Z",
      },
      subsets: [{ addresses: [{ ip: "127.0.0.1" }], ports: [{ name: "https", port: 40123, protocol: "TCP" }] }],
    });
    expect((await server.call("GET", slice)).object).toMatchObject({
      metadata: { generation: 1, labels: { "kubernetes.io/service-name": "kubernetes" } },
      addressType: "IPv4",
      endpoints: [{ addresses: ["127.0.0.1"], conditions: { ready: true } }],
      ports: [{ name: "https", port: 40123, protocol: "TCP" }],
    });
  });

  it("replaces the address at the next start on the same store, and writes nothing if it is the same", async () => {
    const first = await testServer({ serverAddress: "127.0.0.1:1111" });
    const { store } = first;
    const second = await testServer({ serverAddress: "[::1]:2222", store });
    expect((await second.call("GET", `${inDefault}/endpoints/kubernetes`)).object["subsets"]).toMatchObject([
      { addresses: [{ ip: "::1" }], ports: [{ port: 2222 }] },
    ]);
    expect((await second.call("GET", slice)).object).toMatchObject({
      metadata: { generation: 2 },
      addressType: "IPv6",
      ports: [{ port: 2222 }],
    });
    const revision = await store.revision();
    await testServer({ serverAddress: "[::1]:2222", store });
    expect(await store.revision()).toBe(revision);
  });

  it("has no Endpoints for a host name", async () => {
    const server = await testServer({ serverAddress: "example.com:6443" });
    expect((await server.call("GET", `${inDefault}/endpoints/kubernetes`)).status).toBe(404);
  });

  it("tells extension API servers whom to trust, if it has an authority", async () => {
    const map = "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication";
    expect((await (await testServer()).call("GET", map)).status).toBe(404);
    expect((await (await testServer({ clientAuthorityPem: "PEM" })).call("GET", map)).object["data"]).toEqual({ "client-ca-file": "PEM" });
  });

  it("remembers since when it tracks service account tokens", async () => {
    const { object } = await (
      await testServer()
    ).call("GET", "/api/v1/namespaces/kube-system/configmaps/kube-apiserver-legacy-service-account-token-tracking");
    expect(object["data"]).toEqual({ since: "2026-01-01" });
  });
});

describe("kube-node-lease", () => {
  const uid = async (server: TestServer): Promise<unknown> =>
    ((await server.call("GET", "/api/v1/namespaces/kube-node-lease")).object["metadata"] as { uid?: string } | undefined)?.uid;

  it("comes back as soon as its deletion is complete", async () => {
    const server = await testServer();
    const before = await uid(server);
    await server.call("DELETE", "/api/v1/namespaces/kube-node-lease");
    expect(await uid(server)).toBe(before);
    const { object } = await server.call("GET", "/api/v1/namespaces/kube-node-lease");
    const { status } = await server.call("PUT", "/api/v1/namespaces/kube-node-lease/finalize", { ...object, spec: { finalizers: [] } });
    expect(status).toBe(200);
    const after = await uid(server);
    expect(after).toBeDefined();
    expect(after).not.toBe(before);
  });
});

describe("parseServerAddress", () => {
  it("splits addresses and ports, and knows what is no address", () => {
    expect(parseServerAddress("127.0.0.1:6443")).toEqual({ ip: "127.0.0.1", port: 6443 });
    expect(parseServerAddress("[2001:DB8::1]:1")).toEqual({ ip: "2001:db8::1", port: 1 });
    for (const text of ["localhost:6443", "127.0.0.1", "127.0.0.1:0", "127.0.0.1:65536", "::1:6443", ""])
      expect(parseServerAddress(text)).toBeUndefined();
  });
});
