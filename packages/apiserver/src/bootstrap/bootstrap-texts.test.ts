import type { JsonObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { testServer } from "../testing/test-server.ts";
import type { TestServer } from "../testing/test-server.ts";

const roles = "/apis/rbac.authorization.k8s.io/v1";
const names = async (server: TestServer, plural: string): Promise<string[]> =>
  ((await server.call("GET", `${roles}/${plural}`)).object["items"] as { metadata: { name: string } }[]).map(
    ({ metadata }) => metadata.name,
  );
const rbac = { authorizationModes: ["RBAC"] } as const;

describe("bootstrapPolicy", () => {
  it("creates the roles and bindings of kube-apiserver in mode RBAC only", async () => {
    const server = await testServer(rbac);
    expect(await names(server, "clusterroles")).toContain("system:kube-scheduler");
    expect(await names(server, "rolebindings")).toHaveLength(7);
    const { object } = await server.call("GET", `${roles}/clusterroles/cluster-admin`);
    expect(object).toMatchObject({
      metadata: { labels: { "kubernetes.io/bootstrapping": "rbac-defaults" }, creationTimestamp: "2026-01-01T00:00:00Z" },
      rules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }, { verbs: ["*"] }],
    });
    expect(await names(await testServer({ authorizationModes: ["AlwaysAllow"] }), "clusterroles")).toEqual([]);
    expect(
      await names(await testServer({ authorizer: { authorize: () => Promise.resolve({ decision: "allow" }) } as never, ...rbac }), "roles"),
    ).toEqual([]);
  });

  it("gives every object a uid of its own", async () => {
    const server = await testServer(rbac);
    const { items } = (await server.call("GET", `${roles}/clusterroles`)).object as unknown as { items: { metadata: { uid: string } }[] };
    expect(new Set(items.map(({ metadata }) => metadata.uid)).size).toBe(items.length);
  });

  it("lets users find out who they are, and the scheduler do its work", async () => {
    const server = await testServer({
      ...rbac,
      tokens: [
        { token: "alice", user: { name: "alice", groups: [] } },
        { token: "scheduler", user: { name: "system:kube-scheduler", groups: [] } },
      ],
    });
    const status = async (method: string, path: string, token: string, body?: JsonObject): Promise<number> =>
      (await server.call(method, path, body, { authorization: `Bearer ${token}` })).status;
    expect(await status("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", "alice", {})).toBe(201);
    expect(await status("GET", "/version", "alice")).toBe(200);
    expect(await status("GET", "/api/v1/pods", "alice")).toBe(403);
    expect(await status("GET", "/api/v1/pods", "scheduler")).toBe(200);
  });

  it("completes the objects of an existing store at the next start, and writes nothing if none lacks anything", async () => {
    const first = await testServer(rbac);
    const { store } = first;
    const scheduler = `${roles}/clusterroles/system:kube-scheduler`;
    const basic = `${roles}/clusterrolebindings/system:basic-user`;
    const before = (await first.call("GET", scheduler)).object["rules"] as JsonObject[];
    const own = { verbs: ["get"], apiGroups: ["example.com"], resources: ["plans"] };
    await first.call("PATCH", scheduler, { rules: [own] }, { "content-type": "application/merge-patch+json" });
    await first.call("PATCH", basic, { subjects: [] }, { "content-type": "application/merge-patch+json" });
    await first.call("DELETE", `${roles}/clusterroles/view`);
    const second = await testServer({ ...rbac, store });
    const { rules } = (await second.call("GET", scheduler)).object as unknown as { rules: JsonObject[] };
    expect(rules[0]).toEqual(own);
    expect(rules.length).toBeGreaterThan(before.length);
    expect((await second.call("GET", basic)).object["subjects"]).toMatchObject([{ kind: "Group", name: "system:authenticated" }]);
    expect((await second.call("GET", `${roles}/clusterroles/view`)).status).toBe(200);
    const revision = await store.revision();
    await testServer({ ...rbac, store });
    expect(await store.revision()).toBe(revision);
  });

  it("creates a binding anew that was made to bind another role", async () => {
    const first = await testServer(rbac);
    const path = `${roles}/clusterrolebindings/system:basic-user`;
    const { object } = await first.call("GET", path);
    await first.call("DELETE", path);
    const { roleRef, subjects } = object as unknown as { roleRef: JsonObject; subjects: JsonObject[] };
    const made = await first.call("POST", `${roles}/clusterrolebindings`, {
      metadata: { name: "system:basic-user" },
      roleRef: { ...roleRef, name: "view" },
      subjects,
    });
    expect(made.status).toBe(201);
    const second = await testServer({ ...rbac, store: first.store });
    expect((await second.call("GET", path)).object["roleRef"]).toEqual(roleRef);
  });
});
