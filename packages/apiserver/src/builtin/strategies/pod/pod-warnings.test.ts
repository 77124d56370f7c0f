import { describe, expect, it } from "vitest";
import { sampleContainer, samplePod } from "../../../testing/workload-sample.ts";
import { podSpecOf } from "./pod-spec.ts";
import { podSpecWarnings, podTemplateWarnings, volumeClaimWarnings } from "./pod-warnings.ts";

const warnings = (pod: ReturnType<typeof samplePod>): string[] => podSpecWarnings(podSpecOf(pod), pod.metadata, "");

describe("the server warns", () => {
  it("of nothing in an ordinary pod", () => {
    expect(warnings(samplePod())).toEqual([]);
  });

  it("of variables that hide others, unless they build on them", () => {
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

  it("of parts of bytes", () => {
    expect(warnings(sampleContainer({ resources: { limits: { memory: "100m" } } }))[0]).toBe(
      'spec.containers[0].resources.limits[memory]: fractional byte value "100m" is invalid, must be an integer',
    );
    expect(volumeClaimWarnings({ resources: { requests: { storage: "1500m" } } }, "s")).toEqual([
      's.resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer',
    ]);
  });

  it("of ports that are there twice", () => {
    expect(
      warnings(sampleContainer({ ports: [{ containerPort: 80 }, { containerPort: 80 }, { containerPort: 80, hostPort: 80 }] })),
    ).toEqual([
      "spec.containers[0].ports[1]: duplicate port definition with spec.containers[0].ports[0]",
      "spec.containers[0].ports[2]: overlapping port definition with spec.containers[0].ports[0]",
      "spec.containers[0].ports[2]: overlapping port definition with spec.containers[0].ports[1]",
    ]);
  });

  it("of a negative grace period, and of secrets twice or without a name", () => {
    expect(
      podSpecWarnings({ containers: [], terminationGracePeriodSeconds: -1, imagePullSecrets: [{ name: "a" }, { name: "a" }, {}] }, {}, ""),
    ).toEqual([
      'spec.imagePullSecrets[1].name: duplicate name "a"',
      'spec.imagePullSecrets[2].name: invalid empty name ""',
      "spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1",
    ]);
  });

  it("of what nothing mounts any more", () => {
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

  it("of old annotations in a template", () => {
    const annotations = { "container.apparmor.security.beta.kubernetes.io/c": "unconfined", "security.alpha.kubernetes.io/sysctls": "x" };
    expect(podTemplateWarnings({ ...samplePod(), metadata: { annotations } }, "spec.template")).toEqual([
      'spec.template.metadata.annotations[security.alpha.kubernetes.io/sysctls]: non-functional in v1.11+; use the "sysctls" field instead',
      'spec.template.metadata.annotations[container.apparmor.security.beta.kubernetes.io/c]: deprecated since v1.30; use the "appArmorProfile" field instead',
    ]);
  });

  it("of affinity to no pod at all", () => {
    expect(
      warnings(samplePod({ affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "z" }] } } })),
    ).toEqual([
      "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector: a null labelSelector results in matching no pod",
    ]);
  });
});
