import type { LimitRangeItem, Pod } from "@drover/api/core/v1";
import type { JsonObject, JsonValue } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { testServer } from "../testing/test-server.ts";
import type { TestAnswer, TestServer } from "../testing/test-server.ts";
import { claimViolations, podViolations } from "./limit-constraints.ts";

type Containers = NonNullable<Pod["spec"]>["containers"];

const space = "/api/v1/namespaces/default";
const podOf = (...containers: JsonObject[]): JsonObject => ({
  metadata: { name: "p" },
  spec: { containers: containers.map((one, index) => ({ name: `c${index}`, image: "i", ...one })) },
});
const limited = async (limits: JsonObject[], test: (server: TestServer) => Promise<void>): Promise<void> => {
  const server = await testServer();
  await server.call("POST", `${space}/limitranges`, { metadata: { name: "range" }, spec: { limits } });
  await test(server);
  server.close();
};
const messageOf = ({ object }: TestAnswer): JsonValue | undefined => object["message"];

describe("LimitRanger", () => {
  it("sets what containers do not declare, and notes it", async () => {
    const range = { type: "Container", default: { cpu: "2", memory: "1Gi" }, defaultRequest: { cpu: "1" } };
    await limited([range], async ({ call }) => {
      const { object } = await call("POST", `${space}/pods`, podOf({}, { resources: { limits: { cpu: "3" } } }));
      expect(object).toMatchObject({
        metadata: {
          annotations: {
            "kubernetes.io/limit-ranger":
              "LimitRanger plugin set: cpu, memory request for container c0; cpu, memory limit for container c0; memory request for container c1; memory limit for container c1",
          },
        },
        spec: {
          containers: [
            { resources: { limits: { cpu: "2", memory: "1Gi" }, requests: { cpu: "1", memory: "1Gi" } } },
            { resources: { limits: { cpu: "3", memory: "1Gi" }, requests: { cpu: "3", memory: "1Gi" } } },
          ],
        },
      });
    });
  });

  it("refuses with every violation of the range, each once", async () => {
    await limited([{ type: "Container", max: { cpu: "1" } }], async ({ call }) => {
      const big = { resources: { limits: { cpu: "2" } } };
      const answer = await call("POST", `${space}/pods`, podOf(big, big, { resources: { limits: { cpu: "3" } } }));
      expect([answer.status, messageOf(answer)]).toEqual([
        403,
        'pods "p" is forbidden: [maximum cpu usage per Container is 1, but limit is 2, maximum cpu usage per Container is 1, but limit is 3]',
      ]);
    });
  });

  it("limits only its own namespace, and nothing after it is deleted", async () => {
    await limited([{ type: "Pod", max: { cpu: "1" } }], async ({ call }) => {
      await call("POST", "/api/v1/namespaces", { metadata: { name: "other" } });
      expect((await call("POST", "/api/v1/namespaces/other/pods", podOf({}))).status).toBe(201);
      expect((await call("POST", `${space}/pods`, podOf({}))).status).toBe(403);
      await call("DELETE", `${space}/limitranges/range`);
      expect((await call("POST", `${space}/pods`, podOf({}))).status).toBe(201);
    });
  });

  it("accepts a range without limits, which the store has as null", async () => {
    await limited([], async ({ call }) => {
      expect((await call("GET", `${space}/limitranges/range`)).object["spec"]).toEqual({ limits: null });
      expect((await call("POST", `${space}/pods`, podOf({}))).status).toBe(201);
    });
  });

  it("can be switched off", async () => {
    const { call, close } = await testServer({ admissionPlugins: { disable: ["LimitRanger"] } });
    await call("POST", `${space}/limitranges`, { metadata: { name: "range" }, spec: { limits: [{ type: "Pod", max: { cpu: "1" } }] } });
    expect((await call("POST", `${space}/pods`, podOf({}))).status).toBe(201);
    close();
  });
});

describe("limit constraints", () => {
  const pod = (containers: Containers, more: Partial<NonNullable<Pod["spec"]>> = {}): Pod => ({
    metadata: {},
    spec: { containers, ...more },
  });
  const wrong = (item: LimitRangeItem, one: Pod): string[] => podViolations({ metadata: {}, spec: { limits: [item] } }, one);
  const asks = (requests: Record<string, string>, limits: Record<string, string> = {}): Containers => [
    { name: "c", resources: { requests, limits } },
  ];

  it("compare in thousandths, and in whole units where thousandths would overflow", () => {
    expect(wrong({ type: "Container", min: { cpu: "1" } }, pod(asks({ cpu: "999m" })))).toEqual([
      "minimum cpu usage per Container is 1, but request is 999m",
    ]);
    const huge = "9223372036854776";
    expect(wrong({ type: "Container", min: { memory: huge } }, pod(asks({ memory: "9223372036854775500m" })))).toEqual([]);
  });

  it("print the ratio of limits to requests with six digits", () => {
    expect(wrong({ type: "Container", maxLimitRequestRatio: { cpu: "2" } }, pod(asks({ cpu: "3" }, { cpu: "10" })))).toEqual([
      "cpu max limit to request ratio per Container is 2, but provided ratio is 3.333333",
    ]);
  });

  it("let the cpu and memory of a pod stand for those of its containers, but not its huge pages", () => {
    const item = { type: "Pod", max: { cpu: "1", "hugepages-2Mi": "2Mi" } };
    const resources = { requests: { "hugepages-2Mi": "4Mi" }, limits: { cpu: "1", "hugepages-2Mi": "4Mi" } };
    expect(wrong(item, pod(asks({ cpu: "5" }, { cpu: "5", "hugepages-2Mi": "2Mi" }), { resources }))).toEqual([
      "maximum cpu usage per Pod is 1, but request is 5",
    ]);
  });

  it("look only at the requests of claims", () => {
    const range = { metadata: {}, spec: { limits: [{ type: "PersistentVolumeClaim", min: { storage: "1Gi" }, max: { storage: "2Gi" } }] } };
    const claim = (requests: Record<string, string>, limits: Record<string, string> = {}): string[] =>
      claimViolations(range, { metadata: {}, spec: { resources: { requests, limits } } });
    expect(claim({ storage: "1Gi" }, { storage: "9Gi" })).toEqual([]);
    expect(claim({ storage: "3Gi" })).toEqual(["maximum storage usage per PersistentVolumeClaim is 2Gi, but request is 3Gi"]);
    expect(claim({})).toEqual([
      "minimum storage usage per PersistentVolumeClaim is 1Gi.  No request is specified",
      "maximum storage usage per PersistentVolumeClaim is 2Gi.  No request is specified",
    ]);
  });
});
