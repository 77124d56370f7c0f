/** Runs the programs in the README of the API server and compares what they print with their comments. */
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { bundledProgram } from "./bundled-program.ts";

const root = join(import.meta.dirname, "..", "..");

const readme = readFileSync(join(root, "packages", "apiserver", "README.md"), "utf8");
const blocks = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, block = ""]) => block);

it("the README of the API server has two programs", () => {
  expect(blocks.length).toBe(2);
});

it.each([
  ["in the same process", 0, ["201", "ADDED"]],
  ["on a socket", 1, ["https:"]],
] as const)(
  "the README's program %s prints what its comments say",
  async (_name, index, printed) => {
    const block = blocks[index] ?? "";
    const folder = join(root, "node_modules", ".cache", `drover-apiserver-readme-${index}`);
    mkdirSync(folder, { recursive: true });
    const file = join(folder, "readme.mts");
    writeFileSync(file, block);
    try {
      const { stdout } = await promisify(execFile)(process.execPath, [await bundledProgram(join(folder, "bundle"), file)], { cwd: root });
      const said = [...block.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map(([, text]) => text);
      expect(said).toEqual(printed);
      expect(stdout.trim().split("\n")).toEqual(said);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  60_000,
);
