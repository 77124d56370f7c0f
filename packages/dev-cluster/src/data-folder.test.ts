/** A cluster that survives its process: on a folder, in real time. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Deployment } from "@drover/api/apps/v1";
import { Namespace, Node, Pod } from "@drover/api/core/v1";
import type { HttpResponse } from "@drover/machinery";

import { afterEach, describe, expect, it } from "vitest";
import { startCluster } from "./index.ts";
import type { DevCluster } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "drover-cluster-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("startCluster with a data folder", { timeout: 60_000 }, () => {
  it("finds the cluster of the last run: objects, nodes, tokens, watches", async () => {
    const first = await startCluster({ data: folder });
    await first.client.create(Deployment, {
      metadata: { name: "web", namespace: "default" },
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: "web" } },
        template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "web", image: "web:1" }] } },
      },
    });
    await running(first, 2);
    const token = tokenIn(
      await first.transport({
        method: "POST",
        path: "/api/v1/namespaces/default/serviceaccounts/default/token",
        headers: { "content-type": "application/json" },
        body: '{"apiVersion":"authentication.k8s.io/v1","kind":"TokenRequest","spec":{}}',
      }),
    );
    const system = await first.client.get(Namespace, "kube-system");
    const before = await first.client.list(Pod, { namespace: "default" });
    await expect(startCluster({ data: folder })).rejects.toThrow(`in use by process ${process.pid}`);
    await first.stop();

    const second = await startCluster({ data: folder });
    expect((await second.client.get(Namespace, "kube-system")).metadata.uid).toBe(system.metadata.uid);
    const pods = await second.client.list(Pod, { namespace: "default" });
    expect(new Set(pods.items.map(({ metadata }) => metadata.uid))).toEqual(new Set(before.items.map(({ metadata }) => metadata.uid)));
    expect((await second.client.list(Node)).items).toHaveLength(3);
    const review = await second.server.connection({ inProcess: false, encrypted: true, remoteAddress: "127.0.0.1" })({
      method: "POST",
      path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: '{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}',
    });
    expect(textOf(review)).toContain("system:serviceaccount:default:default");
    // A watch of the first run resumes: the history is on the disk too.
    const watch = await second.transport({
      method: "GET",
      path: `/api/v1/pods?watch=true&timeoutSeconds=1&resourceVersion=${before.metadata.resourceVersion ?? ""}`,
      headers: {},
    });
    expect(watch.status).toBe(200);
    await second.stop();
  });

  it("refuses a folder beside a store or a server of the caller", async () => {
    await using cluster = await startCluster({ nodes: 0 });
    await expect(startCluster({ data: folder, on: cluster.server })).rejects.toThrow("data excludes on, server.store and tokenSigner");
  });
});

async function running({ client }: DevCluster, count: number): Promise<void> {
  for (;;) {
    const { items } = await client.list(Pod, { namespace: "default" });
    if (items.filter(({ status }) => status?.phase === "Running").length === count) return;
    // Requests within the process take no turn of the event loop, but the disk does.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const textOf = ({ body }: HttpResponse): string => (typeof body === "string" ? body : "");
const tokenIn = (response: HttpResponse): string => (JSON.parse(textOf(response)) as { status: { token: string } }).status.token;
