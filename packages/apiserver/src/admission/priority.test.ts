import { describe, expect, it } from "vitest";
import { testServer } from "../testing/test-server.ts";

const classes = "/apis/scheduling.k8s.io/v1/priorityclasses";
const pod = (spec: object = {}) => ({ metadata: { name: "a" }, spec: { containers: [{ name: "c", image: "c" }], ...spec } });

describe("Priority", () => {
  it("gives pods the number of their class, or of the default one", async () => {
    const { call } = await testServer();
    const create = async (spec: object = {}): Promise<unknown> => {
      const { object } = await call("POST", "/api/v1/namespaces/default/pods?dryRun=All", pod(spec));
      const { priorityClassName, priority, preemptionPolicy } = (object["spec"] ?? {}) as Readonly<Record<string, unknown>>;
      return object["message"] ?? [priorityClassName, priority, preemptionPolicy];
    };
    expect(await create()).toEqual([undefined, 0, "PreemptLowerPriority"]);
    expect(await create({ priorityClassName: "gone" })).toBe('pods "a" is forbidden: no PriorityClass with name gone was found');
    await call("POST", classes, { metadata: { name: "usual" }, value: 7, globalDefault: true, preemptionPolicy: "Never" });
    expect(await create()).toEqual(["usual", 7, "Never"]);
    expect(await create({ priority: 8 })).toContain("the integer value of priority (8) must not be provided in pod spec");
    await call("DELETE", `${classes}/usual`);
    expect(await create()).toEqual([undefined, 0, "PreemptLowerPriority"]);
  });

  it("allows one default class", async () => {
    const { call } = await testServer();
    await call("POST", classes, { metadata: { name: "usual" }, value: 7, globalDefault: true });
    const { status, object } = await call("POST", classes, { metadata: { name: "other" }, value: 8, globalDefault: true });
    expect([status, object["message"]]).toEqual([
      403,
      'priorityclasses.scheduling.k8s.io "other" is forbidden: PriorityClass usual is already marked as default. Only one default can exist',
    ]);
    const patch = { "content-type": "application/merge-patch+json" };
    expect((await call("PATCH", `${classes}/usual`, { description: "d" }, patch)).status).toBe(200);
  });
});
