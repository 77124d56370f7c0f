/**
 * Builds the errors for an operator that does not become idle.
 *
 *     OperatorLife, unrest, audited writes → NotSettledError
 */
import { explain, findLoops, printLoop, why } from "@drover/controller";
import type { RecordingTape, RunRecord } from "@drover/controller";
import { errorText, formatDuration } from "@drover/machinery";
import { NotSettledError } from "./not-settled-error.ts";
import type { OperatorLife, Spin } from "./operator-life.ts";
import type { Unrest } from "./unrest.ts";
import type { AuditedWrite } from "./write-audit.ts";

/** A key runs endlessly. */
export function loopError({ tape, spin }: OperatorLife, { controller, key, runs }: Spin): NotSettledError {
  const loops = loopLines(tape);
  const last = explain(why(tape, { key, controller, runsMax: 2 })).map((line) => `  ${line}`);
  return new NotSettledError(
    "loop",
    `settled: ${key} in controller ${controller} ran ${runs} times and does not become idle.${spin === undefined ? "" : " The operator was stopped."}`,
    [...(loops.length === 0 ? ["  Its writes change nothing: it requeues itself."] : loops), "Its last runs:", ...last],
  );
}

/** Keys still fail after the allowed time. */
export function failingError({ tape }: OperatorLife, unrest: readonly Unrest[], movedMs: number): NotSettledError {
  const lines = unrest.map(({ what, failing }) => {
    if (failing === undefined) return `  ${what}`;
    const {
      controller,
      report: { key, attempts, reason = "no reason given", nextRunInMs = 0 },
    } = failing;
    return `  ${key} in controller ${controller}, ${attempts} ${attempts === 1 ? "attempt" : "attempts"}, the next in ${formatDuration(Math.round(nextRunInMs))}: ${reason}`;
  });
  const isFailing = unrest.some(({ failing }) => failing !== undefined);
  return new NotSettledError(
    "failing",
    `settled: ${isFailing ? "still failing" : "not idle"} after ${formatDuration(Math.round(movedMs))}:`,
    [...lines, ...loopLines(tape)],
  );
}

const loopLines = (tape: RecordingTape): readonly string[] =>
  findLoops(tape.runs({ last: 400 }), { loopRunsMax: 5 }).map((loop) => `  ${printLoop(loop)}`);

/** No progress, and advancing the clock does not help. */
export function stuckError({ tape }: OperatorLife, unrest: readonly Unrest[], waitedMs: number): NotSettledError {
  const runs = tape
    .runs({ last: 200 })
    .filter(({ result }) => result === undefined)
    .map((run) => `  ${run.key} in controller ${run.controller}, run ${run.run}: ${lastCall(run)}`);
  return new NotSettledError(
    "stuck",
    `settled: no progress for ${formatDuration(Math.round(waitedMs))} of real time, and advancing the clock did not help:`,
    [
      ...unrest.map(({ what }) => `  ${what}`),
      ...(runs.length === 0 ? [] : ["Runs that have not ended, with their last call:", ...runs]),
      "If it waits for sockets, files or real timers, increase waitMs. If it waits for something that never happens, the operator has a bug.",
    ],
  );
}

function lastCall({ calls }: RunRecord): string {
  const last = calls.at(-1);
  return last === undefined ? "no call to the server yet" : `${last.method} ${last.path} ${last.status ?? last.error ?? ""}`;
}

/** The operator has ended. */
export function endedError(failure: { readonly error: unknown }): NotSettledError {
  return new NotSettledError("ended", `the operator has ended: ${errorText(failure.error)}`, [], { cause: failure.error });
}

/** A second run of all keys wrote something. */
export function unstableError({ tape }: OperatorLife, writes: readonly AuditedWrite[]): NotSettledError {
  const runs = tape.runs({ last: 1000 });
  const grouped = new Map<string, { readonly lines: readonly string[]; times: number }>();
  for (const write of writes) {
    const lines = writeLines(write, runs);
    const name = `${write.method} ${write.path}`;
    const known = grouped.get(name);
    if (known === undefined) grouped.set(name, { lines, times: 1 });
    else known.times++;
  }
  return new NotSettledError("unstable", "settled: the operator wrote again when all keys were run once more without any change:", [
    ...[...grouped.values()].flatMap(({ lines: [first = "", ...rest], times }) => [
      `  ${first}${times === 1 ? "" : `, ${times} times`}`,
      ...rest,
    ]),
    "A run with nothing to do must not write: its writes may depend on what it reads, not on time, random values or the number of runs.",
    "If a second write is intended, call settled({ twice: false }).",
  ]);
}

function writeLines({ method, path, verb, object, fields, change }: AuditedWrite, runs: readonly RunRecord[]): readonly string[] {
  const run = runs.findLast(({ calls }) => calls.some((call) => call.method === method && call.path === path));
  const who = run === undefined ? "" : `, by controller ${run.controller} for ${run.key}`;
  if (change === "changed" && fields.length === 0)
    return [`${verb} ${object}${who}`, "    no field changed, only its owner (metadata.managedFields)"];
  return [
    `${verb} ${object}${who}`,
    ...fields.map(({ path: field, before = "nothing", after = "nothing" }) => `    ${field} ${before} → ${after}`),
  ];
}
