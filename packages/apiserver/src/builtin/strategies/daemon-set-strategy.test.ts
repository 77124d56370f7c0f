import { DaemonSet } from "@drover/api/apps/v1";
import { describe, expect, it } from "vitest";
import { daemonSetStrategy, templateGenerationAnnotation } from "./daemon-set-strategy.ts";
import { sampleContext, sampleTemplate, sampleWorkload, texts } from "../../testing/workload-sample.ts";

const set = (spec: Parameters<typeof sampleWorkload>[1] = {}, metadata: Parameters<typeof sampleWorkload>[2] = {}): DaemonSet =>
  sampleWorkload(DaemonSet, spec, metadata);

describe("DaemonSet strategy", () => {
  it("starts the template generation at 1", () => {
    const made = set();
    daemonSetStrategy.prepareForCreate?.(made, sampleContext);
    expect(made.metadata.annotations).toEqual({ [templateGenerationAnnotation]: "1" });
  });

  it("increments the template generation for a changed template only", () => {
    const old = set({}, { annotations: { [templateGenerationAnnotation]: "4" } });
    const same = set({ minReadySeconds: 3 }, { annotations: { [templateGenerationAnnotation]: "9", a: "b" } });
    daemonSetStrategy.prepareForUpdate?.(same, old, sampleContext);
    expect(same.metadata.annotations).toEqual({ [templateGenerationAnnotation]: "4", a: "b" });
    const other = set({ template: sampleTemplate({ hostPID: true }) });
    daemonSetStrategy.prepareForUpdate?.(other, old, sampleContext);
    expect(other.metadata.annotations).toEqual({ [templateGenerationAnnotation]: "5" });
  });

  it("refuses maxSurge together with maxUnavailable, or neither", () => {
    const wrong = (rollingUpdate: object): string[] =>
      texts(daemonSetStrategy.validate?.(set({ updateStrategy: { type: "RollingUpdate", rollingUpdate: { ...rollingUpdate } } })));
    expect(wrong({ maxSurge: 1, maxUnavailable: 1 })).toEqual([
      "spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero",
    ]);
    expect(wrong({ maxSurge: 0, maxUnavailable: 0 })).toEqual([
      "spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0",
    ]);
  });

  it("keeps the selector immutable", () => {
    expect(texts(daemonSetStrategy.validateUpdate?.(set({ selector: { matchLabels: { app: "b" } } }), set()))[0]).toBe(
      'spec.selector: Invalid value: {"matchLabels":{"app":"b"}}: field is immutable',
    );
  });
});
