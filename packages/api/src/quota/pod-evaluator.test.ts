import { formatTime } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { Pod } from "../core/v1.ts";
import { printAmounts } from "./amounts.ts";
import { podEvaluator } from "./pod-evaluator.ts";
import type { ScopeRequirement } from "./evaluator.ts";

const now = 1_767_225_600_000;
const evaluator = podEvaluator(() => now);
const pod = (spec: Partial<NonNullable<Pod["spec"]>> = {}, more: Partial<Pod> = {}): Pod => ({
  metadata: { name: "p" },
  spec: { containers: [{ name: "c" }], ...spec },
  ...more,
});
const asking = (requests: Record<string, string>, limits: Record<string, string> = {}): Pod =>
  pod({ containers: [{ name: "c", resources: { requests, limits } }] });
const scope = (scopeName: ScopeRequirement["scopeName"], operator: ScopeRequirement["operator"] = "Exists", values?: string[]) => ({
  scopeName,
  operator,
  ...(values === undefined ? {} : { values }),
});
const isIn = (one: Pod, ...requirement: Parameters<typeof scope>): boolean => evaluator.matchesScope(scope(...requirement), one);

describe("podEvaluator", () => {
  it("counts requests under their own name and with a prefix, limits with a prefix, extended resources as requests only", () => {
    expect(
      printAmounts(
        evaluator.usage(
          asking(
            { cpu: "1", "hugepages-2Mi": "2Mi", "example.com/gpu": "2", "kubernetes.io/x": "1" },
            { memory: "1Gi", "example.com/gpu": "2" },
          ),
        ),
      ),
    ).toBe(
      "count/pods=1,cpu=1,hugepages-2Mi=2Mi,limits.memory=1Gi,pods=1,requests.cpu=1,requests.example.com/gpu=2,requests.hugepages-2Mi=2Mi",
    );
  });

  it("counts only the number of pods that have ended, or are stuck in their deletion", () => {
    const deleted = (seconds: number): Partial<Pod> => ({
      metadata: { name: "p", deletionTimestamp: formatTime(now - seconds * 1000), deletionGracePeriodSeconds: 30 },
    });
    const counts = (more: Partial<Pod>): string => printAmounts(evaluator.usage(pod({}, more)));
    expect([counts({ status: { phase: "Failed" } }), counts({ status: { phase: "Succeeded" } }), counts(deleted(31))]).toEqual([
      "count/pods=1",
      "count/pods=1",
      "count/pods=1",
    ]);
    expect([counts({ status: { phase: "Running" } }), counts(deleted(30)), counts(deleted(0))]).toEqual([
      "count/pods=1,pods=1",
      "count/pods=1,pods=1",
      "count/pods=1,pods=1",
    ]);
  });

  it("knows the names that count pods", () => {
    const names = ["pods", "count/pods", "cpu", "limits.memory", "hugepages-1Gi", "requests.hugepages-1Gi", "requests.example.com/gpu"];
    const others = [
      "services",
      "requests.storage",
      "example.com/gpu",
      "limits.example.com/gpu",
      "requests.kubernetes.io/x",
      "count/configmaps",
    ];
    expect(evaluator.matchingNames([...names, ...others])).toEqual(names);
  });

  it("requires cpu and memory of every container, unless the pod sets them", () => {
    const two = pod({ containers: [{ name: "b", resources: { requests: { cpu: "1" } } }, { name: "a" }], initContainers: [{ name: "i" }] });
    expect(evaluator.missing(["requests.cpu", "limits.memory", "pods", "requests.ephemeral-storage"], two)).toBe(
      "must specify limits.memory for: a,b,i; requests.cpu for: a,i",
    );
    expect(evaluator.missing(["pods", "count/pods"], two)).toBeUndefined();
    expect(
      evaluator.missing(["cpu"], { ...two, spec: { ...two.spec, containers: [], resources: { limits: { memory: "1" } } } }),
    ).toBeUndefined();
  });

  it("handles creations, resizes, and updates that change whether the pod ends by itself", () => {
    const handles = (operation: "CREATE" | "UPDATE", subresource: string, object: Pod, old?: Pod): boolean =>
      evaluator.handles({ operation, subresource, object, old });
    const ending = pod({ activeDeadlineSeconds: 1 });
    expect([
      handles("CREATE", "", pod()),
      handles("UPDATE", "resize", pod(), pod()),
      handles("UPDATE", "", ending, pod()),
      handles("UPDATE", "", pod(), pod()),
      handles("UPDATE", "status", ending, pod()),
      handles("CREATE", "eviction", pod()),
    ]).toEqual([true, true, true, false, false, false]);
  });

  it("knows scopes by service class and deadline", () => {
    const asks = asking({ cpu: "1" });
    const ending = pod({ activeDeadlineSeconds: 0 });
    expect([isIn(pod(), "BestEffort"), isIn(asks, "BestEffort"), isIn(asks, "NotBestEffort")]).toEqual([true, false, true]);
    expect(isIn(pod({}, { status: { qosClass: "Burstable" } }), "BestEffort")).toBe(false);
    expect([isIn(ending, "Terminating"), isIn(pod(), "Terminating"), isIn(pod(), "NotTerminating")]).toEqual([true, false, true]);
    expect(isIn(pod(), "VolumeAttributesClass")).toBe(false);
  });

  it("knows scopes by priority class", () => {
    const [high, none] = [pod({ priorityClassName: "high" }), pod()];
    expect([isIn(high, "PriorityClass"), isIn(none, "PriorityClass")]).toEqual([true, false]);
    expect([isIn(high, "PriorityClass", "In", ["high"]), isIn(none, "PriorityClass", "In", ["high"])]).toEqual([true, false]);
    expect([isIn(high, "PriorityClass", "NotIn", ["high"]), isIn(none, "PriorityClass", "NotIn", ["high"])]).toEqual([false, true]);
    expect([isIn(high, "PriorityClass", "DoesNotExist"), isIn(none, "PriorityClass", "DoesNotExist")]).toEqual([false, true]);
  });

  it("knows pods with affinity to pods of other namespaces", () => {
    const term = (more: object): { topologyKey: string } => ({ topologyKey: "zone", ...more });
    const across = (affinity: object): boolean => isIn(pod({ affinity }), "CrossNamespacePodAffinity");
    const hard = (more: object): object => ({ requiredDuringSchedulingIgnoredDuringExecution: [term(more)] });
    const soft = (more: object): object => ({
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: term(more) }],
    });
    expect([across({ podAffinity: hard({ namespaces: ["x"] }) }), across({ podAntiAffinity: soft({ namespaceSelector: {} }) })]).toEqual([
      true,
      true,
    ]);
    expect([across({ podAffinity: hard({}) }), across({ podAntiAffinity: soft({ namespaces: [] }) }), across({})]).toEqual([
      false,
      false,
      false,
    ]);
  });
});
