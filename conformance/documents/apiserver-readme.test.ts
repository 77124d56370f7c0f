/** The code of the API server's README does what the page says. */
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { bundledProgram } from "./bundled-program.ts";

const root = join(import.meta.dirname, "..", "..");

it("the README of the API server prints what it says it prints", async () => {
  const [, block = ""] = /```ts\n(.*?)```/s.exec(readFileSync(join(root, "packages", "apiserver", "README.md"), "utf8")) ?? [];
  const folder = join(root, "node_modules", ".cache", "drover-apiserver-readme");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "readme.mts");
  writeFileSync(file, block);
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [await bundledProgram(join(folder, "bundle"), file)], { cwd: root });
    const said = [...block.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map(([, text]) => text);
    expect(said).toEqual(["201", "ADDED"]);
    expect(stdout.trim().split("\n")).toEqual(said);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 60_000);
