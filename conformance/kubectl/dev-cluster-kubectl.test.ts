/** kubectl on a simulated cluster: it prints and follows logs, cordons and drains nodes. */
import { execFile } from "node:child_process";
import { spawn } from "node:child_process";
import { promisify } from "node:util";
import { Deployment } from "@drover/api/apps/v1";
import { Pod } from "@drover/api/core/v1";
import { PodDisruptionBudget } from "@drover/api/policy/v1";
import { listen } from "@drover/apiserver/node";
import { waitFor } from "@drover/client";
import { conductAnnotations, logAnnotations, startCluster } from "@drover/dev-cluster";
import type { DevCluster } from "@drover/dev-cluster";
import { nodeRuntime } from "drover";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { programPath, programsMissing } from "../servers/real-program.ts";

const run = promisify(execFile);

describe("kubectl on a simulated cluster", () => {
  const missing = programsMissing("kubectl");
  let cluster: DevCluster | undefined;
  let url = "";
  const stop = new AbortController();
  let ended: Promise<void> = Promise.resolve();
  beforeAll(async () => {
    if (missing !== undefined) return;
    const { clock, log } = nodeRuntime({ write: () => undefined });
    cluster = await startCluster({ nodes: 2, server: { anonymous: true, authorizationModes: ["AlwaysAllow"] } });
    const listener = await listen({ connection: cluster.server.connection, tls: "none", clock, log });
    url = listener.url;
    ended = listener.run(stop.signal);
  }, 60_000);
  afterAll(async () => {
    stop.abort();
    await ended;
    await cluster?.stop();
  }, 60_000);
  beforeEach((ctx) => {
    if (missing !== undefined) ctx.skip(missing);
  });

  const here = (): DevCluster => {
    if (cluster === undefined) throw new Error("no cluster");
    return cluster;
  };
  /** Its output and its error output. */
  async function kubectl(...args: readonly string[]): Promise<string> {
    try {
      const { stdout } = await run(programPath("kubectl"), [`--server=${url}`, "--cache-dir=/nonexistent", ...args], { timeout: 30_000 });
      return stdout;
    } catch (error) {
      return String((error as { readonly stderr?: unknown }).stderr ?? error);
    }
  }
  const running = (name: string, phase = "Running"): Promise<unknown> =>
    waitFor(here().client, Pod, name, (pod) => pod?.status?.phase === phase, { namespace: "default", timeoutMs: 10_000 });

  it("prints logs of containers: whole, the tail, of one of several, of the previous run", { timeout: 60_000 }, async () => {
    const { client } = here();
    await client.create(Pod, {
      metadata: { name: "one", namespace: "default", annotations: { [logAnnotations.log]: "first line\nsecond line" } },
      spec: { containers: [{ name: "web", image: "web:1" }] },
    });
    await client.create(Pod, {
      metadata: { name: "two", namespace: "default" },
      spec: {
        containers: [
          { name: "a", image: "a" },
          { name: "b", image: "b" },
        ],
      },
    });
    await client.create(Pod, {
      metadata: { name: "slow", namespace: "default", annotations: { [conductAnnotations.startAfter]: "1h" } },
      spec: { containers: [{ name: "web", image: "web:1" }] },
    });
    await client.create(Pod, {
      metadata: { name: "crash", namespace: "default", annotations: { [conductAnnotations.exitCode]: "7" } },
      spec: { containers: [{ name: "web", image: "web:1" }] },
    });
    await running("one");
    await running("two");
    await waitFor(client, Pod, "crash", (pod) => (pod?.status?.containerStatuses?.[0]?.restartCount ?? 0) > 0, {
      namespace: "default",
      timeoutMs: 10_000,
    });
    await waitFor(client, Pod, "slow", (pod) => pod?.status?.containerStatuses !== undefined, { namespace: "default", timeoutMs: 10_000 });
    expect(await kubectl("logs", "one")).toBe("first line\nsecond line\n");
    expect(await kubectl("logs", "one", "--tail=1")).toBe("second line\n");
    expect(await kubectl("logs", "one", "--timestamps", "--tail=1")).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z second line\n$/);
    expect(await kubectl("logs", "two", "-c", "b")).toBe("b started\nb ready\n");
    expect(await kubectl("logs", "crash", "--previous")).toContain("web exited with code 7\n");
    expect(await kubectl("logs", "slow")).toBe(
      'Error from server (BadRequest): container "web" in pod "slow" is waiting to start: ContainerCreating\n',
    );
    expect(await kubectl("logs", "one", "--previous")).toBe(
      'Error from server (BadRequest): previous terminated container "web" in pod "one" not found\n',
    );
    expect(await kubectl("get", "--raw", "/api/v1/namespaces/default/pods/two/log")).toBe(
      "Error from server (BadRequest): a container name must be specified for pod two, choose one of: [a b]\n",
    );
  });

  it("follows a log until its container ends", { timeout: 60_000 }, async () => {
    const { client } = here();
    await client.create(Pod, {
      metadata: {
        name: "ticking",
        namespace: "default",
        annotations: { [logAnnotations.log]: "tick", [logAnnotations.every]: "300ms", [conductAnnotations.exitAfter]: "3s" },
      },
      spec: { restartPolicy: "Never", containers: [{ name: "web", image: "web:1" }] },
    });
    await running("ticking");
    const child = spawn(programPath("kubectl"), [`--server=${url}`, "--cache-dir=/nonexistent", "logs", "-f", "ticking"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let text = "";
    child.stdout.on("data", (bytes: Buffer) => {
      text += bytes.toString();
    });
    const code = await new Promise((resolve) => child.once("exit", resolve));
    expect(code).toBe(0);
    expect((await client.get(Pod, "ticking", { namespace: "default" })).status?.phase).toBe("Succeeded");
    expect(text.split("\n").filter((line) => line === "tick").length).toBeGreaterThanOrEqual(8);
  });

  it("drains a node, one pod at a time where a disruption budget requires it", { timeout: 90_000 }, async () => {
    const { client } = here();
    const labels = { app: "web" };
    await client.create(Deployment, {
      metadata: { name: "web", namespace: "default" },
      spec: {
        replicas: 4,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "web:1" }] } },
      },
    });
    await client.create(PodDisruptionBudget, {
      metadata: { name: "web", namespace: "default" },
      spec: { minAvailable: 3, selector: { matchLabels: labels } },
    });
    await waitFor(client, Deployment, "web", (found) => found?.status?.readyReplicas === 4, { namespace: "default", timeoutMs: 20_000 });
    await client.resource(PodDisruptionBudget).status.patch(
      "web",
      {
        type: "merge",
        body: { status: { observedGeneration: 1, currentHealthy: 4, desiredHealthy: 3, expectedPods: 4, disruptionsAllowed: 1 } },
      },
      { namespace: "default" },
    );
    const allowing = setInterval(
      () =>
        void client
          .resource(PodDisruptionBudget)
          .status.patch(
            "web",
            { type: "merge", body: { status: { observedGeneration: 1, disruptionsAllowed: 1, disruptedPods: null } } },
            { namespace: "default" },
          )
          .catch(() => undefined),
      2000,
    );
    const drained = await kubectl("drain", "node-1", "--ignore-daemonsets", "--force", "--timeout=60s");
    clearInterval(allowing);
    expect(drained).toContain("node/node-1 drained");
    const { items } = await client.list(Pod, { namespace: "default", labelSelector: "app=web" });
    expect(new Set(items.filter(({ metadata }) => metadata.deletionTimestamp === undefined).map(({ spec }) => spec?.nodeName))).toEqual(
      new Set(["node-2"]),
    );
    expect(await kubectl("get", "node", "node-1", "--no-headers")).toMatch(/Ready,SchedulingDisabled/);
    expect(await kubectl("uncordon", "node-1")).toBe("node/node-1 uncordoned\n");
  });
});
