import { PodTemplate } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { podTemplateStrategy } from "./pod-template-strategy.ts";
import { sampleOf, sampleTemplate, texts } from "../../testing/workload-sample.ts";

describe("PodTemplate strategy", () => {
  it("validates the template on create and update", () => {
    const template = sampleOf(PodTemplate, { template: sampleTemplate({ containers: [] }) });
    expect(texts(podTemplateStrategy.validate?.(template))).toEqual(["template.spec.containers: Required value"]);
    expect(texts(podTemplateStrategy.validateUpdate?.(template, template))).toEqual(["template.spec.containers: Required value"]);
  });
});
