import { definedOnly } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { deployment, replicaSet } from "../testing/workload-objects.ts";
import {
  desiredReplicasAnnotation,
  maxReplicasAnnotation,
  needsReplicasAnnotations,
  replicasAnnotation,
  rolledBackAnnotations,
  withDeploymentAnnotations,
  withReplicasAnnotations,
} from "./deployment-annotations.ts";

describe("annotations of a ReplicaSet", () => {
  it("copy those of its Deployment except the ones each has of its own", () => {
    const annotations = {
      note: "b",
      "kubectl.kubernetes.io/last-applied-configuration": "{}",
      "deployment.kubernetes.io/revision": "9",
      "deprecated.deployment.rollback.to": "1",
      ["__proto__"]: "x",
    };
    const merged = withDeploymentAnnotations(
      { note: "a", own: "c", "deployment.kubernetes.io/revision": "3" },
      deployment({ annotations }),
    );
    expect(Object.entries(merged)).toEqual([
      ["note", "b"],
      ["own", "c"],
      ["deployment.kubernetes.io/revision", "3"],
      ["__proto__", "x"],
    ]);
  });

  it("return to the Deployment in a rollback, which keeps its own", () => {
    const back = rolledBackAnnotations(
      deployment({ annotations: { note: "new", "deployment.kubernetes.io/revision": "9" } }),
      replicaSet({ annotations: { note: "old", "deployment.kubernetes.io/revision": "3" } }),
    );
    expect(back).toEqual({ note: "old", "deployment.kubernetes.io/revision": "9" });
  });

  it("D096: hold desired and maximum replicas", () => {
    expect(withReplicasAnnotations({ a: "b" }, deployment({ replicas: 10, surge: 3 }))).toEqual({
      a: "b",
      [desiredReplicasAnnotation]: "10",
      [maxReplicasAnnotation]: "13",
    });
  });

  it("D098: are outdated when one of both is missing or differs", () => {
    const wanted = deployment({ replicas: 10, surge: 3 });
    const needs = (annotations?: Readonly<Record<string, string>>): boolean =>
      needsReplicasAnnotations(replicaSet(definedOnly({ annotations })), wanted);
    expect(needs()).toBe(true);
    expect(needs({ [desiredReplicasAnnotation]: "9", [maxReplicasAnnotation]: "13" })).toBe(true);
    expect(needs({ [desiredReplicasAnnotation]: "10", [maxReplicasAnnotation]: "12" })).toBe(true);
    expect(needs({ [desiredReplicasAnnotation]: "10", [maxReplicasAnnotation]: "13" })).toBe(false);
  });

  it.each([
    [undefined, undefined],
    ["invalid", undefined],
    ["-1", undefined],
    ["0", 0],
    ["13", 13],
    ["2147483647", 2_147_483_647],
    ["2147483648", undefined],
    ["4294967296", undefined],
    ["+1", undefined],
    ["1e3", undefined],
  ])("D094: parse %s as %s", (text, value) => {
    expect(
      replicasAnnotation(
        replicaSet(text === undefined ? {} : { annotations: { [desiredReplicasAnnotation]: text } }),
        desiredReplicasAnnotation,
      ),
    ).toBe(value);
  });
});
