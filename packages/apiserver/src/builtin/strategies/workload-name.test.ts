import { describe, expect, it } from "vitest";
import { workloadNameWarnings } from "./workload-name.ts";

describe("workloadNameWarnings", () => {
  it("warns about names that are not DNS labels", () => {
    expect(workloadNameWarnings({ metadata: { name: "web" } })).toEqual([]);
    expect(workloadNameWarnings({ metadata: { name: "web.example.com" } })).toEqual([
      "metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]",
    ]);
  });
});
