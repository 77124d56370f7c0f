import { expect, it } from "vitest";
import { parseCommandLine } from "./command-line.ts";
import { usageOf } from "./usage.ts";

it("tells of every option there is, and of none that is not", () => {
  const told = [...new Set(usageOf("up").match(/--[a-z]+/g))].filter((option) => option !== "--help");
  const mistake = parseCommandLine(["up", "--nothing"]);
  expect(mistake.name === "mistake" ? mistake.message.match(/--[a-z]+/g)?.filter((option) => !["--nothing", "--help"].includes(option)).toSorted() : mistake).toEqual(told.toSorted());
});

it("tells of commands that are understood", () => {
  for (const [line] of usageOf("drover").matchAll(/(?<=^ {2}drover )\S+(?: --?\S+)?/gm)) expect([line, parseCommandLine(line.split(" ")).name]).not.toEqual([line, "mistake"]);
});
