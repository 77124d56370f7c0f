import { ConfigMap } from "@drover/api/core/v1";
import { Secret, TimeoutError, isOutcomeUnknown, newUnauthorized } from "@drover/machinery";
import type { HttpRequest, Transport } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import type { TestRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import type { Client } from "../verbs/client.ts";
import type { ClusterAccess } from "../kubeconfig/cluster-access.ts";
import { clusterRig } from "../testing/cluster-rig.ts";
import { configMapServer } from "../testing/config-map-server.ts";
import { faultServer } from "../testing/fault-server.ts";
import type { FaultServer, FaultServerOptions } from "../testing/fault-server.ts";
import { memoryHost } from "../testing/memory-host.ts";
import type { MemoryHost } from "../testing/memory-host.ts";
import { statusResponse } from "../testing/scripted-transport.ts";
import type { ClusterTransportDeps } from "../transport/cluster-transport.ts";
import type { NodeTransportOptions } from "../transport/node-transport-options.ts";

// The whole client over the fault server: credentials, trust and clock.

interface Rig {
  readonly client: Client;
  readonly runtime: TestRuntime;
  readonly network: FaultServer;
  readonly objects: ReturnType<typeof configMapServer>;
}

interface Setup {
  readonly access?: Partial<ClusterAccess>;
  readonly host?: MemoryHost;
  readonly deps?: Partial<ClusterTransportDeps>;
  readonly guard?: (request: HttpRequest) => boolean;
  readonly network?: Pick<FaultServerOptions, "faults" | "connects">;
  /** What is in front of the server. */
  readonly connect?: (network: FaultServer) => ClusterTransportDeps["connect"];
}

function rig({
  access = {},
  host = memoryHost(),
  deps = {},
  guard = () => true,
  network: faults = {},
  connect = (network) => network.connect,
}: Setup): Rig {
  const runtime = testRuntime();
  const objects = configMapServer();
  objects.put("a", {});
  const serve: Transport = (request) => (guard(request) ? objects.handle(request) : Promise.resolve(statusResponse(newUnauthorized("no"))));
  const network = faultServer({ clock: runtime.clock, serve, ...faults });
  return { ...clusterRig({ runtime, connect: connect(network), access, deps: { host, ...deps } }), runtime, network, objects };
}

const map = (name: string): ConfigMap => ({ metadata: { name } });
const outcome = async (promise: Promise<unknown>, { clock }: TestRuntime, byMs = 0): Promise<unknown> => {
  const settled = promise.catch((error: unknown) => error);
  await clock.advance(byMs);
  return settled;
};

describe("tokens", () => {
  it("T1: an expired token is reread, once for all running calls, and none of them fails (§9.37)", async () => {
    const host = memoryHost({ "/token": "old" });
    let valid = "old";
    const { client } = rig({
      host,
      access: { credentials: { tokenFile: "/token" } },
      guard: ({ headers }) => headers["authorization"] === `Bearer ${valid}`,
    });
    await client.get(ConfigMap, "a");
    valid = "new";
    host.files.set("/token", "new");
    await Promise.all(Array.from({ length: 20 }, () => client.get(ConfigMap, "a")));
    expect(host.reads).toHaveLength(2);
    await client.create(ConfigMap, map("b"));
  });

  it("T1: a token that is not yet valid is rejected once, and accepted when it is reread", async () => {
    let refusals = 1;
    const { client, runtime } = rig({
      host: memoryHost({ "/token": "early" }),
      access: { credentials: { tokenFile: "/token" } },
      guard: () => refusals-- <= 0,
    });
    expect(await outcome(client.get(ConfigMap, "a"), runtime)).toMatchObject({ reason: "Unauthorized" });
    expect(await client.get(ConfigMap, "a")).toMatchObject({ kind: "ConfigMap" });
  });

  it("T4, C3: a timeout while the plugin has not responded: the write was not sent, and may be repeated", async () => {
    const host = memoryHost(
      {},
      { run: (_, signal) => new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))) },
    );
    const exec = {
      apiVersion: "client.authentication.k8s.io/v1",
      command: "/bin/login",
      args: new Secret([]),
      env: [],
      interactiveMode: "Never",
    } as const;
    const { client, runtime, network } = rig({ host, access: { credentials: { exec } } });
    const error = await outcome(client.create(ConfigMap, map("b"), { timeoutMs: 5000 }), runtime, 5000);
    expect(error).toBeInstanceOf(TimeoutError);
    expect([isOutcomeUnknown(error), network.opened(), host.runs.length]).toEqual([false, 0, 1]);
  });
});

describe("certificates", () => {
  const pair = { clientCertificate: { certificate: { kind: "file", path: "/crt" }, key: { kind: "file", path: "/key" } } } as const;

  it("T3, C5: an expired client certificate is rejected with 401, reread at once, and the call succeeds (§9.37)", async () => {
    const host = memoryHost({ "/crt": "first", "/key": "first" });
    let valid = "first";
    // The server sees the certificate of the connection.
    let shown: string | undefined;
    const { client, network } = rig({
      host,
      access: { credentials: pair },
      guard: () => shown === valid,
      connect: (server) => (options: NodeTransportOptions) =>
        server.connect({
          ...options,
          tls: async (given) => {
            const settings = await options.tls(given);
            shown = settings.certificate;
            return settings;
          },
        }),
    });
    await client.get(ConfigMap, "a");
    valid = "second";
    host.files.set("/crt", "second").set("/key", "second");
    expect(await client.update(ConfigMap, map("a"))).toMatchObject({ kind: "ConfigMap" });
    expect(network.served.map(({ method }) => method)).toEqual(["GET", "PUT", "PUT"]);
  });
});

describe("timeouts and clocks", () => {
  it("T10, T14: a timeout while connecting or throttled: nothing was sent", async () => {
    const { client, runtime, network } = rig({ network: { connects: ["unreachable"] } });
    const error = await outcome(client.create(ConfigMap, map("b"), { timeoutMs: 5000 }), runtime, 5000);
    expect(error).toBeInstanceOf(TimeoutError);
    expect(network.served).toEqual([]);
    const slow = rig({ deps: { throttle: { qps: 0.01, burst: 1 } } });
    await slow.client.get(ConfigMap, "a");
    expect(await outcome(slow.client.create(ConfigMap, map("b"), { timeoutMs: 5000 }), slow.runtime, 5000)).toBeInstanceOf(TimeoutError);
    expect(slow.objects.names()).toEqual(["a"]);
  });

  it("T12, C20: an hour of clock skew changes nothing but the log", async () => {
    const { client, runtime } = rig({
      connect: (server) => (options) => {
        const inner = server.connect(options);
        return Object.assign(
          async (request: HttpRequest) => {
            const response = await inner(request);
            return { ...response, headers: { ...response.headers, date: new Date(runtime.clock.now() + 3_600_000).toUTCString() } };
          },
          { close: inner.close },
        );
      },
    });
    for (let call = 0; call < 5; call++) await client.update(ConfigMap, map("a"));
    expect(runtime.log.entries.map(({ level, fields }) => [level, fields])).toEqual([
      ["warn", { host: "api.internal:6443", skewMs: -3_600_000, code: "DRV0340" }],
    ]);
  });
});
