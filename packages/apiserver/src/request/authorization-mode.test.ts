import type { JsonObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { alwaysAllow } from "../access/always-allow.ts";
import { testServer } from "../testing/test-server.ts";
import type { TestServer } from "../testing/test-server.ts";
import { authorizationOf } from "./authorization-mode.ts";

const roles = "/apis/rbac.authorization.k8s.io/v1";
const alice = { authorization: "Bearer alice" };
const rbacServer = (): Promise<TestServer> =>
  testServer({ authorizationModes: ["RBAC"], tokens: [{ token: "alice", user: { name: "alice", groups: ["dev"] } }] });
const clusterRole = (rules: JsonObject[]): JsonObject => ({ metadata: { name: "reader" }, rules });
const binding: JsonObject = {
  metadata: { name: "readers" },
  roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "reader" },
  subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "alice" }],
};
const readPods: JsonObject = { verbs: ["get", "list"], apiGroups: [""], resources: ["pods"] };
const pods = "/api/v1/namespaces/default/pods";
const isAllowed = async (server: TestServer): Promise<boolean> => (await server.call("GET", pods, undefined, alice)).status === 200;

describe("authorization mode RBAC", () => {
  it("refuses what no role allows, in the words of kube-apiserver (SEC7, X19)", async () => {
    const server = await rbacServer();
    const { status, object } = await server.call("GET", `${pods}/web`, undefined, alice);
    expect([status, object["message"], object["reason"]]).toEqual([
      403,
      'pods "web" is forbidden: User "alice" cannot get resource "pods" in API group "" in the namespace "default"',
      "Forbidden",
    ]);
  });

  it("decides by roles and bindings as soon as their writes are answered (SEC7, X19)", async () => {
    const server = await rbacServer();
    await server.call("POST", `${roles}/clusterrolebindings`, binding);
    const { object } = await server.call("GET", pods, undefined, alice);
    expect(object["message"]).toContain('RBAC: clusterrole.rbac.authorization.k8s.io "reader" not found');
    await server.call("POST", `${roles}/clusterroles`, clusterRole([readPods]));
    expect(await isAllowed(server)).toBe(true);
    await server.call("PUT", `${roles}/clusterroles/reader`, clusterRole([{ ...readPods, verbs: ["watch"] }]));
    expect(await isAllowed(server)).toBe(false);
    await server.call("PUT", `${roles}/clusterroles/reader`, clusterRole([readPods]));
    expect(await isAllowed(server)).toBe(true);
    await server.call("DELETE", `${roles}/clusterrolebindings/readers`);
    expect(await isAllowed(server)).toBe(false);
  });

  it("allows everything to system:masters", async () => {
    const server = await rbacServer();
    expect((await server.call("GET", pods)).status).toBe(200);
  });

  it("continues after the history was compacted, and after a snapshot was restored", async () => {
    const server = await rbacServer();
    const before = server.snapshot();
    expect(await isAllowed(server)).toBe(false);
    await server.call("POST", `${roles}/clusterroles`, clusterRole([readPods]));
    await server.call("POST", `${roles}/clusterrolebindings`, binding);
    await server.compact();
    expect(await isAllowed(server)).toBe(true);
    await server.restore(before);
    expect(await isAllowed(server)).toBe(false);
  });

  it("answers access reviews with the same decision and its reason", async () => {
    const server = await rbacServer();
    await server.call("POST", `${roles}/clusterroles`, clusterRole([readPods]));
    await server.call("POST", `${roles}/clusterrolebindings`, binding);
    const review = async (verb: string): Promise<unknown> => {
      const spec = { user: "alice", resourceAttributes: { verb, resource: "pods", namespace: "default" } };
      return (await server.call("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", { spec })).object["status"];
    };
    expect(await review("get")).toEqual({
      allowed: true,
      reason: 'RBAC: allowed by ClusterRoleBinding "readers" of ClusterRole "reader" to User "alice"',
    });
    expect(await review("delete")).toEqual({ allowed: false });
  });
});

