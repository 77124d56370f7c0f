/**
 * `drover reconcile`: makes a running operator reconcile an object, or all of them.
 *
 *     ReconcileOptions → POST /debug/drover/reconcile → awaitedRuns → lines, exit code
 */
import type { DebugReconcile, DebugStatus, RunRecord } from "@drover/controller";
import { CommandError } from "../command-error.ts";
import { jsonLine, oneLine } from "../terminal-text.ts";
import { askEndpoint, openStream, tellEndpoint } from "./ask-endpoint.ts";
import { nameParameters } from "./asked-name.ts";
import { awaitedRuns, hasFailed } from "./awaited-runs.ts";
import type { Endpoint } from "./endpoint.ts";
import { withOperator } from "./reach-operator.ts";
import type { AskPlace } from "./reach-operator.ts";
import type { ReconcileOptions } from "./reconcile-options.ts";
import { tapeEvents } from "./tape-events.ts";
import { wrapped } from "./text-table.ts";
import { runLines } from "./trace-lines.ts";

/** Failed runs that are printed. */
const failuresShown = 50;

/**
 * Resolves with the exit code: with `--wait` 1 if a run has failed; 2 or 3 if no operator was found. Rejects with a `CommandError` if the
 * operator refuses, does not answer, or the runs have not ended in time.
 */
export function reconcile(options: ReconcileOptions, place: AskPlace): Promise<number> {
  return withOperator(options.from, "leader", place, (endpoint) => reconciled(endpoint, options, place));
}

async function reconciled(endpoint: Endpoint, options: ReconcileOptions, place: AskPlace): Promise<number> {
  const { object, controller, waitSeconds, json } = options;
  const print = (lines: readonly string[]): void => place.write(lines.map((line) => `${line}\n`).join(""));
  if (waitSeconds !== undefined) await requireTape(endpoint, place.signal);
  const query = new URLSearchParams(object === undefined ? [["all", "true"]] : nameParameters(object));
  if (controller !== undefined) query.set("controller", controller);
  const asked = (await tellEndpoint(endpoint, `/debug/drover/reconcile?${query.toString()}`, place.signal)) as DebugReconcile;
  const what = asked.enqueued.map(({ controller: name, keys }) => `${keys} ${keys === 1 ? "object" : "objects"} of ${oneLine(name)}`);
  if (waitSeconds === undefined) {
    print(json ? [jsonLine(asked)] : wrapped(`Enqueued ${what.join(", ")}.`));
    return 0;
  }
  const failed: RunRecord[] = [];
  let ended = 0;
  for await (const run of inTime(endpoint, asked, waitSeconds, place)) {
    ended++;
    if (hasFailed(run)) failed.push(run);
    // One object: the whole story. Many: only what went wrong.
    if (!json && (object !== undefined || (hasFailed(run) && failed.length <= failuresShown))) print(runLines(run, "text"));
  }
  if (json) print([jsonLine({ ...asked, ended, failed: failed.length, failures: failed.slice(0, failuresShown) })]);
  else if (object === undefined) print(wrapped(`Reconciled ${what.join(", ")}: ${failed.length} failed.`));
  return failed.length === 0 ? 0 : 1;
}

async function requireTape(endpoint: Endpoint, signal: AbortSignal): Promise<void> {
  const { tape } = (await askEndpoint(endpoint, "/debug/drover/status", signal)) as DebugStatus;
  if (tape === "off")
    throw new CommandError("--wait needs the tape of the operator, which is off\n  fix: run it without tape: false, or leave --wait out");
}

/** The signal ends the stream; the error of the stream would not say why. */
async function* inTime(
  endpoint: Endpoint,
  asked: DebugReconcile,
  waitSeconds: number,
  { clock, signal }: Pick<AskPlace, "clock" | "signal">,
): AsyncGenerator<RunRecord> {
  const late = new AbortController();
  const cancel = clock.timer(waitSeconds * 1000, () => late.abort());
  try {
    const path = `/debug/drover/tape?cursor=${asked.cursor ?? 0}`;
    yield* awaitedRuns(asked, tapeEvents(await openStream(endpoint, path, AbortSignal.any([signal, late.signal]))));
  } catch (error) {
    if (signal.aborted) throw new CommandError("interrupted; what was enqueued runs nevertheless", { cause: error });
    if (!late.signal.aborted) throw error;
    const fix = "drover queue shows what waits, drover why KIND/NAME what keeps an object from running";
    throw new CommandError(`not all runs have ended within ${waitSeconds} s\n  fix: ${fix}`, { cause: error });
  } finally {
    cancel();
  }
}
