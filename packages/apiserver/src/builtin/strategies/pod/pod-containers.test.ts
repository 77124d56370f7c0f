import { describe, expect, it } from "vitest";
import { containersOf } from "./pod-containers.ts";

describe("containersOf", () => {
  it("gives init containers first and ephemeral ones last, each with its place", () => {
    const spec = { containers: [{ name: "b" }], initContainers: [{ name: "a" }], ephemeralContainers: [{ name: "c" }] };
    expect(containersOf(spec, "s").map(({ container, path }) => `${container.name} ${path}`)).toEqual([
      "a s.initContainers[0]",
      "b s.containers[0]",
      "c s.ephemeralContainers[0]",
    ]);
  });
});
