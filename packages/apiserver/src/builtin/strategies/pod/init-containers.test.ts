import { describe, expect, it } from "vitest";
import { samplePod, texts } from "../../../testing/workload-sample.ts";
import { validateInitContainers } from "./init-containers.ts";
import { podSpecOf } from "./pod-spec.ts";

const wrong = (container: object): string[] => {
  const spec = podSpecOf(samplePod({ initContainers: [{ name: "i", image: "a", ...container }] }));
  return texts(validateInitContainers({ spec, volumes: new Map(), claimNames: new Set() }, "i"));
};
const probe = { exec: { command: ["true"] } };

describe("validateInitContainers", () => {
  it("requires names that differ from regular containers", () => {
    expect(wrong({})).toEqual([]);
    expect(wrong({ name: "c" })).toEqual(['i[0].name: Duplicate value: "c"']);
  });

  it("allows probes of sidecars only", () => {
    expect(wrong({ livenessProbe: probe })).toEqual([
      "i[0].livenessProbe: Forbidden: may not be set for init containers without restartPolicy=Always",
    ]);
    expect(wrong({ livenessProbe: probe, restartPolicy: "Always" })).toEqual([]);
  });

  it("refuses resizePolicy RestartContainer except for sidecars", () => {
    expect(wrong({ resizePolicy: [{ resourceName: "cpu", restartPolicy: "RestartContainer" }] })).toEqual([
      "i[0].resizePolicy[0].restartPolicy: Invalid value: \"RestartContainer\": must not be set to 'RestartContainer' for non-sidecar initContainers",
    ]);
  });
});
