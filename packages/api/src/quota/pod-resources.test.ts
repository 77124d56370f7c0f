import { describe, expect, it } from "vitest";
import type { Pod } from "../core/v1.ts";
import { printAmounts } from "./amounts.ts";
import { hasPodLevelResources, podResources } from "./pod-resources.ts";

const asking = (cpu: string): NonNullable<Pod["spec"]> => ({
  containers: [{ name: "c", resources: { requests: { cpu }, limits: { cpu } } }],
});
const requests = (pod: Omit<Pod, "metadata">): string => printAmounts(podResources({ metadata: {}, ...pod }, "requests"));
const limits = (pod: Omit<Pod, "metadata">): string => printAmounts(podResources({ metadata: {}, ...pod }, "limits"));

describe("podResources", () => {
  it("takes pod-level resources instead of the sum, if they can be set there", () => {
    const resources = { requests: { cpu: "3", "hugepages-2Mi": "4Mi", "example.com/gpu": "1" }, limits: { memory: "1Gi" } };
    expect(requests({ spec: { ...asking("1"), resources } })).toBe("cpu=3,hugepages-2Mi=4Mi");
    expect(limits({ spec: { ...asking("1"), resources } })).toBe("cpu=1,memory=1Gi");
  });

  it("adds overhead to requests, and to limits that are not zero", () => {
    const spec = { ...asking("1"), overhead: { cpu: "100m", memory: "1Mi" } };
    expect([requests({ spec }), limits({ spec })]).toEqual(["cpu=1100m,memory=1Mi", "cpu=1100m"]);
  });

  it("counts the most of what a container wants, has and gets while it is resized", () => {
    const status = {
      containerStatuses: [
        {
          name: "c",
          image: "",
          imageID: "",
          ready: true,
          restartCount: 0,
          resources: { requests: { cpu: "2" }, limits: { cpu: "2" } },
          allocatedResources: { cpu: "3" },
        },
      ],
    };
    const pending = (reason: string): NonNullable<Pod["status"]> => ({
      ...status,
      conditions: [{ type: "PodResizePending", status: "True", reason }],
    });
    expect([requests({ spec: asking("1"), status }), limits({ spec: asking("1"), status })]).toEqual(["cpu=3", "cpu=2"]);
    expect(requests({ spec: asking("4"), status: pending("Deferred") })).toBe("cpu=4");
    expect(requests({ spec: asking("4"), status: pending("Infeasible") })).toBe("cpu=3");
    expect(limits({ spec: asking("4"), status: pending("Infeasible") })).toBe("cpu=2");
  });

  it("uses the status of sidecars, and not that of init containers that end", () => {
    const resources = { requests: { cpu: "5" } };
    const status = {
      initContainerStatuses: ["s", "i"].map((name) => ({ name, image: "", imageID: "", ready: true, restartCount: 0, resources })),
    };
    const container = (name: string, restartPolicy?: "Always"): NonNullable<NonNullable<Pod["spec"]>["initContainers"]>[number] => ({
      name,
      resources: { requests: { cpu: "1" } },
      ...(restartPolicy === undefined ? {} : { restartPolicy }),
    });
    expect(requests({ spec: { ...asking("1"), initContainers: [container("i")] }, status })).toBe("cpu=1");
    expect(requests({ spec: { ...asking("1"), initContainers: [container("s", "Always")] }, status })).toBe("cpu=6");
  });
});

describe("hasPodLevelResources", () => {
  it("needs a resource that can be set at pod level", () => {
    const pod = (resources: NonNullable<Pod["spec"]>["resources"]): Pod => ({
      metadata: {},
      spec: { containers: [], ...(resources === undefined ? {} : { resources }) },
    });
    expect([{ limits: { cpu: "1" } }, { requests: { "hugepages-1Gi": "1Gi" } }].map((one) => hasPodLevelResources(pod(one)))).toEqual([
      true,
      true,
    ]);
    expect([undefined, {}, { limits: { "example.com/gpu": "1" } }].map((one) => hasPodLevelResources(pod(one)))).toEqual([
      false,
      false,
      false,
    ]);
  });
});
