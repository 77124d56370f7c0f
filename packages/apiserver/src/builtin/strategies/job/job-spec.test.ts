import { Job } from "@drover/api/batch/v1";
import { describe, expect, it } from "vitest";
import { sampleOf, sampleTemplate, texts } from "../../../testing/workload-sample.ts";
import { validateJobSpec } from "./job-spec.ts";

const wrong = (spec: Parameters<typeof sampleOf>[1]): string[] => {
  const job = sampleOf(Job, { spec: { template: sampleTemplate({ restartPolicy: "Never" }), ...spec } });
  return job.spec === undefined ? [] : texts(validateJobSpec(job.spec, "spec"));
};

describe("validateJobSpec", () => {
  it("requires restartPolicy OnFailure or Never", () => {
    expect(wrong({})).toEqual([]);
    expect(wrong({ template: sampleTemplate() })).toEqual([
      'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
    ]);
  });

  it("requires completions for Indexed", () => {
    expect(wrong({ completionMode: "Indexed", parallelism: 2 })).toEqual([
      "spec.completions: Required value: when completion mode is Indexed",
    ]);
  });

  it("allows limits per index for Indexed only", () => {
    expect(wrong({ backoffLimitPerIndex: 1 })).toEqual(["spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode"]);
  });

  it("requires restartPolicy Never with a pod failure policy", () => {
    expect(
      wrong({
        template: sampleTemplate({ restartPolicy: "OnFailure" }),
        podFailurePolicy: { rules: [{ action: "Ignore", onPodConditions: [{ type: "A" }] }] },
      }),
    ).toEqual([
      'spec.template.spec.restartPolicy: Invalid value: "OnFailure": only "Never" is supported when podFailurePolicy is specified',
    ]);
  });

  it("requires a qualified managedBy", () => {
    expect(wrong({ managedBy: "nobody" })).toEqual([
      'spec.managedBy: Invalid value: "nobody": must be a domain-prefixed path (such as "acme.io/foo")',
    ]);
  });
});
