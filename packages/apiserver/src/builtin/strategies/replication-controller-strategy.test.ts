import { ReplicationController } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { replicationControllerStrategy } from "./replication-controller-strategy.ts";
import { sampleOf, sampleTemplate, texts } from "../../testing/workload-sample.ts";

const controller = (spec: Parameters<typeof sampleOf>[1]): ReplicationController => sampleOf(ReplicationController, { spec });

describe("ReplicationController strategy", () => {
  it("accepts a selector defaulted from the template's labels", () => {
    expect(replicationControllerStrategy.validate?.(controller({ template: sampleTemplate() }))).toEqual([]);
  });

  it("requires template and selector", () => {
    expect(texts(replicationControllerStrategy.validate?.(controller({})))).toEqual([
      "spec.selector: Required value",
      "spec.template: Required value",
    ]);
  });

  it("requires a selector that matches the template", () => {
    expect(texts(replicationControllerStrategy.validate?.(controller({ selector: { a: "b" }, template: sampleTemplate() })))).toEqual([
      'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
    ]);
  });

  it("allows a changed selector", () => {
    const [old, next] = [
      controller({ template: sampleTemplate() }),
      controller({ selector: { b: "c" }, template: sampleTemplate({}, { labels: { b: "c" } }) }),
    ];
    expect(replicationControllerStrategy.validateUpdate?.(next, old)).toEqual([]);
  });
});
