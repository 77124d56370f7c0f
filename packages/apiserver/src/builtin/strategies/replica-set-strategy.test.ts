import { ReplicaSet } from "@drover/api/apps/v1";
import { describe, expect, it } from "vitest";
import { replicaSetStrategy } from "./replica-set-strategy.ts";
import { sampleWorkload, texts } from "../../testing/workload-sample.ts";

const set = (spec: Parameters<typeof sampleWorkload>[1] = {}): ReplicaSet => sampleWorkload(ReplicaSet, spec);

describe("ReplicaSet strategy", () => {
  it("requires a selector that is not empty", () => {
    expect(texts(replicaSetStrategy.validate?.(set()))).toEqual([]);
    expect(texts(replicaSetStrategy.validate?.(set({ selector: {} })))).toEqual([
      "spec.selector: Invalid value: {}: empty selector is invalid for deployment",
    ]);
  });

  it("reports a missing selector and its mismatch with the template", () => {
    expect(texts(replicaSetStrategy.validate?.(set({ selector: null })))).toEqual([
      "spec.selector: Required value",
      'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
    ]);
  });

  it("keeps the selector immutable", () => {
    expect(
      texts(replicaSetStrategy.validateUpdate?.(set({ selector: { matchExpressions: [{ key: "app", operator: "Exists" }] } }), set())),
    ).toEqual(['spec.selector: Invalid value: {"matchExpressions":[{"key":"app","operator":"Exists"}]}: field is immutable']);
  });

  it("refuses more fully labeled than total replicas", () => {
    expect(
      texts(
        replicaSetStrategy.subresources?.["status"]?.validateUpdate?.(
          { ...set(), status: { replicas: 0, fullyLabeledReplicas: 1 } },
          set(),
        ),
      ),
    ).toEqual(["status.fullyLabeledReplicas: Invalid value: 1: cannot be greater than status.replicas"]);
  });
});
