import { expect, it } from "vitest";
import { parseCommandLine } from "./command-line.ts";
import { isTool, runTool, tools } from "./tool-command.ts";
import { usageNamed, usageOf } from "./usage.ts";

it.each(["explain", "doctor"] as const)("usage of drover %s lists exactly its options", (name) => {
  const listed = [...new Set(usageOf(name).match(/--[a-z-]+/g))].filter((option) => option !== "--help");
  const command = parseCommandLine([name, "--nothing"]);
  const named = command.name === "mistake" ? (command.message.match(/--[a-z-]+/g) ?? []) : [];
  expect(named.filter((option) => !["--nothing", "--help"].includes(option)).toSorted()).toEqual(listed.toSorted());
});

it.each(tools)("drover %s --help and drover help %s ask for its usage", (name) => {
  for (const words of [
    [name, "--help"],
    ["help", name],
    ["--help", name],
  ])
    expect(parseCommandLine(words)).toEqual({ name: "tool help", about: name });
  expect(usageOf(name)).toMatch(new RegExp(`^drover ${name} `));
});

it("runTool resolves with the exit code of the command", async () => {
  const place = { write: () => undefined, warn: () => undefined, help: usageNamed, ending: () => new AbortController().signal };
  const run = async (...words: string[]): Promise<unknown> => {
    const command = parseCommandLine(words);
    return isTool(command) ? await runTool(command, place) : command;
  };
  expect([await run("explain"), await run("explain", "DRV0399"), await run("completion", "bash"), await run("__complete", "")]).toEqual([
    0, 1, 0, 0,
  ]);
});

it("parseCommandLine reads the options of explain, doctor and completion", () => {
  expect(parseCommandLine(["explain", "DRV0310", "--json"])).toEqual({ name: "explain", options: { json: true, code: "DRV0310" } });
  expect(parseCommandLine(["doctor", "--context", "prod", "--rules=f"])).toEqual({
    name: "doctor",
    options: { kubeconfig: undefined, context: "prod", rules: "f", json: false },
  });
  expect(parseCommandLine(["completion", "zsh"])).toEqual({ name: "completion", options: { shell: "zsh" } });
  expect(parseCommandLine(["doctor", "now"])).toMatchObject({
    name: "mistake",
    message: expect.stringContaining("takes only options") as string,
  });
  expect(parseCommandLine(["completion", "sh"])).toMatchObject({
    name: "mistake",
    message: expect.stringContaining("bash, zsh, fish") as string,
  });
});
