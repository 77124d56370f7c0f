import type { JsonObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
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
  it("refuses what no role allows, in the words of kube-apiserver", async () => {
    const server = await rbacServer();
    const { status, object } = await server.call("GET", `${pods}/web`, undefined, alice);
    expect([status, object["message"], object["reason"]]).toEqual([
      403,
      'pods "web" is forbidden: User "alice" cannot get resource "pods" in API group "" in the namespace "default"',
      "Forbidden",
    ]);
  });

  it("decides by roles and bindings as soon as their writes are answered", async () => {
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

describe("authorizationOf", () => {
  it("refuses no modes and unknown ones", () => {
    expect(() => authorizationOf([], {} as never)).toThrow("none given");
    expect(() => authorizationOf(["Webhook" as never], {} as never)).toThrow('unknown mode "Webhook"; known are AlwaysAllow, RBAC');
  });
});
