import { inspect } from "node:util";
import { ConfigMap } from "@drover/api/core/v1";
import { isTransportError } from "@drover/client";
import type { NodeTransportOptions, NodeWebSocketOptions, WebSocketConnect, WebSocketRequest } from "@drover/client";
import { jsonResponse, scriptedTransport, webSocketPair } from "@drover/client/testing";
import type { Script, ScriptedTransport } from "@drover/client/testing";
import { testRuntime } from "@drover/machinery/testing";
import type { TestRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { connect } from "./connect.ts";
import { nodeHost } from "./node-host.ts";
import type { ConnectOptions, Connection } from "./connection.ts";

const text = JSON.stringify({
  apiVersion: "v1",
  kind: "Config",
  "current-context": "c",
  clusters: [{ name: "c", cluster: { server: "https://api.example" } }],
  users: [{ name: "u", user: { token: "secret-token" } }],
  contexts: [{ name: "c", context: { cluster: "c", user: "u", namespace: "shop" } }],
});

interface Rig {
  readonly cluster: Connection;
  readonly server: ScriptedTransport;
  readonly opened: { readonly http: NodeTransportOptions[]; readonly webSocket: NodeWebSocketOptions[] };
  readonly upgrades: WebSocketRequest[];
  readonly runtime: TestRuntime;
  readonly isClosed: () => boolean;
}

async function rig(
  script: Script,
  options: ConnectOptions = {},
  open: WebSocketConnect = () => Promise.reject(new Error("no WebSockets in this test")),
): Promise<Rig> {
  const [server, runtime] = [scriptedTransport(script), testRuntime()];
  const opened: Rig["opened"] = { http: [], webSocket: [] };
  const upgrades: WebSocketRequest[] = [];
  let isClosed = false;
  const cluster = await connect({
    kubeconfig: { text },
    runtime,
    userAgent: "test",
    sockets: {
      transport: (given) => {
        opened.http.push(given);
        return Object.assign(server, { close: () => void (isClosed = true) });
      },
      webSocket: (given) => {
        opened.webSocket.push(given);
        return (request) => {
          upgrades.push(request);
          return open(request);
        };
      },
    },
    ...options,
  });
  return { cluster, server, opened, upgrades, runtime, isClosed: () => isClosed };
}

const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "demo", namespace: "shop" } };
const lines = ({ requests }: ScriptedTransport): string[] => requests.map(({ method, path }) => `${method} ${path}`);

