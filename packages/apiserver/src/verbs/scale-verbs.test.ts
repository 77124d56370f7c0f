import { describe, expect, it } from "vitest";
import { testServer } from "../testing/test-server.ts";

const deployments = "/apis/apps/v1/namespaces/default/deployments";
const uid = "00000000-0000-4000-8000-000000000001";

describe("PUT of a Scale", () => {
  it("with another uid is refused by the store", async () => {
    const { call } = await testServer();
    const spec = {
      selector: { matchLabels: { a: "b" } },
      template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "c" }] } },
    };
    await call("POST", deployments, { metadata: { name: "a" }, spec });
    const scale = { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name: "a", uid }, spec: { replicas: 2 } };
    const answer = await call("PUT", `${deployments}/a/scale`, scale);
    expect(answer.status).toBe(409);
    expect(answer.object["message"]).toContain("StorageError: invalid object, Code: 4, Key: /registry/deployments/default/a, ");
  });
});
