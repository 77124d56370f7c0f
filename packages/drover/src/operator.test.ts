import { memoryHost } from "@drover/client/testing";
import type { ListenAddress } from "@drover/controller";
import type { HttpRequest, HttpResponse } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { nodeRuntime } from "./node-runtime.ts";
import { operator } from "./operator.ts";
import type { RunOptions } from "./run-options.ts";

const kubeconfig = {
  text: JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "c",
    clusters: [{ name: "c", cluster: { server: "https://api.example" } }],
    users: [{ name: "u", user: { token: "t" } }],
    contexts: [{ name: "c", context: { cluster: "c", user: "u", namespace: "shop" } }],
  }),
};
const account = "/var/run/secrets/kubernetes.io/serviceaccount";
const pod = memoryHost(
  { [`${account}/token`]: "secret", [`${account}/namespace`]: "home" },
  { env: { KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "443" } },
);
const desk = memoryHost({}, { env: {} });

/** Runs an operator without controllers on an empty server until the last of these requests has arrived. */
async function run(
  options: RunOptions,
  isEnough: (requests: readonly HttpRequest[]) => boolean,
): Promise<{ readonly requests: readonly HttpRequest[]; readonly ports: readonly ListenAddress[]; readonly isClosed: boolean }> {
  const requests: HttpRequest[] = [];
  const ports: ListenAddress[] = [];
  const stop = new AbortController();
  let isClosed = false;
  const answer = (request: HttpRequest): Promise<HttpResponse> => {
    requests.push(request);
    return Promise.resolve({
      status: 404,
      headers: { "content-type": "application/json" },
      body: '{"kind":"Status","status":"Failure","reason":"NotFound","code":404}',
    });
  };
  const app = operator({ name: "web" });
  app.add({
    name: "watcher",
    needsLease: false,
    run: async () => {
      while (!isEnough(requests)) await new Promise(setImmediate);
      stop.abort();
    },
  });
  const { cluster = {}, serving, ...rest } = options;
  const listen = (_handler: unknown, address: ListenAddress): Promise<never> => {
    ports.push(address);
    return Promise.resolve({
      address: "here",
      run: (signal: AbortSignal) => new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve())),
    } as never);
  };
  await app.run({
    ...rest,
    permissions: "off",
    signal: stop.signal,
    runtime: nodeRuntime({ write: () => undefined }),
    ...(serving === undefined ? {} : { serving: serving === false ? false : { listen, ...serving } }),
    cluster: {
      ...cluster,
      sockets: {
        transport: () => Object.assign(answer, { close: () => void (isClosed = true) }),
        webSocket: () => () => Promise.reject(new Error("none")),
      },
    },
  });
  return { requests, ports, isClosed };
}

const leases = (requests: readonly HttpRequest[]): readonly string[] =>
  requests.flatMap(({ method, path }) => (path.includes("/leases") ? [`${method} ${path}`] : []));

describe("operator().run", () => {
  it("uses a lease of its name in the pod's namespace, and closes its connections at the end", async () => {
    const { requests, isClosed } = await run({ host: pod, serving: false }, (seen) => leases(seen).length > 0);
    expect(leases(requests)[0]).toBe("GET /apis/coordination.k8s.io/v1/namespaces/home/leases/web");
    expect(requests[0]?.headers["authorization"]).toBe("Bearer secret");
    expect(isClosed).toBe(true);
  });

  it("starts at once outside a pod, without a lease and without a port", async () => {
    const { requests, ports } = await run({ host: desk, cluster: { kubeconfig } }, () => true);
    expect(leases(requests)).toEqual([]);
    expect(ports).toEqual([]);
  });

  it("uses the configured lease", async () => {
    const { requests } = await run(
      { host: desk, cluster: { kubeconfig }, leaderElection: { namespace: "there", name: "other" } },
      (seen) => leases(seen).length > 0,
    );
    expect(leases(requests)[0]).toBe("GET /apis/coordination.k8s.io/v1/namespaces/there/leases/other");
    await expect(run({ host: desk, cluster: { kubeconfig }, leaderElection: true }, () => true)).rejects.toThrow(
      "set leaderElection.namespace",
    );
  });

  it("uses the leases of its shards instead of one lease, and not both", async () => {
    const { requests } = await run({ host: pod, serving: false, shards: {} }, (seen) => leases(seen).length > 0);
    expect(leases(requests)[0]).toBe("GET /apis/coordination.k8s.io/v1/namespaces/home/leases?labelSelector=drover.dev%2Fshards%3Dweb");
    await expect(run({ host: pod, serving: false, shards: {}, leaderElection: true }, () => true)).rejects.toThrow(
      "remove one of the two options",
    );
  });

  it("serves probes on the configured port", async () => {
    const { ports } = await run({ host: desk, cluster: { kubeconfig }, serving: { host: "127.0.0.1", port: 9090 } }, () => true);
    expect(ports).toMatchObject([{ host: "127.0.0.1", port: 9090 }]);
  });

  it("reports which cluster it cannot find", async () => {
    await expect(operator({ name: "web" }).run({ host: desk, runtime: nodeRuntime({ write: () => undefined }) })).rejects.toThrow(
      "kubeconfig",
    );
  });
});
