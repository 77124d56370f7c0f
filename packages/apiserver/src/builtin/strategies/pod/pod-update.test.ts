import { deepCopy } from "@drover/machinery";
import type { Pod, PodSpec } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { samplePod, texts } from "../../../testing/workload-sample.ts";
import { validateEphemeralContainersUpdate, validatePodUpdate } from "./pod-update.ts";

const changed = (old: Pod, change: Partial<PodSpec>): string[] => {
  const pod = deepCopy(old);
  Object.assign(pod.spec ?? {}, change);
  return texts(validatePodUpdate(pod, old));
};

describe("validatePodUpdate", () => {
  it("allows changes of images, deadline and tolerations", () => {
    const old = samplePod({ tolerations: [{ key: "a", operator: "Exists" }] });
    const [container] = old.spec?.containers ?? [];
    expect(
      changed(old, {
        containers: [{ ...container, name: "c", image: "other" }],
        activeDeadlineSeconds: 5,
        tolerations: [
          { key: "a", operator: "Exists" },
          { key: "b", operator: "Exists" },
        ],
      }),
    ).toEqual([]);
  });

  it("refuses other changes and shows the diff", () => {
    expect(changed(samplePod(), { terminationGracePeriodSeconds: 5 })).toEqual([
      "spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations)," +
        '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)\n@@ -36,7 +36,7 @@\n  ],\n  "EphemeralContainers": null,\n  "RestartPolicy": "Always",\n- "TerminationGracePeriodSeconds": 30,\n+ "TerminationGracePeriodSeconds": 5,\n' +
        '  "ActiveDeadlineSeconds": null,\n  "DNSPolicy": "ClusterFirst",\n  "NodeSelector": null,\n',
    ]);
  });

  it("refuses added and removed containers", () => {
    expect(
      changed(samplePod(), { initContainers: [{ name: "i", image: "a", imagePullPolicy: "Always", terminationMessagePolicy: "File" }] }),
    ).toEqual(["spec.initContainers: Forbidden: pod updates may not add or remove containers"]);
  });

  it("allows a shorter activeDeadlineSeconds only", () => {
    const old = samplePod({ activeDeadlineSeconds: 10 });
    expect(changed(old, { activeDeadlineSeconds: 5 })).toEqual([]);
    expect(changed(old, { activeDeadlineSeconds: 20 })).toEqual([
      "spec.activeDeadlineSeconds: Invalid value: 20: must be less than or equal to previous value",
    ]);
  });

  it("allows removing scheduling gates only", () => {
    const old = samplePod({ schedulingGates: [{ name: "a" }, { name: "b" }] });
    expect(changed(old, { schedulingGates: [{ name: "b" }] })).toEqual([]);
    expect(changed(old, { schedulingGates: [{ name: "c" }] })).toEqual([
      "spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new scheduling gate 'c'",
    ]);
  });

  it("allows stricter scheduling constraints of a gated pod", () => {
    const old = samplePod({ schedulingGates: [{ name: "a" }], nodeSelector: { a: "b" } });
    expect(changed(old, { nodeSelector: { a: "b", c: "d" } })).toEqual([]);
    expect(changed(old, { nodeSelector: { a: "x" } })).toEqual([
      'spec.nodeSelector: Invalid value: {"a":"x"}: only additions to spec.nodeSelector are allowed (no mutations or deletions)',
    ]);
  });
});

describe("validateEphemeralContainersUpdate", () => {
  it("allows additions only", () => {
    const ephemeral = (...names: readonly string[]): Pod => samplePod({ ephemeralContainers: names.map((name) => ({ name, image: "a" })) });
    expect(validateEphemeralContainersUpdate(ephemeral("a", "b"), ephemeral("a"))).toEqual([]);
    expect(texts(validateEphemeralContainersUpdate(ephemeral(), ephemeral("a")))).toEqual([
      'spec.ephemeralContainers: Forbidden: existing ephemeral containers "a" may not be removed\n',
    ]);
    const other = samplePod({ ephemeralContainers: [{ name: "a", image: "b" }] });
    expect(texts(validateEphemeralContainersUpdate(other, ephemeral("a")))[0]).toContain('- "Image": "a",\n+ "Image": "b",\n');
  });
});
