import { describe, expect, it } from "vitest";
import { daemonPod, daemonSet } from "../testing/daemon-set-objects.ts";
import { isUpdated, templateGeneration } from "./daemon-set-view.ts";

const generation = (text: string): Readonly<Record<string, string>> => ({ "deprecated.daemonset.template.generation": text });

describe("templateGeneration", () => {
  it("returns the annotation if it is a number", () => {
    expect(templateGeneration(daemonSet({ annotations: generation("007") }))).toBe("7");
    expect(templateGeneration(daemonSet({ annotations: generation("x") }))).toBeUndefined();
    expect(templateGeneration(daemonSet())).toBeUndefined();
  });
});

describe("isUpdated", () => {
  it("compares the hash, or else the template generation", () => {
    expect(isUpdated(daemonPod(), daemonSet(), "new")).toBe(true);
    expect(isUpdated(daemonPod({ hash: "old" }), daemonSet(), "new")).toBe(false);
    expect(isUpdated(daemonPod({ labels: { "pod-template-generation": "3" } }), daemonSet({ annotations: generation("3") }), "new")).toBe(
      true,
    );
    expect(isUpdated(daemonPod({ labels: { "pod-template-generation": "3" } }), daemonSet({ annotations: generation("4") }), "new")).toBe(
      false,
    );
  });

  it("never matches an empty hash", () => {
    expect(isUpdated(daemonPod({ labels: { "controller-revision-hash": "" } }), daemonSet(), "")).toBe(false);
    expect(isUpdated(daemonPod({ labels: {} }), daemonSet(), "new")).toBe(false);
  });
});
