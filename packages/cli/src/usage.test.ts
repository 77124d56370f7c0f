import { expect, it } from "vitest";
import { parseCommandLine } from "./command-line.ts";
import { usageOf } from "./usage.ts";

it.each(["up", "kinds"] as const)("tells of every option of %s, and of none that is not", (command) => {
  const told = [...new Set(usageOf(command).match(/--[a-z-]+/g))].filter((option) => option !== "--help");
  const mistake = parseCommandLine([command, "--nothing"]);
  expect(
    mistake.name === "mistake"
      ? mistake.message
          .match(/--[a-z-]+/g)
          ?.filter((option) => !["--nothing", "--help"].includes(option))
          .toSorted()
      : mistake,
  ).toEqual(told.toSorted());
});

it("tells of commands that are understood", () => {
  for (const [line] of usageOf("drover").matchAll(/(?<=^ {2}drover )\S+(?: --?\S+)?/gm)) {
    const command = parseCommandLine(line.split(" "));
    // What wants a file says so.
    if (command.name === "mistake") expect(command.message).toContain("wants files");
  }
});
