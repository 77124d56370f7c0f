/**
 * The page about migrating from Wrangler: its blocks compile, its numbers are those of tests, and the entry point
 * exports the names it mentions.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const page = readFileSync(join(root, "docs", "migrating-from-wrangler.md"), "utf8");
const blocks = [...page.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code = ""]) => code);

describe("the page about migrating from Wrangler", () => {
  it("has blocks that compile", { timeout: 120_000 }, (ctx) => {
    if (process.env["DROVER_LONG"] !== "1")
      ctx.skip("compiles for ten seconds: DROVER_LONG=1 npx vitest run conformance/documents/wrangler-migration");
    // Inside the repository, so that packages resolve as in a reader's program.
    mkdirSync(join(root, "node_modules", ".cache"), { recursive: true });
    const folder = mkdtempSync(join(root, "node_modules", ".cache", "drover-wrangler-page-"));
    try {
      const files = blocks.map((code, index) => {
        writeFileSync(join(folder, `${index}.ts`), code);
        return `${index}.ts`;
      });
      writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
      writeFileSync(
        join(folder, "tsconfig.json"),
        JSON.stringify({
          extends: join(root, "tsconfig.json"),
          compilerOptions: { noUnusedLocals: false, noEmit: true },
          files,
          include: [],
          exclude: [],
        }),
      );
      const { stdout } = spawnSync(join(root, "node_modules", ".bin", "tsc"), ["-p", folder, "--pretty", "false"], {
        cwd: root,
        encoding: "utf8",
      });
      expect([blocks.length, stdout.split("\n").filter((line) => line.includes("drover-wrangler-page-") || /^\d\.ts/.test(line))]).toEqual([
        3,
        [],
      ]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("has a test for every trap it names", () => {
    const numbers = [...page.matchAll(/^\| (\d+) \|/gm)].map(([, number = ""]) => number);
    const folders = [
      "conformance",
      ...["controller", "cache", "patterns", "drover", "client-go", "lasso", "wrangler"].map((name) => join("packages", name, "src")),
    ];
    const tests = folders
      .flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
          .filter((file) => file.endsWith(".test.ts"))
          .map((file) => readFileSync(join(root, folder, file), "utf8")),
      )
      .join("\n");
    expect(numbers).toHaveLength(23);
    expect(numbers.filter((number) => !new RegExp(`it\\("[^"]*trap ${number}\\b`).test(tests))).toEqual([]);
  });

  it("names in its second column only what is behind the door", () => {
    const door = readFileSync(join(root, "packages", "wrangler", "src", "index.ts"), "utf8");
    const called = [...page.matchAll(/from "drover\/wrangler"/g)];
    expect(called.length).toBeGreaterThan(2);
    for (const name of [
      "newFactory",
      "registerStatusHandler",
      "registerGeneratingHandler",
      "keep",
      "newApply",
      "relatedresource",
      "cond",
      "kstatus",
      "crd",
      "newCrdFactory",
      "printCRDs",
      "crdObjects",
      "safeConcatName",
      "guessPluralName",
      "ErrSkip",
      "StatusError",
      "newObjectSet",
    ]) {
      expect([name, new RegExp(`\\b${name}\\b`).test(door), page.includes(name)]).toEqual([name, true, true]);
    }
  });
});
