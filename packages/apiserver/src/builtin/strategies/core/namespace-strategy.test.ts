import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { Namespace } from "@drover/api/core/v1";
import { markTerminating, namespaceStrategy } from "./namespace-strategy.ts";

const context = { now: 0, user: { name: "u", groups: [] }, dryRun: false };
const active: Namespace = { metadata: { name: "a" }, spec: { finalizers: ["kubernetes"] }, status: { phase: "Active" } };

describe("Namespace strategy", () => {
  it("sets phase, name label and finalizer on create", () => {
    const namespace: Namespace = { metadata: { name: "a" }, spec: { finalizers: ["example.com/b"] } };
    namespaceStrategy.prepareForCreate?.(namespace, context);
    namespaceStrategy.canonicalize?.(namespace);
    expect(namespace).toEqual({
      metadata: { name: "a", labels: { "kubernetes.io/metadata.name": "a" } },
      spec: { finalizers: ["example.com/b", "kubernetes"] },
      status: { phase: "Active" },
    });
  });

  it("keeps and marks a deleted Namespace that has finalizers", () => {
    const namespace = structuredClone(active);
    markTerminating(namespace);
    expect(namespace.status).toEqual({ phase: "Terminating" });
    expect([namespaceStrategy.isHeldBack?.(namespace), namespaceStrategy.isHeldBack?.({ ...namespace, spec: {} })]).toEqual([true, false]);
  });

  it("changes spec.finalizers at finalize only", () => {
    const changed: Namespace = { metadata: { name: "a" }, spec: { finalizers: ["example.com/b"] } };
    namespaceStrategy.prepareForUpdate?.(changed, active, context);
    expect(changed.spec?.finalizers).toEqual(["kubernetes"]);
    const finalized: Namespace = { metadata: { name: "a" }, spec: {}, status: { phase: "Terminating" } };
    namespaceStrategy.subresources?.["finalize"]?.prepareForUpdate?.(finalized, active, context);
    expect(finalized).toEqual({ metadata: { name: "a" }, spec: {}, status: { phase: "Active" } });
  });

  it("refuses unqualified finalizers", () => {
    const text = 'Invalid value: "b": name is neither a standard finalizer name nor is it fully qualified';
    const bad: Namespace = { metadata: { name: "a" }, spec: { finalizers: ["b"] } };
    expect((namespaceStrategy.validate?.(bad) ?? []).map(printFieldError)).toEqual([`spec.finalizers: ${text}`]);
    expect((namespaceStrategy.subresources?.["finalize"]?.validateUpdate?.(bad, active) ?? []).map(printFieldError)).toEqual([
      `spec.finalizers[0]: ${text}`,
    ]);
  });

  it("allows the phase Terminating exactly for a deleted Namespace", () => {
    const judge = (namespace: Namespace): string[] =>
      (namespaceStrategy.subresources?.["status"]?.validateUpdate?.(namespace, active) ?? []).map(printFieldError);
    expect(judge({ ...active, status: { phase: "Terminating" } })).toEqual([
      "status.Phase: Invalid value: \"Terminating\": may only be 'Active' if `deletionTimestamp` is empty",
    ]);
    expect(judge({ ...active, metadata: { name: "a", deletionTimestamp: "2024-01-02T03:04:05Z" } })).toEqual([
      "status.Phase: Invalid value: \"Active\": may only be 'Terminating' if `deletionTimestamp` is not empty",
    ]);
  });
});
