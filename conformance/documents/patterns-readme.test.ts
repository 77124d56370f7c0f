/** The code blocks of the README of patterns: each is a program that needs only Node, compiles, and prints what the page says. */
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundledProgram } from "./bundled-program.ts";
import { printsAs, readmeBlocks } from "./client-readme-blocks.ts";

const root = join(import.meta.dirname, "..", "..");
const folder = join(root, "node_modules", ".cache", "drover-patterns-readme");
const blocks = readmeBlocks(readFileSync(join(root, "packages", "patterns", "README.md"), "utf8"));
const fileOf = (index: number): string => `${index}.mts`;
const border = "\u0001";

const run = (program: string, words: readonly string[]): Promise<string> =>
  new Promise((resolve) => {
    const { FORCE_COLOR: _colour, NODE_OPTIONS: _options, ...env } = process.env;
    execFile(program, [...words], { cwd: root, env: { ...env, NO_COLOR: "1" } }, (_error, stdout, stderr) => resolve(`${stdout}${stderr}`));
  });

describe("the README of patterns", () => {
  let printed: readonly string[] = [];
  beforeAll(async () => {
    mkdirSync(folder, { recursive: true });
    for (const [index, { program }] of blocks.entries()) writeFileSync(join(folder, fileOf(index)), program);
    // One process for all of them: loading the packages takes longer than any of them runs.
    writeFileSync(
      join(folder, "all.mts"),
      blocks.map((_, index) => `await import("./${fileOf(index)}");\nprocess.stdout.write(${JSON.stringify(border)});\n`).join(""),
    );
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({
        extends: join(root, "tsconfig.json"),
        compilerOptions: { noEmit: true },
        files: blocks.map((_, index) => fileOf(index)),
        include: [],
        exclude: [],
      }),
    );
    printed = (await run(process.execPath, [await bundledProgram(join(folder, "bundle"), join(folder, "all.mts"))])).split(border);
  }, 60_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("has a block for each part, with its output", () => {
    expect(blocks.map(({ output, apart }) => [output === undefined, apart])).toEqual(Array.from({ length: 6 }, () => [false, undefined]));
  });

  it.each(blocks.map(({ title, output = "" }, index) => [title, output, index] as const))("%s", (_title, output, index) => {
    const said = printed[index] ?? "nothing: an earlier block failed";
    if (!printsAs(output, said)) expect(said).toBe(output);
  });

  it("has blocks that compile", { timeout: 120_000 }, async (ctx) => {
    if (process.env["DROVER_LONG"] !== "1")
      ctx.skip("compiles for ten seconds: DROVER_LONG=1 npx vitest run conformance/documents/patterns-readme");
    const said = await run(join(root, "node_modules", ".bin", "tsc"), ["-p", folder, "--pretty", "false"]);
    expect(said.split("\n").filter((line) => line.includes("drover-patterns-readme"))).toEqual([]);
  });
});
