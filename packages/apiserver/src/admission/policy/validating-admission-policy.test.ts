import { describe, expect, it } from "vitest";
import { configMapRule, configMapsPath, createConfigMap, enactValidating, messageOf } from "../../testing/policy-fixture.ts";
import { testServer } from "../../testing/test-server.ts";

const bindings = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings";

describe("ValidatingAdmissionPolicy", () => {
  it("refuses from the next request on, and no longer after the binding is gone", async () => {
    const server = await testServer();
    await enactValidating(server, {
      policy: { validations: [{ expression: "object.metadata.name != 'a'", messageExpression: "'no ' + object.metadata.name" }] },
    });
    const refused = await createConfigMap(server, "a");
    expect(refused.status).toBe(422);
    expect(refused.object).toMatchObject({
      reason: "Invalid",
      message: `configmaps "a" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'p' denied request: no a`,
      details: {
        name: "a",
        kind: "configmaps",
        causes: [{ message: "ValidatingAdmissionPolicy 'p' with binding 'p' denied request: no a" }],
      },
    });
    expect((await createConfigMap(server, "b")).status).toBe(201);
    await server.call("DELETE", `${bindings}/p`);
    expect((await createConfigMap(server, "a")).status).toBe(201);
  });

  it("answers with the code of the validation's reason", async () => {
    const server = await testServer();
    await enactValidating(server, { policy: { validations: [{ expression: "false", reason: "Forbidden" }] } });
    expect((await createConfigMap(server, "a")).object).toMatchObject({ code: 403, reason: "Forbidden" });
  });

  it("follows changes of a policy, and what a snapshot restores", async () => {
    const server = await testServer();
    await enactValidating(server, { policy: { validations: [{ expression: "object.metadata.name != 'a'" }] } });
    const snapshot = server.snapshot();
    const path = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/p";
    const change = (name: string): Promise<unknown> =>
      server.call(
        "PATCH",
        path,
        { spec: { validations: [{ expression: `object.metadata.name != '${name}'` }] } },
        { "content-type": "application/merge-patch+json" },
      );
    await change("b");
    expect([(await createConfigMap(server, "a")).status, (await createConfigMap(server, "b")).status]).toEqual([201, 422]);
    await server.restore(snapshot);
    expect([(await createConfigMap(server, "a")).status, (await createConfigMap(server, "b")).status]).toEqual([422, 201]);
    await change("c");
    expect([(await createConfigMap(server, "c")).status, (await createConfigMap(server, "a")).status]).toEqual([422, 201]);
  });

  it("warns instead, and writes audit annotations", async () => {
    const server = await testServer();
    await enactValidating(server, {
      policy: { validations: [{ expression: "false", message: "not nice" }] },
      binding: { validationActions: ["Warn", "Audit"] },
    });
    const { status, headers } = await createConfigMap(server, "a");
    expect(status).toBe(201);
    expect(headers["warning"]).toEqual(["299 - \"Validation failed for ValidatingAdmissionPolicy 'p' with binding 'p': not nice\""]);
  });

  it("lets the failure policy decide about errors", async () => {
    const server = await testServer();
    await enactValidating(server, {
      name: "ignored",
      policy: { failurePolicy: "Ignore", validations: [{ expression: "object.nope == 1" }] },
    });
    expect((await createConfigMap(server, "a")).status).toBe(201);
    await enactValidating(server, { policy: { validations: [{ expression: "object.nope == 1" }] } });
    expect(messageOf(await createConfigMap(server, "b"))).toBe(
      `configmaps "b" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'p' denied request: expression 'object.nope == 1' resulted in error: no such key: nope`,
    );
  });

  it("evaluates once per parameter object, and refuses when required ones are missing", async () => {
    const server = await testServer();
    const paramRef = { selector: { matchLabels: { use: "limits" } }, parameterNotFoundAction: "Deny" };
    await enactValidating(server, {
      policy: {
        paramKind: { apiVersion: "v1", kind: "Secret" },
        validations: [{ expression: "object.metadata.name != params.metadata.name", messageExpression: "string(params.kind)" }],
      },
      binding: { paramRef },
    });
    expect(messageOf(await createConfigMap(server, "a"))).toContain(
      "failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction",
    );
    for (const name of ["a", "b"])
      await server.call("POST", "/api/v1/namespaces/default/secrets", { metadata: { name, labels: { use: "limits" } } });
    expect(messageOf(await createConfigMap(server, "b"))).toContain("denied request: Secret");
    expect((await createConfigMap(server, "c")).status).toBe(201);
  });

  it("refuses when the kind of parameters is not served", async () => {
    const server = await testServer();
    await enactValidating(server, {
      policy: { paramKind: { apiVersion: "x.io/v1", kind: "Limit" }, validations: [{ expression: "true" }] },
    });
    expect(messageOf(await createConfigMap(server, "a"))).toBe(
      `configmaps "a" is forbidden: ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: failed to find resource referenced by paramKind: 'x.io/v1, Kind=Limit'`,
    );
  });

  it("matches what policy and binding both match", async () => {
    const server = await testServer();
    await enactValidating(server, {
      policy: {
        matchConditions: [{ name: "not-spared", expression: "object.metadata.name != 'spared'" }],
        validations: [{ expression: "false" }],
      },
      binding: {
        matchResources: {
          objectSelector: { matchLabels: { a: "b" } },
          excludeResourceRules: [configMapRule({ resourceNames: ["excluded"] })],
        },
      },
    });
    const labelled = async (name: string): Promise<number> =>
      (await server.call("POST", configMapsPath, { metadata: { name, labels: { a: "b" } } })).status;
    expect([
      await labelled("a"),
      await labelled("spared"),
      await labelled("excluded"),
      (await createConfigMap(server, "plain")).status,
    ]).toEqual([422, 201, 201, 201]);
  });

  it("refuses deletions", async () => {
    const server = await testServer();
    await createConfigMap(server, "a");
    await enactValidating(server, {
      policy: {
        matchConstraints: { resourceRules: [configMapRule({ operations: ["DELETE"] })] },
        validations: [{ expression: "object != null || oldObject.metadata.name != 'a'" }],
      },
    });
    expect((await server.call("DELETE", `${configMapsPath}/a`)).status).toBe(422);
  });

  it("never sees policies and reviews", async () => {
    const server = await testServer();
    const all = { operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*/*"] };
    await enactValidating(server, { policy: { matchConstraints: { resourceRules: [all] }, validations: [{ expression: "false" }] } });
    expect((await createConfigMap(server, "a")).status).toBe(422);
    const review = { spec: { user: "a", nonResourceAttributes: { path: "/", verb: "get" } } };
    expect((await server.call("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", review)).status).toBe(201);
    expect((await server.call("DELETE", `${bindings}/p`)).status).toBe(200);
  });

  it("asks the authorizer", async () => {
    const server = await testServer({
      authorizer: {
        authorize: ({ verb }) => Promise.resolve({ decision: verb === "shine" ? "deny" : "allow", reason: "because" }),
        rulesFor: () => Promise.resolve({ resourceRules: [], nonResourceRules: [], incomplete: false }),
      },
    });
    await enactValidating(server, {
      policy: {
        validations: [
          { expression: "authorizer.requestResource.check('get').allowed()" },
          { expression: "authorizer.requestResource.check('shine').reason() != 'because'", message: "asked" },
        ],
      },
    });
    expect(messageOf(await createConfigMap(server, "a"))).toContain("denied request: asked");
  });
});
