import { describe, expect, it } from "vitest";
import { builtInControllers } from "./built-in-controllers.ts";
import { controllerRegistry } from "./controller-registry.ts";

describe("builtInControllers", () => {
  it("has upstream's names and aliases, each once", () => {
    expect(controllerRegistry(builtInControllers).names).toEqual(
      expect.arrayContaining(["deployment-controller", "replicaset-controller"]),
    );
    expect(builtInControllers.map(({ aliases }) => aliases).flat()).toEqual(expect.arrayContaining(["deployment", "replicaset"]));
  });
});
