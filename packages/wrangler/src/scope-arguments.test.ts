import { describe, expect, it } from "vitest";
import { takeName, takeNamespace } from "./scope-arguments.ts";

describe("takeName and takeNamespace", () => {
  it("take a namespace for a namespaced kind, and none for a cluster-scoped one", () => {
    expect(takeName("Namespaced", ["shop", "web", { a: 1 }])).toEqual({ namespace: "shop", name: "web", rest: [{ a: 1 }] });
    expect(takeName("Cluster", ["node-1", 5])).toEqual({ namespace: "", name: "node-1", rest: [5] });
    expect(takeNamespace("Namespaced", ["shop"])).toEqual({ namespace: "shop", rest: [] });
    expect(takeNamespace("Cluster", ["a=b"])).toEqual({ namespace: "", rest: ["a=b"] });
  });
});
