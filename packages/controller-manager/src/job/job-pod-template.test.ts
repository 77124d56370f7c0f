import { describe, expect, it } from "vitest";
import { job, jobPod } from "./testing/running-job.ts";
import { failureCountAnnotation, ignoredFailureCountAnnotation } from "./completion-index.ts";
import { indexedPodPrefix, indexedPodTemplate, jobPodTemplate } from "./job-pod-template.ts";
import { trackingFinalizer } from "./job-view.ts";

const named = (name: string): ReturnType<typeof job> => ({ ...job(), metadata: { ...job().metadata, name } });

describe("jobPodTemplate", () => {
  it("has the Job's template with the finalizer, once", () => {
    const { metadata, spec } = jobPodTemplate(job());
    expect([metadata, spec]).toEqual([{ labels: { job: "work" }, finalizers: [trackingFinalizer] }, job().spec?.template.spec]);
    const given = job();
    const withBoth = { ...given, spec: { ...given.spec, template: { metadata: { finalizers: ["example.com/f", trackingFinalizer] } } } };
    expect(jobPodTemplate(withBoth).metadata?.finalizers).toEqual(["example.com/f", trackingFinalizer]);
  });

  it("J026: sets the index as annotation, label, hostname and variable", () => {
    const index = "batch.kubernetes.io/job-completion-index";
    const { metadata, spec } = indexedPodTemplate(job({ completionMode: "Indexed", completions: 3 }), 2, undefined);
    expect(metadata).toEqual({ labels: { job: "work", [index]: "2" }, annotations: { [index]: "2" }, finalizers: [trackingFinalizer] });
    expect([spec?.hostname, spec?.containers[0]?.env]).toEqual([
      "work-2",
      [{ name: "JOB_COMPLETION_INDEX", valueFrom: { fieldRef: { fieldPath: `metadata.labels['${index}']` } } }],
    ]);
  });

  it("keeps a variable that the user set, and sets it for init containers too", () => {
    const given = job();
    const own = { name: "JOB_COMPLETION_INDEX", value: "mine" };
    const template = { spec: { containers: [{ name: "main", env: [own] }], initContainers: [{ name: "before" }] } };
    const { spec } = indexedPodTemplate({ ...given, spec: { ...given.spec, template } }, 0, undefined);
    expect([spec?.containers[0]?.env, spec?.initContainers?.[0]?.env?.length]).toEqual([[own], 1]);
  });

  it("J068: carries the failures of its index, and those that do not count", () => {
    const podFailurePolicy = { rules: [{ action: "Ignore" as const, onExitCodes: { operator: "In" as const, values: [7] } }] };
    const limited = job({ completionMode: "Indexed", completions: 3, backoffLimitPerIndex: 3, podFailurePolicy });
    const counts = (exitCode?: number): readonly (string | undefined)[] => {
      const { annotations = {} } =
        indexedPodTemplate(
          limited,
          0,
          exitCode === undefined
            ? undefined
            : jobPod({ phase: "Failed", exitCode, endedAgo: 1, annotations: { [failureCountAnnotation]: "2" } }),
        ).metadata ?? {};
      return [annotations[failureCountAnnotation], annotations[ignoredFailureCountAnnotation]];
    };
    expect([counts(), counts(1), counts(7)]).toEqual([
      ["0", undefined],
      ["3", undefined],
      ["2", "1"],
    ]);
  });

  it("J067: prefixes the name with Job and index, cut to leave room for the server's suffix", () => {
    expect(indexedPodPrefix(named("work"), 12)).toBe("work-12-");
    expect(indexedPodPrefix(named("w".repeat(63)), 123)).toBe(`${"w".repeat(53)}-123-`);
    expect(indexedPodPrefix(named("w".repeat(55)), 1)).toHaveLength(58);
  });
});
