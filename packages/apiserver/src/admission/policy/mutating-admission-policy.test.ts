import { describe, expect, it } from "vitest";
import { configMapRule, createConfigMap, enactMutating, enactValidating, messageOf } from "../../testing/policy-fixture.ts";
import { testServer } from "../../testing/test-server.ts";

const applying = (expression: string) => ({ patchType: "ApplyConfiguration", applyConfiguration: { expression } });
const patching = (expression: string) => ({ patchType: "JSONPatch", jsonPatch: { expression } });

describe("MutatingAdmissionPolicy", () => {
  it("merges apply configurations and applies JSON patches in order", async () => {
    const server = await testServer();
    await enactMutating(server, {
      policy: {
        mutations: [
          applying("Object{metadata: Object.metadata{labels: {'made': 'yes'}}, data: {'a': '1'}}"),
          patching("[JSONPatch{op: 'add', path: '/data/b', value: object.data.a + '2'}, JSONPatch{op: 'remove', path: '/data/own'}]"),
        ],
      },
    });
    expect((await createConfigMap(server, "a", { data: { own: "x", kept: "y" } })).object).toMatchObject({
      metadata: { name: "a", labels: { made: "yes" } },
      data: { a: "1", b: "12", kept: "y" },
    });
  });

  it("sets defaults of what it adds", async () => {
    const server = await testServer();
    await enactMutating(server, {
      policy: {
        matchConstraints: { resourceRules: [configMapRule({ resources: ["pods"] })] },
        mutations: [applying("Object{spec: Object.spec{containers: [Object.spec.containers{name: 'b', image: 'b:1'}]}}")],
      },
    });
    const pod = { metadata: { name: "a" }, spec: { containers: [{ name: "a", image: "a:1" }] } };
    expect((await server.call("POST", "/api/v1/namespaces/default/pods", pod)).object).toMatchObject({
      spec: { containers: [{ name: "a" }, { name: "b", image: "b:1", imagePullPolicy: "IfNotPresent" }] },
    });
  });

  it("leaves the object when a test of a JSON patch fails", async () => {
    const server = await testServer();
    await enactMutating(server, {
      policy: {
        mutations: [patching("[JSONPatch{op: 'add', path: '/data/b', value: 'x'}, JSONPatch{op: 'test', path: '/data/a', value: '1'}]")],
      },
    });
    expect((await createConfigMap(server, "a", { data: { a: "2" } })).object["data"]).toEqual({ a: "2" });
    expect((await createConfigMap(server, "b", { data: { a: "1" } })).object["data"]).toEqual({ a: "1", b: "x" });
  });

  it("runs again if it asks for it, once", async () => {
    const mutations = [applying("Object{data: {'n': string((has(object.data) && has(object.data.n) ? int(object.data.n) : 0) + 1)}}")];
    for (const [reinvocationPolicy, n] of [
      ["Never", "1"],
      ["IfNeeded", "2"],
    ] as const) {
      const server = await testServer();
      await enactMutating(server, { policy: { reinvocationPolicy, mutations } });
      expect((await createConfigMap(server, "a")).object["data"]).toEqual({ n });
    }
  });

  it("runs before validating policies", async () => {
    const server = await testServer();
    await enactMutating(server, { policy: { mutations: [applying("Object{data: {'a': '1'}}")] } });
    await enactValidating(server, { policy: { validations: [{ expression: "!has(object.data.a)", message: "seen" }] } });
    expect(messageOf(await createConfigMap(server, "a"))).toContain("seen");
  });

  it("refuses with all errors, in a 403 with the reason of the first", async () => {
    const server = await testServer();
    await enactMutating(server, {
      policy: { mutations: [applying("Object{nope: 1}"), patching("[JSONPatch{op: 'remove', path: '/data/a'}]")] },
    });
    const { object } = await createConfigMap(server, "a");
    expect(object).toMatchObject({
      code: 403,
      reason: "Invalid",
      message:
        "policy 'p' with binding 'p' denied request: error applying patch: failed to convert patch object to typed object: .nope: field not declared in schema",
    });
    expect(JSON.stringify(object["details"])).toMatch(/"causes":\[\{[^}]*\.nope[^}]*\},\{[^}]*JSON Patch: /);
  });

  it("ignores errors under Ignore and keeps the other mutations", async () => {
    const server = await testServer();
    await enactMutating(server, {
      policy: {
        failurePolicy: "Ignore",
        mutations: [applying("Object{data: {'a': '1'}}"), applying("Object{nope: 1}"), applying("Object{data: {'b': '2'}}")],
      },
    });
    expect((await createConfigMap(server, "a")).object["data"]).toEqual({ a: "1", b: "2" });
  });

  it("answers 500 when a JSON patch makes something that is not of the kind", async () => {
    const server = await testServer();
    await enactMutating(server, { policy: { mutations: [patching("[JSONPatch{op: 'add', path: '/nope', value: 1}]")] } });
    expect((await createConfigMap(server, "a")).object).toMatchObject({ code: 500, reason: "InternalError" });
  });

  it("keeps a field named __proto__ from changing anything else", async () => {
    const server = await testServer();
    await enactMutating(server, { policy: { mutations: [applying("Object{data: {'__proto__': 'x', 'a': 'b'}}")] } });
    const { text } = await createConfigMap(server, "a");
    expect(text).toContain('"__proto__":"x"');
    expect(({} as { a?: string }).a).toBe(undefined);
  });
});
