import { describe, expect, it } from "vitest";
import { sampleContainer, samplePod, texts } from "../../../testing/workload-sample.ts";
import { validatePodTemplateSpec } from "./pod-template.ts";

describe("a template", () => {
  it("may hold an image to be filled in", () => {
    expect(validatePodTemplateSpec(sampleContainer({ image: " " }), "t")).toEqual([]);
  });

  it("has labels, whose path the server shortens", () => {
    expect(texts(validatePodTemplateSpec({ ...samplePod(), metadata: { labels: { a: "b c" } } }, "t"))[0]).toMatch(
      /^t\.labels: Invalid value: "b c": /,
    );
  });

  it("has no ephemeral containers", () => {
    expect(texts(validatePodTemplateSpec(samplePod({ ephemeralContainers: [{ name: "e", image: "a" }] }), "t"))).toEqual([
      "t.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template",
    ]);
  });
});
