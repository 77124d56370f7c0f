import type { PodSpec, PodTemplate } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { setPodSpecDefaults, setPodTemplateDefaults } from "./pod-spec-defaults.ts";

const made = (spec: Partial<PodSpec>): PodSpec => {
  const object: PodSpec = { containers: [], ...spec };
  setPodSpecDefaults(object);
  return object;
};

describe("defaults of a pod spec", () => {
  it("set restartPolicy, dnsPolicy, schedulerName and a grace period of 30 s", () => {
    expect(made({})).toEqual({
      containers: [],
      dnsPolicy: "ClusterFirst",
      restartPolicy: "Always",
      securityContext: {},
      terminationGracePeriodSeconds: 30,
      schedulerName: "default-scheduler",
    });
    expect(made({ terminationGracePeriodSeconds: 0, restartPolicy: "Never" })).toMatchObject({
      terminationGracePeriodSeconds: 0,
      restartPolicy: "Never",
    });
  });

  it("synchronize serviceAccount with serviceAccountName, the newer wins", () => {
    expect(made({ serviceAccount: "a" })).toMatchObject({ serviceAccount: "a", serviceAccountName: "a" });
    expect(made({ serviceAccount: "a", serviceAccountName: "b" })).toMatchObject({ serviceAccount: "b", serviceAccountName: "b" });
  });

  it("cover all containers and volumes", () => {
    const container = { name: "c" };
    const { containers, initContainers, ephemeralContainers, volumes } = made({
      containers: [{ ...container }],
      initContainers: [{ ...container }],
      ephemeralContainers: [{ ...container }],
      volumes: [{ name: "v" }],
    });
    for (const list of [containers, initContainers, ephemeralContainers])
      expect(list?.[0]).toMatchObject({ imagePullPolicy: "IfNotPresent" });
    expect(volumes).toEqual([{ name: "v", emptyDir: {} }]);
  });

  it("tolerate null containers", () => {
    expect(() => made({ containers: null as never })).not.toThrow();
  });

  it("round quantities without deriving requests from limits", () => {
    const { overhead, resources, containers } = made({
      overhead: { cpu: "1u" },
      resources: { limits: { cpu: "1u" } },
      containers: [{ name: "c", resources: { limits: { cpu: "1" } } }],
    });
    expect([overhead, resources, containers[0]?.resources]).toEqual([{ cpu: "1m" }, { limits: { cpu: "1m" } }, { limits: { cpu: "1" } }]);
  });
});

describe("defaults of a pod template", () => {
  it("drop init container annotations and do not enable service links", () => {
    const template: PodTemplate = {
      metadata: {},
      template: { metadata: { annotations: { "pod.beta.kubernetes.io/init-containers": "x" } }, spec: { containers: [] } },
    };
    setPodTemplateDefaults(template);
    expect(template.template?.metadata).toEqual({});
    expect(template.template?.spec).toEqual(made({}));
  });
});
