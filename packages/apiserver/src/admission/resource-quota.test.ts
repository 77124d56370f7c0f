import type { JsonObject, JsonValue } from "@drover/machinery";
import { isJsonObject } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { testServer } from "../testing/test-server.ts";
import type { TestServer } from "../testing/test-server.ts";

const space = "/api/v1/namespaces/default";
const quotaPath = `${space}/resourcequotas`;
const merge = { "content-type": "application/merge-patch+json" };
type Amounts = Readonly<Record<string, string>>;

/** Plays the controller: creates a quota and says what is used. */
async function quota({ call }: TestServer, name: string, hard: Amounts, used: Amounts = {}): Promise<void> {
  const zeros = Object.fromEntries(Object.keys(hard).map((resource) => [resource, "0"]));
  await call("POST", quotaPath, { metadata: { name }, spec: { hard } });
  await call("PATCH", `${quotaPath}/${name}/status`, { status: { hard, used: { ...zeros, ...used } } }, merge);
}
async function usedOf({ call }: TestServer, name: string): Promise<JsonValue | undefined> {
  const { status } = (await call("GET", `${quotaPath}/${name}`)).object;
  return isJsonObject(status) ? status["used"] : undefined;
}
const configMap = (name: string): JsonObject => ({ metadata: { name } });

describe("ResourceQuota", () => {
  it("reserves with each creation, and refuses what would be too much", async () => {
    const server = await testServer();
    await quota(server, "q", { configmaps: "1" });
    expect((await server.call("POST", `${space}/configmaps`, configMap("a"))).status).toBe(201);
    const { status, object } = await server.call("POST", `${space}/configmaps`, configMap("b"));
    expect([status, object["message"]]).toEqual([
      403,
      'configmaps "b" is forbidden: exceeded quota: q, requested: configmaps=1, used: configmaps=1, limited: configmaps=1',
    ]);
    expect(await usedOf(server, "q")).toEqual({ configmaps: "1" });
    server.close();
  });

  it("owns what it has reserved, as kube-apiserver", async () => {
    const server = await testServer();
    await quota(server, "q", { configmaps: "1" });
    await server.call("POST", `${space}/configmaps`, configMap("a"));
    const { object } = await server.call("GET", `${quotaPath}/q`);
    expect((object["metadata"] as JsonObject)["managedFields"]).toContainEqual(
      expect.objectContaining({
        manager: "kube-apiserver",
        operation: "Update",
        subresource: "status",
        fieldsV1: { "f:status": { "f:used": { "f:configmaps": {} } } },
      }),
    );
    server.close();
  });

  it("reserves nothing for a dry run, and nothing for what it refuses", async () => {
    const server = await testServer();
    await quota(server, "a", { configmaps: "5" });
    await quota(server, "b", { "count/configmaps": "0" });
    await server.call("POST", `${space}/configmaps?dryRun=All`, configMap("a"));
    expect((await server.call("POST", `${space}/configmaps`, configMap("a"))).status).toBe(403);
    expect([await usedOf(server, "a"), await usedOf(server, "b")]).toEqual([{ configmaps: "0" }, { "count/configmaps": "0" }]);
    server.close();
  });

  it("counts custom resources", async () => {
    const server = await testServer();
    const names = { plural: "widgets", kind: "Widget" };
    const schema = { openAPIV3Schema: { type: "object" } };
    await server.call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
      metadata: { name: "widgets.example.com" },
      spec: { group: "example.com", scope: "Namespaced", names, versions: [{ name: "v1", served: true, storage: true, schema }] },
    });
    await quota(server, "q", { "count/widgets.example.com": "1" });
    const create = async (name: string): Promise<number> =>
      (
        await server.call("POST", "/apis/example.com/v1/namespaces/default/widgets", {
          apiVersion: "example.com/v1",
          kind: "Widget",
          metadata: { name },
        })
      ).status;
    expect([await create("a"), await create("b")]).toEqual([201, 403]);
    server.close();
  });

  it("can be switched off", async () => {
    const server = await testServer({ admissionPlugins: { disable: ["ResourceQuota"] } });
    await quota(server, "q", { configmaps: "0" });
    expect((await server.call("POST", `${space}/configmaps`, configMap("a"))).status).toBe(201);
    server.close();
  });

  it("is never exceeded by many writers at once, with several quotas, and counts exactly what was stored", async () => {
    const write = fc.record({
      verb: fc.constantFrom("create", "create", "dry", "delete"),
      kind: fc.constantFrom("configmaps", "services"),
      name: fc.integer({ min: 0, max: 30 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(write, { maxLength: 12 }), { minLength: 2, maxLength: 5 }), async (writers) => {
        const server = await testServer();
        await quota(server, "a", { configmaps: "4", services: "3" });
        await quota(server, "b", { "count/configmaps": "5", "count/services": "2" });
        let accepted = { configmaps: 0, services: 0 };
        let refused = 0;
        let exists = 0;
        const play = async (writes: (typeof writers)[number]): Promise<void> => {
          for (const { verb, kind, name } of writes) {
            const path = `${space}/${kind}`;
            const body = kind === "services" ? { metadata: { name: `n${name}` }, spec: { ports: [{ port: 1 }] } } : configMap(`n${name}`);
            const { status } =
              verb === "delete"
                ? await server.call("DELETE", `${path}/n${name}`)
                : await server.call("POST", `${path}${verb === "dry" ? "?dryRun=All" : ""}`, body);
            if (verb !== "create") continue;
            if (status === 403) refused++;
            // What was reserved for a name that is taken stays reserved, as with kube-apiserver.
            else if (status === 409) exists++;
            if (status === 201 || status === 409) accepted = { ...accepted, [kind]: accepted[kind] + 1 };
          }
        };
        await Promise.all(writers.map(play));
        const used = { ...accepted };
        expect(await usedOf(server, "a")).toEqual({ configmaps: String(used.configmaps), services: String(used.services) });
        expect(await usedOf(server, "b")).toEqual({ "count/configmaps": String(used.configmaps), "count/services": String(used.services) });
        expect(used.configmaps).toBeLessThanOrEqual(4);
        expect(used.services).toBeLessThanOrEqual(2);
        const creations = writers.flat().filter(({ verb }) => verb === "create").length;
        expect(accepted.configmaps + accepted.services + refused).toBe(creations);
        expect(exists).toBeLessThanOrEqual(6);
        server.close();
      }),
      { numRuns: 30 },
    );
  });
});