describe("connect", () => {
  it("returns a client for the cluster, user and namespace that were found", async () => {
    const { cluster, server, opened } = await rig([jsonResponse(map)]);
    expect(await cluster.client.get(ConfigMap, "demo")).toMatchObject(map);
    expect(lines(server)).toEqual(["GET /api/v1/namespaces/shop/configmaps/demo"]);
    expect(server.requests[0]?.headers).toMatchObject({ authorization: "Bearer secret-token", "user-agent": "test" });
    expect([cluster.namespace, cluster.client.namespace, cluster.access.server]).toEqual(["shop", "shop", "https://api.example"]);
    expect(opened.http).toMatchObject([{ server: "https://api.example" }]);
  });

  it("sends nothing before the first request", async () => {
    const { cluster, server } = await rig([]);
    await cluster.close();
    expect(server.requests).toEqual([]);
  });

  it("passes every option on", async () => {
    const warnings: string[] = [];
    const { cluster, server, opened } = await rig([jsonResponse(map, { headers: { warning: '299 - "old"' } })], {
      namespace: "other",
      impersonate: { user: "zoe", groups: ["dev"] },
      fieldManager: "me",
      onWarning: ({ text: said }) => warnings.push(said),
      webSocket: { pingIntervalMs: 7 },
      transport: { limits: { callsMax: 3 } },
    });
    await cluster.client.apply(ConfigMap, { metadata: { name: "demo" } });
    expect(lines(server)).toEqual(["PATCH /api/v1/namespaces/other/configmaps/demo?fieldManager=me"]);
    expect(server.requests[0]?.headers).toMatchObject({ "impersonate-user": "zoe", "impersonate-group": ["dev"] });
    expect(warnings).toEqual(["old"]);
    expect(opened.http[0]?.callsMax).toBe(3);
    expect(opened.webSocket[0]).toMatchObject({
      server: "https://api.example",
      pingIntervalMs: 7,
      headers: { "impersonate-user": "zoe", "impersonate-group": ["dev"], "user-agent": "test" },
    });
    expect((await opened.webSocket[0]?.credentials?.header({}))?.reveal()).toBe("Bearer secret-token");
  });

  it("offers HTTP/2 if the option or DROVER_HTTP2 says so", async () => {
    const host = { ...nodeHost(), env: { DROVER_HTTP2: "1" } };
    const offered = async (options: ConnectOptions): Promise<boolean | undefined> => (await rig([], options)).opened.http[0]?.http2;
    expect([await offered({}), await offered({ host }), await offered({ host, transport: { http2: false } })]).toEqual([
      false,
      true,
      false,
    ]);
    expect(await offered({ transport: { http2: true } })).toBe(true);
  });

  it("dynamic finds a resource by name or kind", async () => {
    const { cluster } = await rig(({ path }) => jsonResponse(path === "/apis" ? apis : core, { headers: aggregated }));
    expect((await cluster.dynamic("deploy")).target).toEqual(deployments);
    expect((await cluster.dynamic({ group: "apps", kind: "Deployment" })).target).toEqual(deployments);
    expect((await cluster.dynamic({ group: "apps", kind: "Deployment", version: "v1" })).target).toEqual(deployments);
  });

  it("prints no credentials", async () => {
    const { cluster, runtime } = await rig([]);
    expect(inspect(cluster, { depth: Infinity, showHidden: true })).not.toContain("secret-token");
    expect(JSON.stringify({ access: cluster.access })).not.toContain("secret-token");
    expect(runtime.log.lines.join("\n")).not.toContain("secret-token");
  });

  it("close ends everything, including pod streams", async () => {
    const { cluster, upgrades, isClosed } = await rig([], {}, ({ signal }) => {
      const [end] = webSocketPair("v4.channel.k8s.io");
      signal?.addEventListener("abort", () => end.cut(), { once: true });
      return Promise.resolve(end);
    });
    const connection = await cluster.portForward("db-0", 5432);
    expect(upgrades.map(({ path }) => path)).toEqual(["/api/v1/namespaces/shop/pods/db-0/portforward?ports=5432"]);
    const forward = await cluster.forwardPort("db-0", ":5432");
    await cluster.close();
    expect(isClosed()).toBe(true);
    await expect(connection.received[Symbol.asyncIterator]().next()).rejects.toThrow();
    const late: unknown = await cluster.portForward("db-0", 5432).catch((error: unknown) => error);
    expect(late).toSatisfy(isTransportError);
    await forward.closed;
    await expect(cluster.forwardPort("db-0", ":5432")).rejects.toMatchObject({ reason: "closed" });
  });

  it("reports the invalid file and the fix before anything else", async () => {
    await expect(connect({ kubeconfig: "/no/such/file", runtime: testRuntime() })).rejects.toMatchObject({
      name: "KubeconfigError",
      message: expect.stringContaining("/no/such/file: there is no such file") as unknown,
    });
  });
});

const aggregated = { "content-type": "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList" };
const deployments = { group: "apps", version: "v1", resource: "deployments", kind: "Deployment", scope: "Namespaced" };
const core = { apiVersion: "apidiscovery.k8s.io/v2", kind: "APIGroupDiscoveryList", metadata: {}, items: [] };
const apis = {
  ...core,
  items: [
    {
      metadata: { name: "apps" },
      versions: [
        {
          version: "v1",
          resources: [
            {
              resource: "deployments",
              responseKind: { group: "apps", version: "v1", kind: "Deployment" },
              scope: "Namespaced",
              singularResource: "deployment",
              verbs: ["get"],
              shortNames: ["deploy"],
            },
          ],
        },
      ],
    },
  ],
};
