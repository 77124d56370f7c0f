import { describe, expect, it } from "vitest";
import { sampleContainer, samplePod, texts } from "../../../testing/workload-sample.ts";
import { validateContainers, validateImageTrimmed, validateRestartPolicy } from "./containers.ts";
import { podSpecOf } from "./pod-spec.ts";

const wrong = (pod: ReturnType<typeof samplePod>): string[] =>
  texts(validateContainers({ spec: podSpecOf(pod), volumes: new Map(), claimNames: new Set() }, "c"));

describe("validateContainers", () => {
  it("requires at least one container", () => {
    expect(wrong(samplePod({ containers: [] }))).toEqual(["c: Required value"]);
  });

  it("requires name and image", () => {
    expect(wrong(sampleContainer({ name: "", image: "" }))).toEqual(["c[0].name: Required value", "c[0].image: Required value"]);
  });

  it("requires unique names", () => {
    expect(
      wrong(
        samplePod({
          containers: [
            { name: "a", image: "x" },
            { name: "a", image: "x" },
          ],
        }),
      ),
    ).toEqual(['c[1].name: Duplicate value: "a"']);
  });

  it("refuses unknown policies", () => {
    expect(wrong(sampleContainer({ imagePullPolicy: "x", terminationMessagePolicy: "y" }))).toEqual([
      'c[0].terminationMessagePolicy: Unsupported value: "y": supported values: "File", "FallbackToLogsOnError"',
      'c[0].imagePullPolicy: Unsupported value: "x": supported values: "Always", "IfNotPresent", "Never"',
    ]);
  });

  it("refuses resizePolicy RestartContainer with restartPolicy Never", () => {
    expect(
      wrong(sampleContainer({ resizePolicy: [{ resourceName: "cpu", restartPolicy: "RestartContainer" }] }, { restartPolicy: "Never" })),
    ).toEqual(["c[0].resizePolicy: Invalid value: \"RestartContainer\": must be 'NotRequired' when pod `restartPolicy` is 'Never'"]);
  });

  it("requires restartPolicy for restartPolicyRules", () => {
    expect(texts(validateRestartPolicy({ name: "c", restartPolicyRules: [{ action: "Stop" }] }, "c"))).toEqual([
      "c.restartPolicy: Required value: must specify restartPolicy when restart rules are used",
      'c.restartPolicyRules[0].action: Unsupported value: "Stop": supported values: "Restart", "RestartAllContainers"',
      "c.restartPolicyRules[0].exitCodes: Required value: must be specified",
    ]);
  });

  it("refuses images with surrounding spaces in pods", () => {
    expect(texts(validateImageTrimmed(" a", "c"))).toEqual(['c.image: Invalid value: " a": must not have leading or trailing whitespace']);
  });
});
