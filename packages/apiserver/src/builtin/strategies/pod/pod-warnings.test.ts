import { describe, expect, it } from "vitest";
import { sampleContainer, samplePod } from "../../../testing/workload-sample.ts";
import { podSpecOf } from "./pod-spec.ts";
import { podSpecWarnings, podTemplateWarnings, volumeClaimWarnings } from "./pod-warnings.ts";

const warnings = (pod: ReturnType<typeof samplePod>): string[] => podSpecWarnings(podSpecOf(pod), pod.metadata, "");

describe("podSpecWarnings", () => {
  it("is empty for an ordinary pod", () => {
    expect(warnings(samplePod())).toEqual([]);
  });

  it("warns about duplicate environment variables, unless they refer to the earlier one", () => {
    expect(
      warnings(
        sampleContainer({
          env: [
            { name: "A", value: "1" },
            { name: "A", value: "2" },
            { name: "A", value: "$(A)3" },
          ],
        }),
      ),
    ).toEqual(['spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply']);
  });

  it("warns about fractional bytes", () => {
    expect(warnings(sampleContainer({ resources: { limits: { memory: "100m" } } }))[0]).toBe(
      'spec.containers[0].resources.limits[memory]: fractional byte value "100m" is invalid, must be an integer',
    );
    expect(volumeClaimWarnings({ resources: { requests: { storage: "1500m" } } }, "s")).toEqual([
      's.resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer',
    ]);
  });

  it("warns about duplicate ports", () => {
    expect(
      warnings(sampleContainer({ ports: [{ containerPort: 80 }, { containerPort: 80 }, { containerPort: 80, hostPort: 80 }] })),
    ).toEqual([
      "spec.containers[0].ports[1]: duplicate port definition with spec.containers[0].ports[0]",
      "spec.containers[0].ports[2]: overlapping port definition with spec.containers[0].ports[0]",
      "spec.containers[0].ports[2]: overlapping port definition with spec.containers[0].ports[1]",
    ]);
  });

  it("warns about a negative grace period, and duplicate or unnamed pull secrets", () => {
    expect(
      podSpecWarnings({ containers: [], terminationGracePeriodSeconds: -1, imagePullSecrets: [{ name: "a" }, { name: "a" }, {}] }, {}, ""),
    ).toEqual([
      'spec.imagePullSecrets[1].name: duplicate name "a"',
      'spec.imagePullSecrets[2].name: invalid empty name ""',
      "spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1",
    ]);
  });

  it("warns about removed volume types", () => {
    expect(
      warnings(
        samplePod({
          volumes: [
            { name: "g", gitRepo: { repository: "r" } },
            { name: "s", storageos: {} },
          ],
        }),
      ),
    ).toEqual([
      "spec.volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+",
      "spec.volumes[1].storageOS: deprecated in v1.22, non-functional in v1.25+",
    ]);
  });

  it("warns about deprecated annotations in a template", () => {
    const annotations = { "container.apparmor.security.beta.kubernetes.io/c": "unconfined", "security.alpha.kubernetes.io/sysctls": "x" };
    expect(podTemplateWarnings({ ...samplePod(), metadata: { annotations } }, "spec.template")).toEqual([
      'spec.template.metadata.annotations[security.alpha.kubernetes.io/sysctls]: non-functional in v1.11+; use the "sysctls" field instead',
      'spec.template.metadata.annotations[container.apparmor.security.beta.kubernetes.io/c]: deprecated since v1.30; use the "appArmorProfile" field instead',
    ]);
  });

  it("warns about affinity terms without a selector", () => {
    expect(
      warnings(samplePod({ affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "z" }] } } })),
    ).toEqual([
      "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector: a null labelSelector results in matching no pod",
    ]);
  });
});
