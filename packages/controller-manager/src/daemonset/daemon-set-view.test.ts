import { describe, expect, it } from "vitest";
import { daemonPod, daemonSet } from "../testing/daemon-set-objects.ts";
import { isUpdated, templateGeneration } from "./daemon-set-view.ts";

const generation = (text: string): Readonly<Record<string, string>> => ({ "deprecated.daemonset.template.generation": text });

describe("the generation of a template", () => {
  it("is what the annotation counts, if that is a number", () => {
    expect(templateGeneration(daemonSet({ annotations: generation("007") }))).toBe("7");
    expect(templateGeneration(daemonSet({ annotations: generation("x") }))).toBeUndefined();
    expect(templateGeneration(daemonSet())).toBeUndefined();
  });
});

describe("a pod is up to date", () => {
  it("by its hash, or else by the generation of its template", () => {
    expect(isUpdated(daemonPod(), daemonSet(), "new")).toBe(true);
    expect(isUpdated(daemonPod({ hash: "old" }), daemonSet(), "new")).toBe(false);
    expect(isUpdated(daemonPod({ labels: { "pod-template-generation": "3" } }), daemonSet({ annotations: generation("3") }), "new")).toBe(
      true,
    );
    expect(isUpdated(daemonPod({ labels: { "pod-template-generation": "3" } }), daemonSet({ annotations: generation("4") }), "new")).toBe(
      false,
    );
  });

  it("never by a hash that is none", () => {
    expect(isUpdated(daemonPod({ labels: { "controller-revision-hash": "" } }), daemonSet(), "")).toBe(false);
    expect(isUpdated(daemonPod({ labels: {} }), daemonSet(), "new")).toBe(false);
  });
});
