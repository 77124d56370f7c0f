import { describe, expect, it } from "vitest";
import { sampleContainer, samplePod, texts } from "../../../testing/workload-sample.ts";
import { validatePodTemplateSpec } from "./pod-template.ts";

describe("validatePodTemplateSpec", () => {
  it("accepts a placeholder image", () => {
    expect(validatePodTemplateSpec(sampleContainer({ image: " " }), "t")).toEqual([]);
  });

  it("validates labels at kube-apiserver's shortened path", () => {
    expect(texts(validatePodTemplateSpec({ ...samplePod(), metadata: { labels: { a: "b c" } } }, "t"))[0]).toMatch(
      /^t\.labels: Invalid value: "b c": /,
    );
  });

  it("refuses ephemeral containers", () => {
    expect(texts(validatePodTemplateSpec(samplePod({ ephemeralContainers: [{ name: "e", image: "a" }] }), "t"))).toEqual([
      "t.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template",
    ]);
  });
});
