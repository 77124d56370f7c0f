/** The client's transport with an API server. */
import { clusterTransport, nodeTransport } from "@drover/client";
import type { ClusterAccess, ClusterTransportDeps, NodeTransport, TracedOutcome, TracedRequest } from "@drover/client";
import { Secret } from "@drover/machinery";
import type { HttpRequest, HttpResponse } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { nodeRuntime } from "drover";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { describeOnServers } from "../servers/servers.ts";
import type { SuiteServer } from "../servers/suite-server.ts";

async function text({ body }: HttpResponse): Promise<string> {
  if (typeof body === "string") return body;
  if (body instanceof Uint8Array) return Buffer.from(body).toString("utf8");
  const chunks: Uint8Array[] = [];
  for await (const chunk of body as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

const configMap = (name: string, value: string): string =>
  JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { value } });

describeOnServers("the client's transport", ({ missing, start }) => {
  let server: SuiteServer;
  let transport: NodeTransport;
  const traced: (TracedRequest & TracedOutcome)[] = [];
  const runtime = testRuntime();

  const transportAs = (access: Partial<ClusterAccess>, more: Partial<ClusterTransportDeps> = {}): NodeTransport => {
    const { clock } = nodeRuntime();
    const none = (): Promise<never> => Promise.reject(new Error("not in this test"));
    const deps: ClusterTransportDeps = {
      clock,
      random: runtime.random,
      log: runtime.log,
      metrics: runtime.metrics,
      connect: nodeTransport,
      userAgent: "drover-test",
      isPair: () => true,
      host: {
        env: {},
        homeDir: undefined,
        cwd: "/",
        platform: "linux",
        isInteractive: false,
        readFile: none,
        writeFile: none,
        withFileLock: none,
        run: none,
      },
      onRequest: (request) => (outcome) => traced.push({ ...request, ...outcome }),
      ...more,
    };
    return clusterTransport(
      {
        server: server.url,
        trust: { ca: { kind: "inline", pem: server.ca } },
        credentials: { token: new Secret(server.token) },
        namespace: "default",
        ...access,
      },
      deps,
    );
  };
  const send = async (request: Partial<HttpRequest> & { readonly path: string }): Promise<HttpResponse> =>
    transport({ method: "GET", headers: request.body === undefined ? {} : { "content-type": "application/json" }, ...request });

  beforeEach((ctx) => {
    if (missing !== undefined) ctx.skip(missing);
  });
  beforeAll(async () => {
    if (missing !== undefined) return;
    server = await start();
    transport = transportAs({});
  }, 90_000);
  afterAll(async () => {
    transport?.close();
    await server?.stop();
  });

  it("verifies the server's certificate, authenticates with the token, and reads the version", async () => {
    expect(JSON.parse(await text(await send({ path: "/version" })))).toMatchObject({ major: "1" });
    const review = await send({
      method: "POST",
      path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
      body: '{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}',
    });
    expect(JSON.parse(await text(review))).toMatchObject({ status: { userInfo: { username: "admin" } } });
  });

  it("impersonates a user with several groups and an extra value", async () => {
    const other = transportAs({ impersonate: { user: "zoë", groups: ["a", "b"], extra: { "example.com/why": ["test"] } } });
    const response = await other({
      method: "POST",
      path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
      headers: { "content-type": "application/json" },
      body: '{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}',
    });
    const { status } = JSON.parse(await text(response)) as {
      readonly status: { readonly userInfo: { readonly username: string; readonly groups: string[]; readonly extra: unknown } };
    };
    expect(status.userInfo).toMatchObject({ username: "zoë", extra: { "example.com/why": ["test"] } });
    expect(status.userInfo.groups).toEqual(expect.arrayContaining(["a", "b"]));
    other.close();
  });

  it("sends a DELETE with a body and keeps the connection", async () => {
    const path = "/api/v1/namespaces/default/configmaps";
    expect((await text(await send({ method: "POST", path, body: configMap("gone", "1") }))).length).toBeGreaterThan(0);
    const deleted = await send({
      method: "DELETE",
      path: `${path}/gone`,
      body: '{"apiVersion":"v1","kind":"DeleteOptions","propagationPolicy":"Background"}',
    });
    expect(deleted.status).toBe(200);
    await text(deleted);
    const again = await send({ path: `${path}/gone` });
    expect(again.status).toBe(404);
    await text(again);
    expect(traced.at(-1)).toMatchObject({
      method: "GET",
      pathTemplate: "/api/v1/namespaces/{namespace}/configmaps/{name}",
      attempt: 1,
      status: 404,
    });
  });

  it("reads a list that the server compresses", async () => {
    const path = "/api/v1/namespaces/default/configmaps";
    for (const name of ["large-1", "large-2"]) await text(await send({ method: "POST", path, body: configMap(name, "x".repeat(200_000)) }));
    const response = await send({ path });
    const list = JSON.parse(await text(response)) as { readonly items: readonly unknown[] };
    expect(response.headers).not.toHaveProperty("content-encoding");
    expect(list.items.length).toBeGreaterThanOrEqual(2);
    const raw = await send({ path, headers: { "accept-encoding": "gzip" } });
    expect(raw.headers["content-encoding"]).toBe("gzip");
    await text(raw);
  });

  it("delivers the lines of a watch as they arrive and ends it on abort", async () => {
    const controller = new AbortController();
    const path = "/api/v1/namespaces/default/configmaps";
    const watch = await send({ path: `${path}?watch=true`, signal: controller.signal });
    const lines = (watch.body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
    expect(Buffer.from((await lines.next()).value as Uint8Array).toString()).toContain('"type":"ADDED"');
    const reason = new Error("enough");
    controller.abort(reason);
    await expect(lines.next()).rejects.toBe(reason);
  });

  it("passes on the server's warnings", async () => {
    const body =
      '{"apiVersion":"v1","kind":"Service","metadata":{"name":"warned"},"spec":{"clusterIP":"None","ports":[{"port":80}],"sessionAffinity":"ClientIP"}}';
    const response = await send({ method: "POST", path: "/api/v1/namespaces/default/services", body });
    await text(response);
    expect(response.status).toBe(201);
    expect(response.headers["warning"]).toEqual(expect.stringContaining("299 - "));
  });

  it("speaks HTTP/2: writes, compressed lists, warnings and forty watches on one connection", async () => {
    let connections = 0;
    const lookup = (): Promise<readonly string[]> => {
      connections++;
      return Promise.resolve(["127.0.0.1"]);
    };
    const shared = transportAs(
      { server: server.url.replace("127.0.0.1", "kubernetes.default.svc") },
      { http2: true, limits: { lookup }, onRequest: () => () => undefined },
    );
    const path = "/api/v1/namespaces/default/configmaps";
    const headers = { "content-type": "application/json" };
    const created = await shared({ method: "POST", path, headers, body: configMap("two", "x".repeat(200_000)) });
    expect([created.status, (await text(created)).length > 200_000]).toEqual([201, true]);
    const over = new AbortController();
    const watches = await Promise.all(
      Array.from({ length: 40 }, () => shared({ method: "GET", path: `${path}?watch=true`, headers: {}, signal: over.signal })),
    );
    const parts = watches.map(({ body }) => (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]());
    for (const part of parts) expect(Buffer.from((await part.next()).value as Uint8Array).toString()).toContain('"type":"ADDED"');
    const list = await shared({ method: "GET", path, headers: {} });
    expect((JSON.parse(await text(list)) as { readonly items: readonly unknown[] }).items.length).toBeGreaterThan(0);
    const missed = await shared({ method: "DELETE", path: `${path}/none`, headers, body: "{}" });
    expect([missed.status, JSON.parse(await text(missed))]).toMatchObject([404, { reason: "NotFound" }]);
    over.abort(new Error("enough"));
    await expect(
      Promise.any(
        parts.map(async (part) => {
          for (;;) if ((await part.next()).done === true) return;
        }),
      ),
    ).rejects.toThrow();
    expect(connections).toBe(1);
    await text(await shared({ method: "DELETE", path: `${path}/two`, headers, body: "{}" }));
    shared.close();
  });
});
