/** A new cluster in mode RBAC: what a real server creates and says of itself, compared with ours. */
import { createApiServer } from "@drover/apiserver";
import type { ApiServer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { decodeJson } from "@drover/machinery";
import type { HttpBody, HttpHeaders, JsonObject } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gnosticV3Document } from "../../packages/apiserver/src/openapi/gnostic-v3-document.ts";
import { realServerMissing, startRealServer } from "../servers/real-server.ts";
import type { RealServer } from "../servers/real-server.ts";
import { realTransport } from "../servers/real-transport.ts";

interface Item {
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly uid: string };
}

const itemsOf = (text: string): readonly Item[] => (JSON.parse(text) as { readonly items: readonly Item[] }).items;

/** Without what differs between any two clusters. */
const masked = (text: string): string =>
  text.replaceAll(/"(?:uid|resourceVersion|creationTimestamp|time|lastTransitionTime)":"[^"]*"/g, '"masked":""');

async function gathered(body: HttpBody): Promise<Buffer> {
  if (typeof body === "string" || body instanceof Uint8Array) return Buffer.from(body as Uint8Array);
  const pieces: Buffer[] = [];
  for await (const piece of body) pieces.push(Buffer.from(piece as Uint8Array));
  return Buffer.concat(pieces);
}

const flowControl = "/apis/flowcontrol.apiserver.k8s.io/v1";

describe.skipIf(realServerMissing !== undefined)("a new cluster in mode RBAC", () => {
  let real: RealServer;
  let ours: ApiServer;
  beforeAll(async () => {
    real = await startRealServer();
    ours = await createApiServer({ runtime: testRuntime(), host: nodeHost, authorizationModes: ["RBAC"], serviceCidr: "10.0.0.0/24" });
  }, 120_000);
  afterAll(() => real.stop());

  const get = async (
    path: string,
    headers: Record<string, string> = {},
  ): Promise<{ readonly body: string; readonly headers: HttpHeaders }> => {
    const answer = await ours.handle({ method: "GET", path, headers });
    return { body: answer.body as string, headers: answer.headers };
  };

  it.each([
    ...["clusterroles", "clusterrolebindings", "roles", "rolebindings"].map(
      (resource) => `/apis/rbac.authorization.k8s.io/v1/${resource}?labelSelector=kubernetes.io/bootstrapping%3Drbac-defaults`,
    ),
    `${flowControl}/flowschemas`,
    `${flowControl}/prioritylevelconfigurations`,
    "/apis/apiregistration.k8s.io/v1/apiservices",
  ])("has the same objects, managed fields included: %s", async (path) => {
    expect(itemsOf(masked((await get(path)).body))).toEqual(itemsOf(masked((await real.send({ method: "GET", path })).body)));
  });

  it("registers a custom group version as the real server does", async () => {
    const crd = {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "tests.bootstrap.example.com" },
      spec: {
        group: "bootstrap.example.com",
        scope: "Cluster",
        names: { plural: "tests", kind: "Test" },
        versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
      },
    };
    const post = {
      method: "POST",
      path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(crd),
    };
    await ours.handle(post);
    await real.send(post);
    const path = "/apis/apiregistration.k8s.io/v1/apiservices/v1.bootstrap.example.com";
    await expect.poll(async () => (await real.send({ method: "GET", path })).body, { timeout: 30_000 }).toContain('"conditions"');
    expect(masked((await get(path)).body)).toBe(masked((await real.send({ method: "GET", path })).body));
  });

  it.each([
    ["/api/v1/pods", {}],
    ["/api/v1/pods", { "impersonate-user": "alice" }],
    ["/version", { "impersonate-user": "alice" }],
    ["/healthz", { "impersonate-user": "alice" }],
    ["/readyz/ping", { "impersonate-user": "alice" }],
    ["/api/v1/nodes", { "impersonate-user": "system:node:n", "impersonate-group": "system:nodes" }],
    ["/api/v1/namespaces/a/pods/b/status", { "impersonate-user": "system:node:n", "impersonate-group": "system:nodes" }],
    [
      "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/n",
      { "impersonate-user": "system:node:n", "impersonate-group": "system:nodes" },
    ],
    ["/api/v1/pods", { "impersonate-user": "system:kube-controller-manager" }],
    ["/api/v1/pods", { "impersonate-user": "system:kube-scheduler" }],
    ["/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/x", { "impersonate-user": "system:kube-scheduler" }],
    ["/api/v1/pods", { "impersonate-user": "system:serviceaccount:kube-system:robot" }],
    ["/api/v1/pods", { "impersonate-user": "system:serviceaccount:default:robot" }],
    ["/apis/nope.example.com/v1/things", { "impersonate-user": "alice" }],
    ["/api/v1/namespaces/a/pods/b/log", {}],
  ])("classifies GET %s as %j into the same flow schema and priority level", async (path, headers) => {
    const named = async (
      read: (path: string) => Promise<string>,
      answered: Readonly<Record<string, unknown>>,
    ): Promise<readonly (string | undefined)[]> => {
      const name = async (plural: string, uid: unknown): Promise<string | undefined> =>
        itemsOf(await read(`${flowControl}/${plural}`)).find(({ metadata }) => metadata.uid === uid)?.metadata.name;
      return [
        await name("flowschemas", answered["x-kubernetes-pf-flowschema-uid"]),
        await name("prioritylevelconfigurations", answered["x-kubernetes-pf-prioritylevel-uid"]),
      ];
    };
    const theirs = await real.send({ method: "GET", path, headers });
    expect(await named(async (at) => (await get(at)).body, (await get(path, headers)).headers)).toEqual(
      await named(async (at) => (await real.send({ method: "GET", path: at })).body, theirs.headers),
    );
  });

  it.each(["livez", "readyz", "healthz"])("has the same checks at %s", async (endpoint) => {
    const path = `/${endpoint}?verbose`;
    expect((await get(path)).body).toBe((await real.send({ method: "GET", path })).body);
  });

  it("encodes OpenAPI v3 documents as the real server does", async () => {
    const { clock, log } = testRuntime();
    const sockets = realTransport(real, { clock, log });
    const { paths } = JSON.parse((await real.send({ method: "GET", path: "/openapi/v3" })).body) as { paths: Record<string, unknown> };
    for (const name of Object.keys(paths)) {
      const path = `/openapi/v3/${name}`;
      const document = decodeJson((await real.send({ method: "GET", path })).body) as JsonObject;
      const accept = "application/com.github.proto-openapi.spec.v3@v1.0+protobuf";
      const { body } = await sockets({ method: "GET", path, headers: { accept } });
      const bytes = await gathered(body);
      expect(Buffer.from(gnosticV3Document(document)).equals(bytes), name).toBe(true);
    }
    sockets.close();
  });

  it("does not bring back a local APIService that is deleted", async () => {
    const path = "/apis/apiregistration.k8s.io/v1/apiservices/v1.events.k8s.io";
    await ours.handle({ method: "DELETE", path, headers: {} });
    await real.send({ method: "DELETE", path });
    const post = {
      method: "POST",
      path: "/api/v1/namespaces",
      headers: { "content-type": "application/json" },
      body: '{"metadata":{"name":"later"}}',
    };
    await real.send(post);
    expect((await real.send({ method: "GET", path })).status).toBe(404);
    expect((await ours.handle({ method: "GET", path, headers: {} })).status).toBe(404);
  });
});
