import type { JsonObject } from "@drover/machinery";
import { beforeEach, describe, expect, it } from "vitest";
import { testServer } from "../testing/test-server.ts";
import type { TestAnswer, TestServer } from "../testing/test-server.ts";

const base = "/apis/rbac.authorization.k8s.io/v1";
const apiGroup = "rbac.authorization.k8s.io";
const rule = (resource: string, ...verbs: string[]): JsonObject => ({ verbs, apiGroups: [""], resources: [resource] });
const role = (name: string, ...rules: JsonObject[]): JsonObject => ({ metadata: { name }, rules });
const binding = (name: string, to: string, user: string): JsonObject => ({
  metadata: { name },
  roleRef: { apiGroup, kind: "ClusterRole", name: to },
  subjects: [{ apiGroup, kind: "User", name: user }],
});
const writer: JsonObject = { verbs: ["create", "update", "patch"], apiGroups: [apiGroup], resources: ["*"] };

let server: TestServer;
const asAlice = (method: string, path: string, body: JsonObject, headers = {}): Promise<TestAnswer> =>
  server.call(method, path, body, { authorization: "Bearer alice", ...headers });
const grant = async (...rules: JsonObject[]): Promise<void> => {
  await server.call("PUT", `${base}/clusterroles/alice`, role("alice", writer, ...rules));
};
const merge = { "content-type": "application/merge-patch+json" };

beforeEach(async () => {
  server = await testServer({ authorizationModes: ["RBAC"], tokens: [{ token: "alice", user: { name: "alice", groups: ["dev"] } }] });
  await grant();
  await server.call("POST", `${base}/clusterrolebindings`, binding("alice", "alice", "alice"));
});

describe("grantGuard", () => {
  it("refuses rules that the user does not hold, and names them (SEC7, X19)", async () => {
    await grant(rule("pods", "get"));
    const { status, object } = await asAlice("POST", `${base}/clusterroles`, role("x", rule("pods", "get", "list", "delete")));
    expect([status, object["message"]]).toEqual([
      403,
      `clusterroles.rbac.authorization.k8s.io "x" is forbidden: user "alice" (groups=["dev" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:
{APIGroups:[""], Resources:["pods"], Verbs:["list" "delete"]}`,
    ]);
    expect((await asAlice("POST", `${base}/clusterroles`, role("x", rule("pods", "get")))).status).toBe(201);
  });

  it("refuses them in an update, a patch and a server-side apply as well (X19)", async () => {
    await server.call("POST", `${base}/clusterroles`, role("x"));
    const wanted = role("x", rule("secrets", "get"));
    const applied = { apiVersion: `${apiGroup}/v1`, kind: "ClusterRole", ...wanted };
    const path = `${base}/clusterroles/x`;
    expect((await asAlice("PUT", path, wanted)).status).toBe(403);
    expect((await asAlice("PATCH", path, wanted, merge)).status).toBe(403);
    expect(
      (await asAlice("PATCH", `${path}?fieldManager=a&force=true`, applied, { "content-type": "application/apply-patch+yaml" })).status,
    ).toBe(403);
    expect((await asAlice("PATCH", path, { rules: [] }, merge)).status).toBe(200);
  });

  it("allows everything to those who may escalate or bind", async () => {
    await grant({ verbs: ["escalate", "bind"], apiGroups: [apiGroup], resources: ["clusterroles"] });
    expect((await asAlice("POST", `${base}/clusterroles`, role("x", rule("secrets", "*")))).status).toBe(201);
    expect((await asAlice("POST", `${base}/clusterrolebindings`, binding("x", "x", "alice"))).status).toBe(201);
    expect((await asAlice("POST", `${base}/namespaces/default/roles`, role("x", rule("configmaps", "*")))).status).toBe(403);
  });

  it("refuses to bind a role with rules that the user does not hold, and one that does not exist", async () => {
    expect((await asAlice("POST", `${base}/clusterrolebindings`, binding("x", "cluster-admin", "alice"))).status).toBe(403);
    const { status, object } = await asAlice("POST", `${base}/clusterrolebindings`, binding("x", "gone", "alice"));
    expect([status, object["message"]]).toEqual([404, 'clusterrolebindings.rbac.authorization.k8s.io "gone" not found']);
  });

  it("leaves owners and finalizers of a role to everybody who may change it", async () => {
    await server.call("POST", `${base}/clusterroles`, role("x", rule("secrets", "get")));
    const path = `${base}/clusterroles/x`;
    expect((await asAlice("PATCH", path, { metadata: { finalizers: ["example.com/x"] } }, merge)).status).toBe(200);
    expect((await asAlice("PATCH", path, { metadata: { labels: { a: "b" } } }, merge)).status).toBe(403);
  });

  it("refuses a role with too many combinations at once", async () => {
    const many = Array.from({ length: 400 }, (_, index) => `x${index}`);
    const { status, object } = await asAlice("POST", `${base}/clusterroles`, role("x", { verbs: many, apiGroups: many, resources: many }));
    expect([status, object["message"]]).toEqual([413, "the rules permit more than 100000 combinations; grant fewer, or use wildcards"]);
  });

  it("guards nothing in mode AlwaysAllow", async () => {
    server = await testServer({ authorizationModes: ["AlwaysAllow"], tokens: [{ token: "alice", user: { name: "alice", groups: [] } }] });
    expect((await asAlice("POST", `${base}/clusterroles`, role("x", rule("secrets", "*")))).status).toBe(201);
    expect((await asAlice("POST", `${base}/clusterrolebindings`, binding("x", "gone", "alice"))).status).toBe(201);
  });
});
