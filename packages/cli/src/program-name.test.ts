import { expect, it } from "vitest";
import { asPlugin, invocation } from "./program-name.ts";

it("invocation knows a plugin of kubectl by the name it was started with, also as a file of the package", () => {
  const at = (...argv: string[]) => invocation(["node", ...argv]);
  expect(at("/usr/bin/drover", "up")).toEqual({ program: "drover", words: ["up"] });
  for (const name of ["/usr/bin/kubectl-drover", "/lib/bin/kubectl-drover.js"])
    expect(at(name, "up")).toEqual({ program: "kubectl drover", words: ["up"] });
  expect(at("/usr/bin/kubectl_complete-drover", "up", "")).toEqual({ program: "kubectl drover", words: ["__complete", "up", ""] });
});

it("asPlugin renames commands, and neither the package nor folders", () => {
  expect(asPlugin("see drover up --help, drover --help; npx @drover/cli up; .drover up; the package drover", ["up"])).toBe(
    "see kubectl drover up --help, kubectl drover --help; npx @drover/cli up; .drover up; the package drover",
  );
});
