import { describe, expect, it } from "vitest";
import { testServer } from "../../testing/test-server.ts";

const as = (node: string) => ({ "impersonate-user": `system:node:${node}`, "impersonate-group": "system:nodes" });
const merge = { "content-type": "application/merge-patch+json" };
const pods = "/api/v1/namespaces/default/pods";
const pod = (name: string, nodeName: string) => ({ metadata: { name }, spec: { nodeName, containers: [{ name: "c", image: "c" }] } });

/** conformance/apiserver/admission-plugins.test.ts compares all refusals with a real server. */
describe("NodeRestriction", () => {
  it("lets a node change itself and its pods only", async () => {
    const { call } = await testServer({ admissionPlugins: { enable: ["NodeRestriction"] }, authorizationModes: ["AlwaysAllow"] });
    for (const name of ["n1", "n2"]) {
      expect((await call("POST", "/api/v1/nodes", { metadata: { name } }, as(name))).status).toBe(201);
      expect((await call("POST", pods, pod(`on-${name}`, name))).status).toBe(201);
    }
    const message = async (...request: Parameters<typeof call>): Promise<unknown> => {
      const { status, object } = await call(...request);
      return status < 300 ? status : object["message"];
    };
    expect(await message("PATCH", "/api/v1/nodes/n2", { metadata: { labels: { a: "b" } } }, { ...merge, ...as("n1") })).toBe(
      'nodes "n2" is forbidden: node "n1" is not allowed to modify node "n2"',
    );
    expect(await message("PATCH", "/api/v1/nodes/n1", { metadata: { labels: { a: "b" } } }, { ...merge, ...as("n1") })).toBe(200);
    expect(await message("DELETE", `${pods}/on-n2`, undefined, as("n1"))).toContain(
      "can only delete pods with spec.nodeName set to itself",
    );
    expect(await message("PATCH", `${pods}/on-n1/status`, { status: { message: "m" } }, { ...merge, ...as("n1") })).toBe(200);
    expect(await message("POST", pods, pod("x", "n1"), as("n1"))).toContain("can only create mirror pods");
    expect(await message("POST", pods, pod("y", "n1"), { "impersonate-user": "jane", "impersonate-group": "system:nodes" })).toBe(201);
  });

  it("gives a node tokens for its pods, for audiences that they name", async () => {
    const { call } = await testServer({
      admissionPlugins: { enable: ["NodeRestriction"] },
      authorizer: {
        authorize: ({ verb }) => Promise.resolve({ decision: verb === "request-serviceaccounts-token-audience" ? "no-opinion" : "allow" }),
        rulesFor: () => Promise.resolve({ resourceRules: [], nonResourceRules: [], incomplete: false }),
      },
    });
    await call("POST", "/api/v1/namespaces/default/serviceaccounts", { metadata: { name: "robot" } });
    const volumes = [{ name: "t", projected: { sources: [{ serviceAccountToken: { audience: "vault", path: "t" } }] } }];
    const { object } = await call("POST", pods, {
      ...pod("a", "n1"),
      spec: { ...pod("a", "n1").spec, serviceAccountName: "robot", volumes },
    });
    expect(object["message"]).toBe(undefined);
    const { uid = "" } = object["metadata"] as { readonly uid?: string };
    const request = async (node: string, audience: string): Promise<unknown> => {
      const spec = { audiences: [audience], boundObjectRef: { apiVersion: "v1", kind: "Pod", name: "a", uid } };
      const { status, object: answer } = await call("POST", "/api/v1/namespaces/default/serviceaccounts/robot/token", { spec }, as(node));
      return status < 300 ? status : answer["message"];
    };
    expect(await request("n1", "vault")).toBe(201);
    expect(await request("n2", "vault")).toContain("node requested token bound to a pod scheduled on a different node");
    expect(await request("n1", "other")).toBe(
      'serviceaccounts "robot" is forbidden: audience "other" not found in pod spec volume, system:node:n1 is not authorized to request tokens for this audience',
    );
  });
});