describe("the default authorization", () => {
  it("lets callers in the same process run as a user, with its rules only", async () => {
    const server = await testServer();
    const ask = async (name: string, path: string, method = "GET"): Promise<number> =>
      (await server.handleAs({ name, groups: [] })({ method, path, headers: {} })).status;
    expect([await ask("system:kube-scheduler", "/api/v1/pods"), await ask("system:kube-scheduler", "/api/v1/secrets")]).toEqual([200, 403]);
    expect(await ask("alice", "/api")).toBe(200);
    const { body } = await server.handleAs({ name: "alice", groups: ["dev"] })({
      method: "POST",
      path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
      headers: {},
      body: "{}",
    });
    expect(body).toContain('"userInfo":{"username":"alice","groups":["dev","system:authenticated"]}');
  });

  it("opens the public endpoints to requests without credentials, and nothing else (X18, X31)", async () => {
    const server = await testServer();
    const peer = { inProcess: false, encrypted: true, remoteAddress: "127.0.0.1" };
    const ask = async (path: string): Promise<unknown> => (await server.connection(peer)({ method: "GET", path, headers: {} })).status;
    expect(await Promise.all(["/healthz", "/livez", "/readyz", "/version"].map(ask))).toEqual([200, 200, 200, 200]);
    expect(await Promise.all(["/api", "/metrics", "/api/v1/namespaces", "/"].map(ask))).toEqual([403, 403, 403, 403]);
  });

  it("accepts no anonymous requests where everybody may do everything (X18)", async () => {
    const peer = { inProcess: false, encrypted: true, remoteAddress: "127.0.0.1" };
    for (const options of [{ authorizationModes: ["AlwaysAllow"] }, { authorizer: alwaysAllow }] as const) {
      const server = await testServer(options);
      expect((await server.connection(peer)({ method: "GET", path: "/healthz", headers: {} })).status).toBe(401);
    }
  });
});

describe("authorization mode Node", () => {
  it("follows the pods of the node, as soon as their writes are answered", async () => {
    const server = await testServer();
    const secret = "/api/v1/namespaces/default/secrets/s";
    const kubelet = server.handleAs({ name: "system:node:n1", groups: ["system:nodes"] });
    const ask = async (): Promise<number> => (await kubelet({ method: "GET", path: secret, headers: {} })).status;
    await server.call("POST", "/api/v1/namespaces/default/secrets", { metadata: { name: "s" } });
    expect(await ask()).toBe(403);
    const spec = { containers: [{ name: "c", image: "i", envFrom: [{ secretRef: { name: "s" } }] }] };
    await server.call("POST", pods, { metadata: { name: "p" }, spec });
    expect(await ask()).toBe(403);
    await server.call("POST", `${pods}/p/binding`, { metadata: { name: "p" }, target: { kind: "Node", name: "n1" } });
    expect(await ask()).toBe(200);
    await server.compact();
    await server.call("DELETE", `${pods}/p?gracePeriodSeconds=0`);
    expect(await ask()).toBe(403);
  });

  it("says why a kubelet is refused", async () => {
    const server = await testServer();
    const kubelet = server.handleAs({ name: "system:node:n1", groups: ["system:nodes"] });
    const { body } = await kubelet({ method: "GET", path: pods, headers: {} });
    expect(body).toContain("can only list/watch pods with spec.nodeName field selector");
    const { status } = await kubelet({ method: "GET", path: `${pods}?fieldSelector=spec.nodeName%3Dn1`, headers: {} });
    expect(status).toBe(200);
  });
});

describe("authorizationOf", () => {
  it("refuses no modes and unknown ones", () => {
    expect(() => authorizationOf([], {} as never)).toThrow("none given");
    expect(() => authorizationOf(["Webhook" as never], {} as never)).toThrow('unknown mode "Webhook"; known are AlwaysAllow, Node, RBAC');
  });
});
