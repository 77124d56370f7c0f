import type { Namespace } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { setNamespaceDefaults } from "./namespace-defaults.ts";

describe("a namespace", () => {
  it("bears its name, whatever it says, and is active", () => {
    const namespace: Namespace = { metadata: { name: "n", labels: { a: "1", "kubernetes.io/metadata.name": "other" } } };
    setNamespaceDefaults(namespace);
    expect(namespace).toEqual({
      metadata: { name: "n", labels: { a: "1", "kubernetes.io/metadata.name": "n" } },
      status: { phase: "Active" },
    });
  });

  it("without a name has none to bear yet, and one that ends stays so", () => {
    const namespace: Namespace = { metadata: { generateName: "n-" }, status: { phase: "Terminating" } };
    setNamespaceDefaults(namespace);
    expect(namespace).toEqual({ metadata: { generateName: "n-" }, status: { phase: "Terminating" } });
  });
});
