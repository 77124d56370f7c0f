import { describe, expect, it } from "vitest";
import { testServer } from "../testing/test-server.ts";

const leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
const maps = "/api/v1/namespaces/default/configmaps";
const uid = "00000000-0000-4000-8000-000000000001";

describe("PUT of an object", () => {
  it("does not create an object when the body names a uid", async () => {
    const { call } = await testServer();
    const answer = await call("PUT", `${leases}/a`, { metadata: { name: "a", uid } });
    expect(answer).toMatchObject({ status: 409, object: { reason: "Conflict" } });
    expect(answer.object["message"]).toMatch(/Key: \/registry\/leases\/default\/a, .* UID in object meta: $/);
  });
  it("in a dry run answers with the sent resourceVersion and names keys without prefix", async () => {
    const { call } = await testServer();
    expect(await call("PUT", `${leases}/a?dryRun=All`, { metadata: { name: "a", resourceVersion: "1" } })).toMatchObject({
      status: 201,
      object: { metadata: { resourceVersion: "1" } },
    });
    await call("POST", maps, { metadata: { name: "a" } });
    expect((await call("PUT", `${maps}/a?dryRun=All`, { metadata: { name: "a", uid } })).object["message"]).toContain(
      "Key: /configmaps/default/a,",
    );
  });
});
