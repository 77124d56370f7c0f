import { describe, expect, it } from "vitest";
import { containersOf } from "./pod-containers.ts";

describe("containersOf", () => {
  it("lists init, regular and ephemeral containers with their paths", () => {
    const spec = { containers: [{ name: "b" }], initContainers: [{ name: "a" }], ephemeralContainers: [{ name: "c" }] };
    expect(containersOf(spec, "s").map(({ container, path }) => `${container.name} ${path}`)).toEqual([
      "a s.initContainers[0]",
      "b s.containers[0]",
      "c s.ephemeralContainers[0]",
    ]);
  });
});
