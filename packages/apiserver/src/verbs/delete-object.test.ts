import { describe, expect, it } from "vitest";
import { testServer } from "../testing/test-server.ts";

describe("DELETE of an object", () => {
  it("answers with the object at the revision of its deletion", async () => {
    const { call } = await testServer();
    const services = "/api/v1/namespaces/default/services";
    const { object: made } = await call("POST", services, { metadata: { name: "a" }, spec: { clusterIP: "None", ports: [{ port: 80 }] } });
    const { object } = await call("DELETE", `${services}/a`);
    const versionOf = (given: typeof object): number => Number((given["metadata"] as { readonly resourceVersion: string }).resourceVersion);
    expect(versionOf(object)).toBe(versionOf(made) + 1);
  });
});
