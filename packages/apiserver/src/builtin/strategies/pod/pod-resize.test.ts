import type { Pod } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { sampleContainer, texts } from "../../../testing/workload-sample.ts";
import { keepAllButResources, validatePodResize } from "./pod-resize.ts";

const pod = (requests: Record<string, string>, container: object = {}): Pod => sampleContainer({ resources: { requests }, ...container });
const resized = (next: Pod, old: Pod): string[] => {
  keepAllButResources(next, old);
  return texts(validatePodResize(next, old));
};

describe("pod resize", () => {
  it("restores all other fields", () => {
    const next = pod({ cpu: "2" }, { image: "other" });
    expect(resized(next, pod({ cpu: "1" }))).toEqual([]);
    expect(next.spec?.containers[0]).toMatchObject({ image: "nginx:1", resources: { requests: { cpu: "2" } } });
  });

  it("refuses to remove requests and limits", () => {
    expect(resized(pod({ cpu: "1" }), pod({ cpu: "1", memory: "1Gi" }))).toEqual([
      "spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed",
    ]);
  });

  it("allows cpu and memory only", () => {
    expect(resized(pod({ cpu: "1", "ephemeral-storage": "1Gi" }), pod({ cpu: "1" }))).toEqual([
      "spec: Forbidden: only cpu and memory resources are mutable",
    ]);
  });

  it("refuses to change the QoS class", () => {
    expect(resized(sampleContainer({ resources: { limits: { cpu: "1", memory: "1Gi" } } }), pod({ cpu: "1", memory: "1Gi" }))[0]).toBe(
      'spec: Invalid value: "": Pod QOS Class may not change as a result of resizing',
    );
  });

  it("refuses added and removed containers", () => {
    expect(resized(sampleContainer({ name: "d" }), sampleContainer({}))[0]).toBe(
      "spec.containers[0].name: Forbidden: containers may not be renamed or reordered on resize",
    );
  });
});
