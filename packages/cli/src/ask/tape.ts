/**
 * `drover tape save`, `show` and `diff`: what an operator did, in a file.
 *
 *     operator → tapeEvents → file → readTapeFile → filteredRuns → runLines, tapeDiff
 */
import { resolve } from "node:path";
import type { DebugStatus, DebugTopology, RunRecord } from "@drover/controller";
import { budget, errorCode, errorText } from "@drover/machinery";
import { CommandError } from "../command-error.ts";
import { createExclusive } from "../exclusive-file.ts";
import { jsonLine, oneLine } from "../terminal-text.ts";
import { askEndpoint, openStream } from "./ask-endpoint.ts";
import { nameParameters } from "./asked-name.ts";
import type { Endpoint } from "./endpoint.ts";
import { withOperator } from "./reach-operator.ts";
import type { AskPlace } from "./reach-operator.ts";
import { tapeDiff, tapeDiffText } from "./tape-diff.ts";
import { tapeEvents } from "./tape-events.ts";
import { readTapeFile, tapeText } from "./tape-file.ts";
import { filteredRuns } from "./tape-filter.ts";
import type { TapeOptions } from "./tape-options.ts";
import { wrapped } from "./text-table.ts";
import { runLines } from "./trace-lines.ts";

const runsMax = budget({
  name: "cli/saved-runs",
  limit: 200_000,
  unit: "items",
  atLimit: "drover tape save ends with an error; it can save the runs of one controller or one object",
  uncounted: "The command ends with an error that says so.",
});

/**
 * Resolves with the exit code: for `diff` 1 if the tapes differ; for `save` 2 or 3 if no operator was found. Rejects with a `CommandError`
 * if a file cannot be read or written, or the operator does not answer.
 */
export async function tape(options: TapeOptions, place: AskPlace): Promise<number> {
  const print = (lines: readonly string[]): void => place.write(lines.map((line) => `${line}\n`).join(""));
  switch (options.action) {
    case "save":
      return withOperator(options.from, "leader", place, async (endpoint) => {
        print(await save(endpoint, options, place.signal));
        return 0;
      });
    case "show":
      for (const run of filteredRuns(await readTapeFile(options.file), options)) print(runLines(run, options.json ? "json" : "text"));
      return 0;
    case "diff": {
      const [a, b] = [await readTapeFile(options.a), await readTapeFile(options.b)];
      const diff = tapeDiff(filteredRuns(a, options), filteredRuns(b, options));
      print(options.json ? [jsonLine(diff)] : tapeDiffText(diff));
      return diff.differences.length === 0 ? 0 : 1;
    }
    default:
      return options;
  }
}

async function save(
  endpoint: Endpoint,
  { file, json, object, controller }: TapeOptions & { readonly action: "save" },
  signal: AbortSignal,
): Promise<readonly string[]> {
  const status = (await askEndpoint(endpoint, "/debug/drover/status", signal)) as DebugStatus;
  const { resources, controllers } = (await askEndpoint(endpoint, "/debug/drover/topology", signal)) as DebugTopology;
  const query = new URLSearchParams([["follow", "false"], ...(object === undefined ? [] : nameParameters(object))]);
  if (controller !== undefined) query.set("controller", controller);
  const runs: RunRecord[] = [];
  for await (const event of tapeEvents(await openStream(endpoint, `/debug/drover/tape?${query.toString()}`, signal))) {
    if (event.type !== "run") continue;
    if (runs.push(event.run) > runsMax.limit)
      throw new CommandError(`the tape has more than ${runsMax.limit} runs\n  fix: save a part: --controller NAME, or KIND/NAME`);
  }
  if (signal.aborted) throw new CommandError("interrupted; nothing was saved");
  const { name: program, version: drover, at: savedAt } = status;
  const named = controllers.map(({ name, kind }) => ({ name, ...(kind === undefined ? {} : { kind }) }));
  const text = tapeText({ head: { program, drover, savedAt, resources, controllers: named }, runs });
  const path = resolve(file);
  create(path, text);
  const bytes = Buffer.byteLength(text);
  if (json) return [jsonLine({ file: path, program, runs: runs.length, bytes })];
  return wrapped(`Saved ${runs.length} runs of ${oneLine(program)} to ${oneLine(path)}, ${bytes} bytes.`);
}

function create(path: string, text: string): void {
  try {
    createExclusive(path, text);
  } catch (error) {
    if (errorCode(error) === "EEXIST") throw new CommandError(`${path} exists; remove it, or choose another name`, { cause: error });
    throw new CommandError(`cannot write ${path}: ${errorText(error)}`, { cause: error });
  }
}
