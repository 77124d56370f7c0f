import { describe, expect, it } from "vitest";
import { forbiddenLabels } from "./node-labels.ts";

describe("labels that a kubelet must not change", () => {
  it("are those of Kubernetes that are not for kubelets, and those reserved for administrators", () => {
    const all = {
      a: "b",
      "example.com/a": "b",
      "kubernetes.io/os": "linux",
      "kubelet.kubernetes.io/a": "b",
      "a.node.kubernetes.io/b": "c",
      "kubernetes.io/role": "x",
      "x.k8s.io/a": "b",
      "node-restriction.kubernetes.io/a": "b",
      "a.node-restriction.kubernetes.io/a": "b",
    };
    const forbidden = ["a.node-restriction.kubernetes.io/a", "kubernetes.io/role", "node-restriction.kubernetes.io/a", "x.k8s.io/a"];
    expect(forbiddenLabels(all)).toEqual(forbidden);
    expect(forbiddenLabels({}, all)).toEqual(forbidden);
    expect(forbiddenLabels({ ...all, "x.k8s.io/a": "c" }, all)).toEqual(["x.k8s.io/a"]);
    expect(forbiddenLabels(all, all)).toEqual([]);
  });
});
