import { describe, expect, it } from "vitest";
import { testServer } from "../testing/test-server.ts";

const pod = (spec: object) => ({ metadata: { name: "a" }, spec: { containers: [{ name: "c", image: "c" }], ...spec } });

describe("RuntimeClass", () => {
  it("gives pods the overhead and the scheduling of their class, and refuses what contradicts it", async () => {
    const { call } = await testServer();
    await call("POST", "/apis/node.k8s.io/v1/runtimeclasses", {
      metadata: { name: "kata" },
      handler: "kata",
      overhead: { podFixed: { cpu: "250m" } },
      scheduling: { nodeSelector: { disk: "ssd" }, tolerations: [{ key: "k", operator: "Exists" }] },
    });
    const create = (spec: object) => call("POST", "/api/v1/namespaces/default/pods?dryRun=All", pod(spec));
    const made = (await create({ runtimeClassName: "kata", nodeSelector: { a: "b" } })).object["spec"] as Readonly<Record<string, unknown>>;
    expect(made["overhead"]).toEqual({ cpu: "250m" });
    expect(made["nodeSelector"]).toEqual({ a: "b", disk: "ssd" });
    expect(made["tolerations"]).toContainEqual({ key: "k", operator: "Exists" });
    const message = async (spec: object): Promise<unknown> => (await create(spec)).object["message"];
    expect(await message({ runtimeClassName: "gone" })).toBe('pods "a" is forbidden: pod rejected: RuntimeClass "gone" not found');
    expect(await message({ runtimeClassName: "kata", overhead: { cpu: "1" } })).toContain("doesn't match RuntimeClass's defined Overhead");
    expect(await message({ overhead: { cpu: "1" } })).toContain("Pod Overhead set without corresponding RuntimeClass");
    expect(await message({ runtimeClassName: "kata", nodeSelector: { disk: "hdd" } })).toContain(
      "conflict: runtimeClass.scheduling.nodeSelector[disk] = ssd; pod.spec.nodeSelector[disk] = hdd",
    );
    expect((await create({ runtimeClassName: "kata", overhead: { cpu: "0.25" } })).status).toBe(201);
  });
});
