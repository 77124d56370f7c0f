import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import type { AdmissionRequest } from "../admission.ts";
import type { KeptObjects } from "../kept-objects.ts";
import { EvaluationMetrics } from "./evaluation-metrics.ts";
import { policyOfLabels } from "./pod-policy.ts";
import type { PodPolicy } from "./pod-policy.ts";
import { podSecurity } from "./pod-security.ts";
import type { PodSecurityServices } from "./pod-security.ts";

/** Returns the annotations of a pod or Deployment on the host's process namespace, and the error. */
function annotationsOf(
  labels: Readonly<Record<string, string>>,
  plural: "pods" | "deployments",
  namespace = "shop",
): Record<string, string> {
  const prefixed = Object.fromEntries(Object.entries(labels).map(([mode, value]) => [`pod-security.kubernetes.io/${mode}`, value]));
  const all = new Map([["shop", policyOfLabels(prefixed)]]);
  const { clock, metrics } = testRuntime();
  const policies = { use: (then: (found: typeof all) => unknown) => then(all) } as unknown as KeptObjects<PodPolicy>;
  const plugin = podSecurity({ policies, clock, metrics: new EvaluationMetrics(metrics) } as unknown as PodSecurityServices);
  const spec = { hostPID: true, containers: [{ name: "c" }] };
  const annotations: Record<string, string> = {};
  const request = {
    operation: "CREATE",
    resource: { kind: { group: plural === "pods" ? "" : "apps", plural } },
    subresource: "",
    namespace,
    name: "p",
    object: plural === "pods" ? { kind: "Pod", apiVersion: "v1", metadata: {}, spec } : { spec: { template: { spec } } },
    warn: () => undefined,
    annotate: (key: string, value: string) => void (annotations[key.replace("pod-security.kubernetes.io/", "")] = value),
  } as unknown as AdmissionRequest;
  try {
    void plugin.validate?.(request);
  } catch (error) {
    annotations["thrown"] = String(error);
  }
  return annotations;
}

const violation = (policy: string): string => `would violate PodSecurity "${policy}": host namespaces (hostPID=true)`;

describe("the audit annotations of PodSecurity", () => {
  it("name what is enforced, and what would be refused", () => {
    expect(annotationsOf({}, "pods")).toEqual({ "enforce-policy": "privileged:latest" });
    expect(annotationsOf({ audit: "baseline" }, "pods")).toEqual({
      "enforce-policy": "privileged:latest",
      "audit-violations": violation("baseline:latest"),
    });
    expect(annotationsOf({ enforce: "baseline", audit: "baseline", "audit-version": "v1.20" }, "pods")).toEqual({
      "enforce-policy": "baseline:latest",
      "audit-violations": violation("baseline:v1.20"),
      thrown: 'StatusError: pods "p" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostPID=true)',
    });
    expect(annotationsOf({ audit: "baseline" }, "deployments")).toEqual({ "audit-violations": violation("baseline:latest") });
    expect(annotationsOf({ enforce: "baseline" }, "deployments")).toEqual({});
  });

  it("name labels that could not be read, and a namespace that is gone", () => {
    const problem =
      'metadata.labels[pod-security.kubernetes.io/audit]: Invalid value: "x": must be one of privileged, baseline, restricted';
    expect(annotationsOf({ audit: "x" }, "pods")).toEqual({
      "enforce-policy": "privileged:latest",
      error: `Failed to parse policy: ${problem}`,
    });
    expect(annotationsOf({}, "deployments", "gone")["error"]).toBe('failed to lookup namespace "gone": namespaces "gone" not found');
    expect(annotationsOf({}, "pods", "gone")["error"]).toBe(
      'Internal error occurred: failed to lookup namespace "gone": namespaces "gone" not found',
    );
  });
});
