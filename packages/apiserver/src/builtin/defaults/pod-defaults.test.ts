import type { Pod, PodSpec, PodStatus } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { setPodDefaults } from "./pod-defaults.ts";

const made = (
  spec: Partial<PodSpec>,
  status: PodStatus = {},
): { readonly spec: PodSpec | undefined; readonly status: PodStatus | undefined } => {
  const pod: Pod = { metadata: {}, spec: { containers: [], ...spec }, status };
  setPodDefaults(pod);
  return { spec: pod.spec, status: pod.status };
};

describe("defaults of Pod", () => {
  it("set requests to limits, except in ephemeral containers", () => {
    const resources = { limits: { cpu: "1", memory: "1u" }, requests: { cpu: "500m" } };
    const filled = { limits: { cpu: "1", memory: "1m" }, requests: { cpu: "500m", memory: "1m" } };
    const { spec } = made({
      containers: [{ name: "c", resources: structuredClone(resources) }],
      initContainers: [{ name: "i", resources: structuredClone(resources) }],
    });
    expect([spec?.containers[0]?.resources, spec?.initContainers?.[0]?.resources]).toEqual([filled, filled]);
  });

  it("enable service links", () => {
    expect(made({}).spec?.enableServiceLinks).toBe(true);
    expect(made({ enableServiceLinks: false }).spec?.enableServiceLinks).toBe(false);
  });

  it("set host ports with host networking", () => {
    const containers = [{ name: "c", ports: [{ containerPort: 80 }, { containerPort: 81, hostPort: 8081 }, { containerPort: 0 }] }];
    expect(
      made({ hostNetwork: true, containers: structuredClone(containers) }).spec?.containers[0]?.ports?.map(({ hostPort }) => hostPort),
    ).toEqual([80, 8081, undefined]);
    expect(made({ containers }).spec?.containers[0]?.ports?.[0]?.hostPort).toBeUndefined();
  });

  it("replace a negative grace period with one second", () => {
    expect(made({ terminationGracePeriodSeconds: -5 }).spec?.terminationGracePeriodSeconds).toBe(1);
    expect(made({ terminationGracePeriodSeconds: 0 }).spec?.terminationGracePeriodSeconds).toBe(0);
  });

  it("synchronize podIP with podIPs, podIP wins", () => {
    expect(made({}, { podIP: "1.1.1.1" }).status).toEqual({ podIP: "1.1.1.1", podIPs: [{ ip: "1.1.1.1" }] });
    expect(made({}, { podIPs: [{ ip: "2.2.2.2" }, { ip: "::1" }] }).status?.podIP).toBe("2.2.2.2");
    expect(made({}, { podIP: "1.1.1.1", podIPs: [{ ip: "2.2.2.2" }, { ip: "::1" }] }).status?.podIPs).toEqual([{ ip: "1.1.1.1" }]);
    expect(made({}, { podIP: "2.2.2.2", podIPs: [{ ip: "2.2.2.2" }, { ip: "::1" }] }).status?.podIPs).toHaveLength(2);
  });

  it("round quantities in the status", () => {
    const status = {
      name: "c",
      image: "",
      imageID: "",
      ready: true,
      restartCount: 0,
      allocatedResources: { cpu: "1u" },
      resources: { limits: { cpu: "1u" } },
    };
    expect(made({}, { containerStatuses: [status] }).status?.containerStatuses?.[0]).toMatchObject({
      allocatedResources: { cpu: "1m" },
      resources: { limits: { cpu: "1m" } },
    });
  });
});
