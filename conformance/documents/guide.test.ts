/** The pages of docs/guide, followed as a reader would: writes the files, runs the commands, and compares the output with the page. */
import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { printsAs } from "./client-readme-blocks.ts";

const root = join(import.meta.dirname, "..", "..");
const guide = join(root, "docs", "guide");
const folder = join(root, "node_modules", ".cache", "drover-guide");

interface Block {
  readonly language: string;
  /** The file that the block shows, if any. */
  readonly file: string;
  readonly text: string;
  /** Why it is not run; empty when it is. */
  readonly apart: string;
  /** The expected output, with `…` for anything. */
  readonly output: string | undefined;
}

const fence =
  /^(?:<!-- (?<apart>.+?) -->\n)?```(?<language>\w+)(?: (?<file>\S+))?\n(?<text>.*?)^```\n(?:\n```text\n(?<output>.*?)^```\n)?/gms;
const blocksOf = (markdown: string): readonly Block[] =>
  [...markdown.matchAll(fence)].map(({ groups = {} }) => {
    const { apart = "", language = "", file = "", text = "" } = groups;
    return { language, file, text, apart, output: groups["output"] };
  });

/** The reader has Drover's declarations; here its sources are compiled, which are stricter than a reader's code must be. */
const ourOptions: readonly string[] = [
  "--customConditions",
  "drover-source",
  "--exactOptionalPropertyTypes",
  "--noUncheckedIndexedAccess",
  "--lib",
  "es2023,esnext.disposable,dom",
];

/** Runs one command in the reader's folder; returns what it printed on both streams. */
function run(command: string): Promise<{ readonly code: number; readonly printed: string }> {
  const { FORCE_COLOR: _colour, NODE_OPTIONS: _options, ...inherited } = process.env;
  const env = {
    ...inherited,
    PATH: `${join(root, "node_modules", ".bin")}:${process.env["PATH"] ?? ""}`,
    NODE_OPTIONS: "--conditions=drover-source",
    NO_COLOR: "1",
  };
  const [program = "", ...words] = command.replace(/^npx /, "").split(" ");
  const given = program === "tsc" ? [...words, ...ourOptions] : words;
  return new Promise((resolve) => {
    const child = execFile(program, given, { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? (error === null ? 0 : 1), printed: `${stdout}${stderr}` }),
    );
  });
}

/** Starts many processes, so it runs only in `.ci/run` and with DROVER_LONG=1. */
const missing = process.env["DROVER_LONG"] === "1" ? undefined : "takes a minute: DROVER_LONG=1 npx vitest run conformance/documents/guide";

describe("the guide", () => {
  const pages = readdirSync(guide)
    .filter((name) => name.endsWith(".md"))
    .toSorted((a, b) => (a === "README.md" ? -1 : b === "README.md" ? 1 : a.localeCompare(b)));
  beforeAll(() => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    // The effect of the first page's `npm init` and `npm install`, from the repository.
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    const conditions = ["drover-source", "module", "node", "development|production", "import", "default"];
    writeFileSync(
      join(folder, "vitest.config.ts"),
      `export default { test: { testTimeout: 60_000 }, resolve: { conditions: ${JSON.stringify(conditions)} }, ssr: { resolve: { conditions: ${JSON.stringify(conditions)} } } };`,
    );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("has pages, all linked from the first", () => {
    const first = readFileSync(join(guide, "README.md"), "utf8");
    expect(pages.length).toBeGreaterThan(1);
    for (const page of pages.slice(1)) expect(first).toContain(`(${page})`);
  });

  for (const page of pages) {
    it(`${page}: its files compile, its commands print what it says`, { timeout: 120_000 }, async (ctx) => {
      if (missing !== undefined) ctx.skip(missing);
      for (const { language, file, text, apart, output } of blocksOf(readFileSync(join(guide, page), "utf8"))) {
        if (apart !== "") continue;
        if (file !== "") {
          writeFileSync(join(folder, file), text);
          continue;
        }
        if (language !== "sh") throw new Error(`${page}: a block that is neither a file nor a command:\n${text}`);
        let printed = "";
        for (const command of text
          .trim()
          .split("\n")
          .filter((line) => !line.startsWith("npm "))) {
          const ran = await run(command);
          if (ran.code !== 0) throw new Error(`${page}: ${command} ended with ${ran.code}:\n${ran.printed}`);
          printed += ran.printed;
        }
        if (output !== undefined && !printsAs(output.trim(), printed.trim())) expect(printed).toBe(output);
      }
    });
  }

  it("has files that compile", { timeout: 120_000 }, async (ctx) => {
    if (missing !== undefined) ctx.skip(missing);
    expect(await run("npx tsc")).toEqual({ code: 0, printed: "" });
  });
});
