import { createMetrics, prometheusText } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { MemoryStore } from "../../storage/memory-store.ts";
import { testServer } from "../../testing/test-server.ts";
import type { TestServer } from "../../testing/test-server.ts";

const pod = (name: string, spec: object = {}) => ({ metadata: { name }, spec: { containers: [{ name: "c", image: "c" }], ...spec } });
const label = (level: string) => ({ labels: { "pod-security.kubernetes.io/enforce": level } });
const patch = { "content-type": "application/merge-patch+json" };

async function guardedServer(level: string, options: Parameters<typeof testServer>[0] = {}): Promise<TestServer> {
  const server = await testServer(options);
  expect((await server.call("POST", "/api/v1/namespaces", { metadata: { name: "shop", ...label(level) } })).status).toBe(201);
  return server;
}

describe("PodSecurity", () => {
  it("refuses a pod that violates what its namespace enforces", async () => {
    const { call } = await guardedServer("baseline");
    const { status, object } = await call("POST", "/api/v1/namespaces/shop/pods", pod("a", { hostPID: true }));
    expect([status, object["message"]]).toEqual([
      403,
      'pods "a" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostPID=true)',
    ]);
    expect((await call("POST", "/api/v1/namespaces/shop/pods", pod("a"))).status).toBe(201);
    expect((await call("POST", "/api/v1/namespaces/default/pods", pod("a", { hostPID: true }))).status).toBe(201);
  });

  it("names a pod with a generated name", async () => {
    const { call } = await guardedServer("baseline");
    const { object } = await call("POST", "/api/v1/namespaces/shop/pods", {
      ...pod("", { hostPID: true }),
      metadata: { generateName: "web-" },
    });
    expect(object["message"]).toMatch(/^pods "web-[a-z0-9]{5}" is forbidden: /);
  });

  it("follows the labels of the namespace at once", async () => {
    const { call } = await guardedServer("privileged");
    const create = async (): Promise<number> =>
      (await call("POST", "/api/v1/namespaces/shop/pods?dryRun=All", pod("a", { hostPID: true }))).status;
    expect(await create()).toBe(201);
    await call("PATCH", "/api/v1/namespaces/shop", { metadata: label("restricted") }, patch);
    expect(await create()).toBe(403);
    await call("PATCH", "/api/v1/namespaces/shop", { metadata: { labels: { "pod-security.kubernetes.io/enforce": null } } }, patch);
    expect(await create()).toBe(201);
  });

  it("warns about the template of a workload and stores it", async () => {
    const { call } = await guardedServer("baseline");
    const template = { metadata: { labels: { a: "b" } }, spec: { hostIPC: true, containers: [{ name: "c", image: "c" }] } };
    const { status, headers } = await call("POST", "/apis/apps/v1/namespaces/shop/deployments", {
      metadata: { name: "web" },
      spec: { selector: { matchLabels: { a: "b" } }, template },
    });
    expect([status, headers["warning"]]).toEqual([
      201,
      ['299 - "would violate PodSecurity \\"baseline:latest\\": host namespaces (hostIPC=true)"'],
    ]);
  });

  it("lets updates pass that change no image", async () => {
    const { call } = await guardedServer("privileged");
    await call("POST", "/api/v1/namespaces/shop/pods", pod("a"));
    await call("PATCH", "/api/v1/namespaces/shop", { metadata: label("restricted") }, patch);
    const change = async (body: object): Promise<number> =>
      (await call("PATCH", "/api/v1/namespaces/shop/pods/a", body as never, { "content-type": "application/strategic-merge-patch+json" }))
        .status;
    expect(await change({ metadata: { labels: { x: "y" } } })).toBe(200);
    expect(await change({ spec: { containers: [{ name: "c", image: "d" }] } })).toBe(403);
  });

  it("refuses labels that make no sense, but not other changes of a namespace that has them already", async () => {
    const runtime = testRuntime();
    const store = new MemoryStore(runtime);
    const lenient = await testServer({ store, admissionPlugins: { disable: ["PodSecurity"] } });
    expect((await lenient.call("POST", "/api/v1/namespaces", { metadata: { name: "old", ...label("nope") } })).status).toBe(201);
    const { call } = await testServer({ store });
    const { status, object } = await call("POST", "/api/v1/namespaces", { metadata: { name: "new", ...label("nope") } });
    expect([status, object["message"]]).toEqual([
      422,
      'Namespace "new" is invalid: metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "nope": must be one of privileged, baseline, restricted',
    ]);
    const change = async (labels: Readonly<Record<string, string>>): Promise<number> =>
      (await call("PATCH", "/api/v1/namespaces/old", { metadata: { labels } }, patch)).status;
    expect(await change({ a: "b" })).toBe(200);
    expect(await change({ "pod-security.kubernetes.io/warn": "nope" })).toBe(422);
    expect((await call("POST", "/api/v1/namespaces/old/pods", pod("a"))).status).toBe(403);
  });

  it("is a 500 for a namespace that does not exist", async () => {
    const { call } = await testServer({ admissionPlugins: { disable: ["NamespaceLifecycle"] } });
    const { status, object } = await call("POST", "/api/v1/namespaces/gone/pods", pod("a"));
    expect([status, object["message"]]).toEqual([500, 'Internal error occurred: failed to lookup namespace "gone"']);
  });

  it("counts evaluations", async () => {
    const metrics = createMetrics();
    const { call } = await guardedServer("baseline", { runtime: { ...testRuntime(), metrics } });
    await call("POST", "/api/v1/namespaces/shop/pods", pod("a", { hostPID: true }));
    await call("POST", "/api/v1/namespaces/default/pods", pod("a", { hostPID: true }));
    const text = prometheusText(metrics);
    for (const labels of [
      'decision="deny",mode="enforce",policy_level="baseline",policy_version="latest",request_operation="create",resource="pod",subresource=""',
      'decision="allow",mode="enforce",policy_level="privileged",policy_version="latest",request_operation="create",resource="pod",subresource=""',
    ])
      expect(text).toContain(`pod_security_evaluations_total{${labels}} 1`);
  });
});
