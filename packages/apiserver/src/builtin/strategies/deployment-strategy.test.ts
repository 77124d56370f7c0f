import { Deployment } from "@drover/api/apps/v1";
import { describe, expect, it } from "vitest";
import { deploymentStrategy } from "./deployment-strategy.ts";
import { sampleTemplate, sampleWorkload, texts } from "../../testing/workload-sample.ts";

const deployment = (spec: Parameters<typeof sampleWorkload>[1] = {}): Deployment => sampleWorkload(Deployment, spec);
const wrong = (spec: Parameters<typeof sampleWorkload>[1]): string[] => texts(deploymentStrategy.validate?.(deployment(spec)));

describe("Deployment strategy", () => {
  it("accepts a selector with a matching template", () => {
    expect(wrong({})).toEqual([]);
  });

  it("refuses rollingUpdate with the strategy Recreate", () => {
    expect(wrong({ strategy: { type: "Recreate", rollingUpdate: { maxSurge: 1 } } })).toEqual([
      "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'",
    ]);
  });

  it("refuses an unknown strategy type", () => {
    expect(wrong({ strategy: { type: "x" } })).toEqual([
      'spec.strategy: Unsupported value: {"Type":"x","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate"',
    ]);
  });

  it("refuses maxSurge and maxUnavailable of 0 together", () => {
    expect(wrong({ strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } })).toEqual([
      "spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0",
    ]);
  });

  it("requires progressDeadlineSeconds to exceed minReadySeconds", () => {
    expect(wrong({ minReadySeconds: 10, progressDeadlineSeconds: 10 })).toEqual([
      "spec.progressDeadlineSeconds: Invalid value: 10: must be greater than minReadySeconds",
    ]);
  });

  it("refuses negative numbers", () => {
    expect(wrong({ replicas: -1, revisionHistoryLimit: -1 })).toEqual([
      "spec.replicas: Invalid value: -1: must be greater than or equal to 0",
      "spec.revisionHistoryLimit: Invalid value: -1: must be greater than or equal to 0",
    ]);
  });

  it("keeps the selector immutable", () => {
    expect(
      texts(
        deploymentStrategy.validateUpdate?.(
          deployment({
            selector: { matchLabels: { app: "web", b: "c" } },
            template: sampleTemplate({}, { labels: { app: "web", b: "c" } }),
          }),
          deployment(),
        ),
      ),
    ).toEqual(['spec.selector: Invalid value: {"matchLabels":{"app":"web","b":"c"}}: field is immutable']);
  });

  it("warns about the template when the spec changed", () => {
    const next = deployment({ template: sampleTemplate({ nodeSelector: { "beta.kubernetes.io/os": "linux" } }) });
    expect(deploymentStrategy.warningsOnUpdate?.(next, deployment())).toEqual([]);
    next.metadata.generation = 2;
    expect(deploymentStrategy.warningsOnUpdate?.(next, deployment())).toEqual([
      'spec.template.spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead',
    ]);
  });

  it("refuses more ready than total replicas in the status", () => {
    const next = { ...deployment(), status: { replicas: 1, readyReplicas: 2 } };
    expect(texts(deploymentStrategy.subresources?.["status"]?.validateUpdate?.(next, deployment()))).toEqual([
      "status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas",
    ]);
  });
});
