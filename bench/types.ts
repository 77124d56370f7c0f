/**
 * `npm run bench -- types [rounds]`: the cost of type-checking one file that uses Pod and Deployment, with the
 * published types of @drover/api and with those of @kubernetes/client-node. "Above empty" compares the cost beyond an
 * empty file.
 *
 * Each program has its own folder outside the repository, with its packages installed as a user would have them; the
 * other library comes from the npm registry, without which there is nothing to compare with. Rounds alternate; the
 * table shows medians.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { programs } from "./types/programs.ts";
import type { Program } from "./types/programs.ts";

const root = join(import.meta.dirname, "..");
const rounds = Number(process.argv[3] ?? 7);
const compilers = [
  { name: "tsc 7.0.2", file: join(root, "node_modules", "typescript", "bin", "tsc") },
  { name: "tsc 5.9.3", file: join(root, "node_modules", "typescript-ast", "bin", "tsc") },
];

interface Sample {
  readonly seconds: number;
  readonly megabytes: number;
  readonly files: number;
  readonly types: number;
  readonly errors: number;
}

build();
const folder = mkdtempSync(join(tmpdir(), "drover-bench-types-"));
try {
  for (const program of programs) install(program);
  for (const compiler of compilers) for (const skipLibCheck of [true, false]) compare(compiler, skipLibCheck);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function build(): void {
  const { status } = spawnSync(process.execPath, [compilers[0]?.file ?? "", "-b", join(root, "packages", "api")], { stdio: "inherit" });
  if (status !== 0) fail("packages/api does not build; nothing was measured.");
}

function install({ name, packages, local, text }: Program): void {
  const home = join(folder, name);
  mkdirSync(home);
  writeFileSync(join(home, "package.json"), JSON.stringify({ private: true, type: "module" }));
  writeFileSync(join(home, "program.ts"), text);
  const command = ["install", "--ignore-scripts", "--no-audit", "--no-fund", ...packages];
  const { status, stderr } = spawnSync("npm", command, { cwd: home, encoding: "utf8" });
  if (status !== 0) fail(`npm cannot install ${packages.join(" ")}; check the network. Nothing was measured.\n${stderr}`);
  for (const part of local) {
    const target = join(home, "node_modules", "@drover", part);
    mkdirSync(target, { recursive: true });
    for (const entry of ["package.json", "dist"]) cpSync(join(root, "packages", part, entry), join(target, entry), { recursive: true });
  }
}

function compare(compiler: (typeof compilers)[number], skipLibCheck: boolean): void {
  const samples = programs.map((): Sample[] => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [index, program] of programs.entries()) {
      const sample = measure(compiler.file, program, skipLibCheck);
      // The first round warms the disk cache.
      if (round > 0) samples[index]?.push(sample);
    }
  }
  const [base, ours, theirs] = samples.map(medians);
  if (base === undefined || ours === undefined || theirs === undefined) return;
  const row = (label: string, pick: (sample: Sample) => number, digits: number): string => {
    const values = [base, ours, theirs].map(pick);
    const [nothing = 0, left = 0, right = 0] = values;
    // Where ours costs no more than the noise of the empty file, a ratio would be noise too.
    const above = left - nothing > nothing * 0.02 ? (right - nothing) / (left - nothing) : Number.NaN;
    const ratios = [right / left, above].map((ratio) => (Number.isFinite(ratio) ? `${ratio.toFixed(1)}x` : "–"));
    return `  ${label.padEnd(14)}${[...values.map((value) => value.toFixed(digits)), ...ratios].map((cell) => cell.padStart(13)).join("")}\n`;
  };
  const heads = [...programs.map(({ name }) => name), "ratio", "above empty"];
  process.stdout.write(
    `${compiler.name}, skipLibCheck ${skipLibCheck ? "on" : "off"}, median of ${rounds}\n` +
      `  ${"".padEnd(14)}${heads.map((head) => head.padStart(13)).join("")}\n` +
      row("total time, s", ({ seconds }) => seconds, 3) +
      row("memory, MB", ({ megabytes }) => megabytes, 1) +
      row("files", ({ files }) => files, 0) +
      row("types", ({ types }) => types, 0) +
      row("errors", ({ errors }) => errors, 0),
  );
}

function measure(compiler: string, { name }: Program, skipLibCheck: boolean): Sample {
  const options = [
    "--noEmit",
    "--strict",
    "--target",
    "ES2022",
    "--module",
    "NodeNext",
    "--types",
    "node",
    "--skipLibCheck",
    String(skipLibCheck),
  ];
  const args = [compiler, ...options, "--extendedDiagnostics", "program.ts"];
  const { stdout, error } = spawnSync(process.execPath, args, { cwd: join(folder, name), encoding: "utf8" });
  if (error !== undefined) fail(`${compiler}: ${error.message}`);
  const value = (label: string): number => Number(new RegExp(`^${label}:\\s+([\\d.]+)`, "m").exec(stdout)?.[1] ?? Number.NaN);
  return {
    seconds: value("Total time"),
    megabytes: value("Memory used") / 1024,
    files: value("Files"),
    types: value("Types"),
    errors: stdout.split("\n").filter((line) => line.includes("error TS")).length,
  };
}

function medians(samples: readonly Sample[]): Sample {
  const median = (pick: (sample: Sample) => number): number =>
    samples.map(pick).toSorted((a, b) => a - b)[samples.length >> 1] ?? Number.NaN;
  return {
    seconds: median(({ seconds }) => seconds),
    megabytes: median(({ megabytes }) => megabytes),
    files: median(({ files }) => files),
    types: median(({ types }) => types),
    errors: median(({ errors }) => errors),
  };
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
