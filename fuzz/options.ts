/** The command line of `npm run fuzz`. */
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { parseDuration } from "@drover/machinery";
import { targets } from "./targets.ts";

export interface FuzzOptions {
  readonly names: readonly string[];
  readonly milliseconds: number;
  readonly repeatable: boolean;
  readonly seed: string;
  readonly jobs: number;
  readonly replay?: Uint8Array;
}

/** Throws an error with a sentence for the user. */
export function fuzzOptions(args: readonly string[]): FuzzOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      for: { type: "string" },
      seed: { type: "string" },
      repeatable: { type: "boolean" },
      replay: { type: "string" },
      jobs: { type: "string" },
    },
  });
  const unknown = positionals.filter((name) => !targets.has(name));
  if (unknown.length > 0) throw new Error(`no target ${unknown.join(", ")}; there are: ${[...targets.keys()].join(", ")}`);
  if (values.replay !== undefined && positionals.length !== 1)
    throw new Error("--replay needs one target: npm run fuzz -- json --replay <file>");
  const jobs = Number(values.jobs ?? availableParallelism());
  if (!Number.isInteger(jobs) || jobs < 1) throw new Error(`--jobs ${values.jobs} is not a number of threads`);
  return {
    names: positionals.length === 0 ? [...targets.keys()] : positionals,
    milliseconds: parseDuration(values.for ?? "60s"),
    repeatable: values.repeatable ?? false,
    seed: values.seed ?? String(Math.floor(Math.random() * 2 ** 32)),
    jobs,
    ...(values.replay === undefined ? {} : { replay: new Uint8Array(readFileSync(values.replay)) }),
  };
}
