import { describe, expect, it } from "vitest";
import { createConfigMap, enactMutating, enactValidating } from "../../testing/policy-fixture.ts";
import { testServer } from "../../testing/test-server.ts";
import type { TestServer } from "../../testing/test-server.ts";

const checks = async (server: TestServer): Promise<readonly string[]> => {
  const { text } = await server.call("GET", "/metrics");
  return text.split("\n").filter((line) => /^apiserver_\w+_admission_policy_check_total\{/.test(line));
};
const line = (kind: string, labels: string, count: number): string => `apiserver_${kind}_admission_policy_check_total{${labels}} ${count}`;

describe("the metrics of policies", () => {
  it("count validations that fail by the actions of the binding, and none that succeed", async () => {
    const server = await testServer();
    await enactValidating(server, { policy: { validations: [{ expression: "object.metadata.name != 'a'" }] } });
    await enactValidating(server, {
      name: "soft",
      policy: { validations: [{ expression: "object.metadata.name != 'a'" }] },
      binding: { validationActions: ["Warn", "Audit"] },
    });
    await createConfigMap(server, "b");
    expect(await checks(server)).toEqual([]);
    await createConfigMap(server, "a");
    await createConfigMap(server, "a");
    const labels = (action: string, name: string): string =>
      `enforcement_action="${action}",error_type="invalid_error",policy="${name}",policy_binding="${name}"`;
    expect((await checks(server)).toSorted()).toEqual([
      line("validating", labels("audit", "soft"), 2),
      line("validating", labels("deny", "p"), 2),
      line("validating", labels("warn", "soft"), 2),
    ]);
    server.close();
  });

  it("count errors that the failure policy ignores as allowed", async () => {
    const server = await testServer();
    await enactValidating(server, { policy: { failurePolicy: "Ignore", validations: [{ expression: "object.nope == 1" }] } });
    expect((await createConfigMap(server, "a")).status).toBe(201);
    expect(await checks(server)).toEqual([
      line("validating", 'enforcement_action="allow",error_type="invalid_error",policy="p",policy_binding="p"', 1),
    ]);
    server.close();
  });

  it("count every mutation, with its error", async () => {
    const server = await testServer();
    const mutations = ["object.metadata.name", "object.nope"].map((value) => ({
      patchType: "JSONPatch",
      jsonPatch: { expression: `[JSONPatch{op: 'add', path: '/data', value: {'a': ${value}}}]` },
    }));
    await enactMutating(server, { policy: { mutations } });
    expect((await createConfigMap(server, "a")).status).toBe(403);
    expect((await checks(server)).toSorted()).toEqual([
      line("mutating", 'error_type="invalid_error",policy="p",policy_binding="p"', 1),
      line("mutating", 'error_type="no_error",policy="p",policy_binding="p"', 1),
    ]);
    server.close();
  });
});
