import { inspect } from "node:util";
import { Secret, isOutcomeUnknown, prometheusText } from "@drover/machinery";
import type { HttpRequest, HttpResponse, Transport } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import type { TestRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import type { Host } from "../host.ts";
import type { ClusterAccess } from "../kubeconfig/cluster-access.ts";
import { clusterTransport } from "./cluster-transport.ts";
import type { ClusterTransportDeps } from "./cluster-transport.ts";
import type { NodeTransport } from "./node-transport.ts";
import type { NodeTransportOptions } from "./node-transport-options.ts";
import { TransportError } from "./transport-error.ts";

const none = (): Promise<never> => Promise.reject(new Error("not in this test"));

interface Rig {
  readonly transport: NodeTransport;
  readonly runtime: TestRuntime;
  readonly opened: NodeTransportOptions[];
  readonly sent: HttpRequest[];
  readonly closed: () => boolean;
}

function rig(answer: Transport, access: Partial<ClusterAccess> = {}, deps: Partial<ClusterTransportDeps> = {}, env: Host["env"] = {}): Rig {
  const runtime = testRuntime();
  const opened: NodeTransportOptions[] = [];
  const sent: HttpRequest[] = [];
  let isClosed = false;
  const connect = (options: NodeTransportOptions): NodeTransport => {
    opened.push(options);
    return Object.assign(
      (request: HttpRequest) => {
        sent.push(request);
        return answer(request);
      },
      { close: () => void (isClosed = true) },
    );
  };
  const host: Host = {
    env,
    homeDir: undefined,
    cwd: "/",
    platform: "linux",
    isInteractive: false,
    readFile: none,
    writeFile: none,
    withFileLock: none,
    run: none,
  };
  const transport = clusterTransport(
    {
      server: "https://api.example:6443/base",
      trust: {},
      credentials: { token: new Secret("canary-token") },
      namespace: "default",
      ...access,
    },
    { ...runtime, host, isPair: () => true, connect, userAgent: "test", ...deps },
  );
  return { transport, runtime, opened, sent, closed: () => isClosed };
}

const ok: Transport = () => Promise.resolve({ status: 200, headers: {}, body: "" });
const answers = (...statuses: readonly number[]): Transport => {
  const left = [...statuses];
  return () => Promise.resolve<HttpResponse>({ status: left.shift() ?? 200, headers: { "retry-after": "0" }, body: "" });
};
const get: HttpRequest = { method: "GET", path: "/api/v1/pods", headers: {} };

describe("clusterTransport", () => {
  it("sends the identity of the access and the program's user agent", async () => {
    const { transport, sent } = rig(ok, { impersonate: { user: "zoe", groups: ["a", "b"] } });
    await transport(get);
    expect(sent[0]?.headers).toEqual({
      "impersonate-user": "zoe",
      "impersonate-group": ["a", "b"],
      "user-agent": "test",
      authorization: "Bearer canary-token",
    });
  });

  it("keeps existing headers", async () => {
    const { transport, sent } = rig(ok);
    await transport({ ...get, headers: { "user-agent": "mine", authorization: "Basic x" } });
    expect(sent[0]?.headers).toEqual({ "user-agent": "mine", authorization: "Basic x" });
  });

  it("retries within one authentication, counts every attempt, and traces them", async () => {
    const traced: unknown[] = [];
    const { transport, runtime, sent } = rig(
      answers(503, 429, 200),
      {},
      {
        onRequest:
          ({ attempt }) =>
          ({ status }) =>
            traced.push([attempt, status]),
        detailedMetrics: true,
      },
    );
    const done = transport(get);
    await runtime.clock.runAll();
    expect((await done).status).toBe(200);
    expect(sent).toHaveLength(3);
    expect(traced).toEqual([
      [1, 503],
      [2, 429],
      [3, 200],
    ]);
    expect(prometheusText(runtime.metrics)).toContain('rest_client_requests_total{code="503",host="api.example:6443",method="GET"} 1');
    expect(prometheusText(runtime.metrics)).toContain('rest_client_request_retries_total{code="200",host="api.example:6443",verb="GET"} 1');
  });

  it("can disable retries, and records detailed metrics only on request", async () => {
    const { transport, runtime, sent } = rig(answers(503), {}, { retry: { retriesMax: 0 } });
    expect((await transport(get)).status).toBe(503);
    expect(sent).toHaveLength(1);
    expect(runtime.metrics.families().map(({ name }) => name)).toEqual(["rest_client_requests_total"]);
  });

  it("C1: reports the outcome of a lost write as unknown", async () => {
    const { transport, sent } = rig(() => Promise.reject(new TransportError("lost", { reason: "reset", sent: "maybe" })));
    const error: unknown = await transport({ ...get, method: "POST", body: "{}" }).catch((reason: unknown) => reason);
    expect(isOutcomeUnknown(error)).toBe(true);
    expect(sent).toHaveLength(1);
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("canary");
  });

  it("limits all attempts together with timeoutMs, and throttles if configured", async () => {
    const { transport, runtime } = rig(
      () => Promise.resolve({ status: 429, headers: { "retry-after": "5" }, body: "" }),
      {},
      { timeoutMs: 12_000 },
    );
    const outcome = transport(get).catch((reason: unknown) => reason);
    await runtime.clock.runAll();
    expect(await outcome).toMatchObject({ name: "TimeoutError" });
    const slow = rig(ok, {}, { throttle: { qps: 1, burst: 1 } });
    const both = Promise.all([slow.transport(get), slow.transport(get)]);
    await slow.runtime.clock.runAll();
    await both;
    expect(slow.runtime.clock.monotonic()).toBe(1000);
  });

  it("passes trust, limits and compression to the sockets, applies wrappers innermost, and closes them", async () => {
    const seen: string[] = [];
    const { transport, opened, closed } = rig(
      ok,
      { trust: { insecure: true, serverName: "other" }, disableCompression: true },
      {
        limits: { callsMax: 7 },
        wrappers: [
          (next) => (request) => {
            seen.push(Object.keys(request.headers).join());
            return next(request);
          },
        ],
      },
    );
    await transport(get);
    expect(opened[0]).toMatchObject({ server: "https://api.example:6443/base", callsMax: 7, disableCompression: true });
    expect(await opened[0]?.tls()).toMatchObject({ insecure: true, serverName: "other" });
    expect(seen).toEqual(["user-agent,authorization"]);
    transport.close();
    expect(closed()).toBe(true);
  });

  it.each<[string, string | undefined, Host["env"], string | undefined]>([
    ["the access", "http://one:1", { HTTPS_PROXY: "http://two:2", NO_PROXY: "*" }, "http://one:1"],
    ["the environment", undefined, { HTTPS_PROXY: "http://two:2" }, "http://two:2"],
    ["the environment in lower case", undefined, { https_proxy: "two:2", HTTP_PROXY: "http://three" }, "http://two:2"],
    ["no setting", undefined, { HTTPS_PROXY: "http://two:2", no_proxy: ".example" }, undefined],
  ])("uses the proxy that %s names", (_, proxyUrl, env, expected) => {
    expect(rig(ok, proxyUrl === undefined ? {} : { proxyUrl: new Secret(proxyUrl) }, {}, env).opened[0]?.proxyUrl).toSatisfy(
      (url: Secret | undefined) => url?.reveal() === expected,
    );
  });
});
