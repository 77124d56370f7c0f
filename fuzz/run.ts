/**
 * `npm run fuzz`: feeds mutated inputs to every decoder, parser and merge, and fails when an invariant is broken.
 *
 *     npm run fuzz                             all targets, a minute each
 *     npm run fuzz -- json yaml --for 2h       these targets, two hours each
 *     npm run fuzz -- json --seed 7            the inputs of a former run, as far as both come in the time
 *     npm run fuzz -- --seed 7 --repeatable    the same inputs in every run: as many as a slow core runs in the time
 *     npm run fuzz -- json --replay <file>     one input
 */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fuzzOptions } from "./options.ts";
import type { FuzzOptions } from "./options.ts";
import { fuzzTarget } from "./supervisor.ts";
import type { Report } from "./supervisor.ts";

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const crashFolder = join(import.meta.dirname, "crashes");

const options = readOptions();
const { names, seed, milliseconds, repeatable, jobs, replay } = options;
const columns = ["target", "executions", "per s", "corpus", "blocks", "longest", "crashes"] as const;
print(`seed ${seed}, ${milliseconds / 1000} s per target, ${jobs} at a time`);
print(columns.map((column, index) => (index === 0 ? column.padEnd(12) : column.padStart(11))).join(""));

const waiting = [...names];
let failed = 0;
await Promise.all(Array.from({ length: Math.min(jobs, waiting.length) }, fuzzNext));
print(`${names.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function fuzzNext(): Promise<void> {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const report = await fuzzTarget({ name, seed, milliseconds, repeatable, ...(replay === undefined ? {} : { replay }) });
    printReport(report);
    if (report.crashes.length > 0) failed++;
  }
}

function printReport({ name, executions, kept, blocks, longestMs, seconds, crashes }: Report): void {
  const cells = [executions, Math.round(executions / seconds), kept, blocks, `${longestMs.toFixed(1)} ms`, crashes.length];
  print(name.padEnd(12) + cells.map((cell) => String(cell).padStart(11)).join(""));
  for (const { text, input } of crashes) {
    print(`  FAILS ${text.replaceAll("\n", "\n    ")}`);
    if (replay !== undefined) continue;
    const file = join(crashFolder, `${name}-${createHash("sha256").update(input).digest("hex").slice(0, 12)}`);
    mkdirSync(crashFolder, { recursive: true });
    writeFileSync(file, input);
    print(`  npm run fuzz -- ${name} --replay ${relative(process.cwd(), file)}`);
  }
}

function readOptions(): FuzzOptions {
  try {
    return fuzzOptions(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return process.exit(2);
  }
}
