import { describe, expect, it } from "vitest";
import { samplePod, texts } from "../../../testing/workload-sample.ts";
import { validateEphemeralContainers } from "./ephemeral-containers.ts";
import { podSpecOf } from "./pod-spec.ts";

const wrong = (container: object): string[] => {
  const spec = podSpecOf(samplePod({ ephemeralContainers: [{ name: "e", image: "a", ...container }] }));
  return texts(validateEphemeralContainers({ spec, volumes: new Map([["v", { name: "v", emptyDir: {} }]]), claimNames: new Set() }, "e"));
};

describe("validateEphemeralContainers", () => {
  it("requires an existing target container", () => {
    expect(wrong({ targetContainerName: "c" })).toEqual([]);
    expect(wrong({ targetContainerName: "x", name: "c" })).toEqual([
      'e[0].name: Duplicate value: "c"',
      'e[0].targetContainerName: Not found: "x"',
    ]);
  });

  it("refuses ports, probes and other fields", () => {
    expect(wrong({ ports: [{ containerPort: 80 }], resources: { limits: { cpu: "1" } }, lifecycle: {} })).toEqual([
      "e[0].ports: Forbidden: cannot be set for an Ephemeral Container",
      "e[0].resources: Forbidden: cannot be set for an Ephemeral Container",
    ]);
    expect(wrong({ volumeMounts: [{ name: "v", mountPath: "/v", subPath: "x" }] })).toEqual([
      "e[0].volumeMounts[0].subPath: Forbidden: cannot be set for an Ephemeral Container",
    ]);
  });
});
