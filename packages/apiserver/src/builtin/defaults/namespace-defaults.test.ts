import type { Namespace } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { setNamespaceDefaults } from "./namespace-defaults.ts";

describe("defaults of Namespace", () => {
  it("set the name label and the phase Active", () => {
    const namespace: Namespace = { metadata: { name: "n", labels: { a: "1", "kubernetes.io/metadata.name": "other" } } };
    setNamespaceDefaults(namespace);
    expect(namespace).toEqual({
      metadata: { name: "n", labels: { a: "1", "kubernetes.io/metadata.name": "n" } },
      status: { phase: "Active" },
    });
  });

  it("set no label without a name, and keep the phase Terminating", () => {
    const namespace: Namespace = { metadata: { generateName: "n-" }, status: { phase: "Terminating" } };
    setNamespaceDefaults(namespace);
    expect(namespace).toEqual({ metadata: { generateName: "n-" }, status: { phase: "Terminating" } });
  });
});
