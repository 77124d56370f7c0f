import { expect, it } from "vitest";
import { parseCommandLine } from "./command-line.ts";
import { usageOf } from "./usage.ts";

it.each(["up", "kinds", "migrate"] as const)("usage of drover %s lists exactly its options", (command) => {
  const listed = [...new Set(usageOf(command).match(/--[a-z-]+/g))].filter((option) => option !== "--help");
  const mistake = parseCommandLine([command, "--nothing"]);
  expect(
    mistake.name === "mistake"
      ? mistake.message
          .match(/--[a-z-]+/g)
          ?.filter((option) => !["--nothing", "--help"].includes(option))
          .toSorted()
      : mistake,
  ).toEqual(listed.toSorted());
});

it("usage lists only existing commands", () => {
  for (const [line] of usageOf("drover").matchAll(/(?<=^ {2}drover )\S+(?: --?\S+)?/gm)) {
    const command = parseCommandLine(line.split(" "));
    // A command that needs arguments says so.
    if (command.name === "mistake") expect(command.message).toMatch(/needs (?:files|names|one of)/);
  }
});
