/** Assertions about types do nothing at run time; the compiler checks them. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readHouse } from "./tidy/read-house.ts";

const isLong = process.env["DROVER_LONG"] === "1";
const root = join(import.meta.dirname, "..");

// The whole tree takes the compiler several times as long, and `npm run lint` checks it as well.
it(
  isLong ? "type-checks the whole tree, type tests included" : "type-checks every test of types, and all that it imports",
  () => {
    // One checker, which sees every type once, and more memory before garbage collection: much less processor time.
    const { stdout, status } = spawnSync(
      join(root, "node_modules", ".bin", "tsc"),
      ["-p", isLong ? "tsconfig.json" : typeTests(), "--pretty", "false", "--checkers", "1"],
      { cwd: root, encoding: "utf8", env: { ...process.env, GOGC: "400" } },
    );
    expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
  },
  120_000,
);

it.runIf(isLong)(
  "type-checks the programs of the benchmarks: they are JavaScript, and each imports built packages by name",
  () => {
    const files = readdirSync(join(root, "bench"), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".mjs"))
      .map((file) => join(root, "bench", file));
    expect(files.length).toBeGreaterThan(3);
    const options = {
      allowJs: true,
      checkJs: true,
      noImplicitAny: false,
      strictNullChecks: true,
      isolatedDeclarations: false,
      composite: false,
    };
    const project = writeProject("bench-programs.json", { compilerOptions: options, include: [], files });
    const { stdout } = spawnSync(join(root, "node_modules", ".bin", "tsc"), ["-p", project, "--pretty", "false"], {
      cwd: root,
      encoding: "utf8",
    });
    expect(stdout.split("\n").filter((line) => /has no exported member|does not exist on type 'typeof import/.test(line))).toEqual([]);
  },
  120_000,
);

/** Writes a project of the files with assertions about types. */
function typeTests(): string {
  const { packages, yard } = readHouse(root);
  const files = [...packages.flatMap((each) => each.files), ...yard]
    .filter(({ text }) => /\bexpectTypeOf\b|@ts-expect-error/.test(text))
    .map(({ path }) => join(root, path));
  expect(files.length).toBeGreaterThan(10);
  return writeProject("type-tests.json", { include: [], files });
}

function writeProject(name: string, settings: object): string {
  const folder = join(root, "node_modules", ".cache", "drover");
  mkdirSync(folder, { recursive: true });
  const project = join(folder, name);
  writeFileSync(project, JSON.stringify({ extends: join(root, "tsconfig.json"), ...settings }));
  return project;
}
