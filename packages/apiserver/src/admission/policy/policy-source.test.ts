import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { configMapRule, createConfigMap } from "../../testing/policy-fixture.ts";
import { testServer } from "../../testing/test-server.ts";

const root = "/apis/admissionregistration.k8s.io/v1";
const name = fc.constantFrom("a", "b", "c");
/** Policies by name; the denied name of a ConfigMap. Bindings by name; the name of their policy. */
const change = fc.oneof(
  fc.record({ kind: fc.constant("policy" as const), name, denied: name }),
  fc.record({ kind: fc.constant("binding" as const), name, policy: name }),
  fc.record({ kind: fc.constantFrom("no policy" as const, "no binding" as const), name }),
  fc.record({ kind: fc.constant("try" as const), name }),
);

describe("PolicySource", () => {
  it("has the effect of the policies and bindings that exist, after any sequence of writes", async () => {
    const server = await testServer();
    const put = async (plural: string, id: string, spec: object): Promise<void> => {
      const path = `${root}/${plural}`;
      const old = await server.call("GET", `${path}/${id}`);
      const body = { metadata: old.status === 200 ? (old.object["metadata"] ?? null) : { name: id }, spec: spec as never };
      const { status, text } = old.status === 200 ? await server.call("PUT", `${path}/${id}`, body) : await server.call("POST", path, body);
      expect(status, text).toBeLessThan(300);
    };
    const policies = new Map<string, string>();
    const bindings = new Map<string, string>();
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
        for (const each of changes) {
          if (each.kind === "policy") {
            await put("validatingadmissionpolicies", each.name, {
              failurePolicy: "Fail",
              matchConstraints: {
                matchPolicy: "Exact",
                namespaceSelector: {},
                objectSelector: {},
                resourceRules: [{ ...configMapRule(), scope: "*" }],
              },
              validations: [{ expression: `object.metadata.name != '${each.denied}'` }],
            });
            policies.set(each.name, each.denied);
          } else if (each.kind === "binding") {
            await put("validatingadmissionpolicybindings", each.name, { policyName: each.policy, validationActions: ["Deny"] });
            bindings.set(each.name, each.policy);
          } else if (each.kind === "try") {
            const isDenied = [...bindings.values()].some((policy) => policies.get(policy) === each.name);
            const { status } = await server.call("POST", "/api/v1/namespaces/default/configmaps?dryRun=All", {
              metadata: { name: each.name },
            });
            expect(status).toBe(isDenied ? 422 : 201);
          } else {
            const plural = each.kind === "no policy" ? "validatingadmissionpolicies" : "validatingadmissionpolicybindings";
            await server.call("DELETE", `${root}/${plural}/${each.name}`);
            (each.kind === "no policy" ? policies : bindings).delete(each.name);
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  it("lets other requests pass when there are no policies", async () => {
    const server = await testServer();
    expect((await createConfigMap(server, "a")).status).toBe(201);
  });
});
