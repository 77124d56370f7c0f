import { describe, expect, it } from "vitest";
import type { Attributes } from "../../access/authorizer.ts";
import { testServer } from "../../testing/test-server.ts";
import type { TestServer } from "../../testing/test-server.ts";

const root = "/apis/admissionregistration.k8s.io/v1";
const paramKind = { apiVersion: "v1", kind: "Secret" };
const constraints = { resourceRules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] }] };
const policy = { metadata: { name: "p" }, spec: { paramKind, matchConstraints: constraints, validations: [{ expression: "true" }] } };
const binding = {
  metadata: { name: "b" },
  spec: { policyName: "p", validationActions: ["Deny"], paramRef: { name: "s", namespace: "shop", parameterNotFoundAction: "Deny" } },
};

/** A server on which the user ann may read nothing. */
async function strictServer(): Promise<{ readonly server: TestServer; readonly asked: Attributes[] }> {
  const asked: Attributes[] = [];
  const server = await testServer({
    tokens: [{ token: "ann", user: { name: "ann", groups: ["dev"] } }],
    authorizer: {
      authorize: (attributes) => {
        const reads = attributes.user.name === "ann" && ["get", "list"].includes(attributes.verb);
        if (reads) asked.push(attributes);
        return Promise.resolve({ decision: reads ? "deny" : "allow" });
      },
      rulesFor: () => Promise.resolve({ resourceRules: [], nonResourceRules: [], incomplete: false }),
    },
  });
  return { server, asked };
}

const asAnn = { authorization: "Bearer ann" };

describe("parameters of policies", () => {
  it("must be readable by who writes the policy", async () => {
    const { server, asked } = await strictServer();
    const { status, object } = await server.call("POST", `${root}/validatingadmissionpolicies`, policy, asAnn);
    expect(status).toBe(422);
    expect(object["message"]).toMatch(
      /^ValidatingAdmissionPolicy\.admissionregistration\.k8s\.io "p" is invalid: spec\.paramKind: Forbidden: user &\{ann {2}\[dev[^\]]*\] map\[\]\} must have "get" permission on all objects of the referenced paramKind \(kind=Secret, apiVersion=v1\)$/,
    );
    expect(asked).toMatchObject([{ verb: "get", group: "", version: "v1", resource: "secrets", name: "*", namespace: "*" }]);
  });

  it("must be readable by who writes the binding", async () => {
    const { server, asked } = await strictServer();
    const missing = await server.call("POST", `${root}/validatingadmissionpolicybindings`, binding, asAnn);
    expect(missing.object["message"]).toContain(
      "spec.paramRef: Forbidden: unable to get policy p to determine minimum required permissions",
    );
    await server.call("POST", `${root}/validatingadmissionpolicies`, policy);
    const refused = await server.call("POST", `${root}/validatingadmissionpolicybindings`, binding, asAnn);
    expect(refused.object["message"]).toContain('does not have "get" permission on the object referenced by paramRef');
    expect(asked.map(({ group, resource, namespace, name }) => [group, resource, namespace, name])).toEqual([
      ["*", "*", "shop", "s"],
      ["", "secrets", "shop", "s"],
    ]);
  });

  it("do not matter to administrators, to policies without them, and to changes of something else", async () => {
    const { server } = await strictServer();
    expect((await server.call("POST", `${root}/validatingadmissionpolicies`, policy)).status).toBe(201);
    expect((await server.call("POST", `${root}/validatingadmissionpolicybindings`, binding)).status).toBe(201);
    const { paramKind: _kind, ...spec } = policy.spec;
    const plain = await server.call("POST", `${root}/validatingadmissionpolicies`, { metadata: { name: "plain" }, spec }, asAnn);
    expect(plain.status).toBe(201);
    const change = { metadata: { labels: { a: "b" } } };
    const headers = { ...asAnn, "content-type": "application/merge-patch+json" };
    expect((await server.call("PATCH", `${root}/validatingadmissionpolicies/p`, change, headers)).status).toBe(200);
  });
});
