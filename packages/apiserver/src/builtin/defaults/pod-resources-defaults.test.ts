import type { Container, PodSpec, ResourceRequirements } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { setPodResourcesDefaults } from "./pod-resources-defaults.ts";

type Lists = Pick<ResourceRequirements, "limits" | "requests">;
const container = (resources: Lists, more: Partial<Container> = {}): Container => ({ name: "c", resources, ...more });
const made = (resources: Lists | undefined, ...containers: Container[]): PodSpec["resources"] => {
  const spec: PodSpec = {
    containers: containers.filter(({ name }) => name === "c"),
    initContainers: containers.filter(({ name }) => name === "i"),
    ...(resources === undefined ? {} : { resources }),
  };
  setPodResourcesDefaults(spec);
  return spec.resources;
};

describe("defaults of pod-level resources", () => {
  it("are not set if the pod has none", () => {
    expect(made(undefined, container({ requests: { cpu: "1" } }))).toBeUndefined();
    expect(made({}, container({ limits: { "hugepages-2Mi": "2Mi" } }))).toEqual({});
    expect(made({ requests: { cpu: "1" } })).toEqual({ requests: { cpu: "1" } });
  });

  it("set requests to the sum of the containers", () => {
    expect(
      made({ limits: { cpu: "4" } }, container({ requests: { cpu: "500m", memory: "1Gi" } }), container({ requests: { cpu: "1" } })),
    ).toEqual({ limits: { cpu: "4" }, requests: { cpu: "1500m", memory: "1Gi" } });
  });

  it("set requests to limits where no container requests the resource", () => {
    expect(made({ limits: { cpu: "4", memory: "1Gi", "example.com/x": "1" } }, container({ requests: { cpu: "1" } }))).toEqual({
      limits: { cpu: "4", memory: "1Gi", "example.com/x": "1" },
      requests: { cpu: "1", memory: "1Gi" },
    });
  });

  it("copy hugepage limits of the containers unless requests are set", () => {
    const huge = { "hugepages-2Mi": "2Mi" };
    expect(made({ requests: { cpu: "1" } }, container({ limits: huge }))).toEqual({ limits: huge, requests: { cpu: "1", ...huge } });
    expect(made({ requests: { "hugepages-2Mi": "4Mi" } }, container({ limits: huge }))).toEqual({ requests: { "hugepages-2Mi": "4Mi" } });
  });

  it("count an init container that needs more, with earlier sidecars", () => {
    const init = (cpu: string, sidecar = false): Container =>
      container({ requests: { cpu } }, { name: "i", ...(sidecar ? { restartPolicy: "Always" } : {}) });
    expect(made({ limits: { cpu: "9" } }, container({ requests: { cpu: "1" } }), init("3"))?.requests).toEqual({ cpu: "3" });
    expect(made({ limits: { cpu: "9" } }, container({ requests: { cpu: "1" } }), init("1", true), init("3"))?.requests).toEqual({
      cpu: "4",
    });
    expect(made({ limits: { cpu: "9" } }, container({ requests: { cpu: "5" } }), init("1", true), init("3"))?.requests).toEqual({
      cpu: "6",
    });
  });
});
