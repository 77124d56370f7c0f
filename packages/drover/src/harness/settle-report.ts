/**
 * What is told when an operator does not come to rest.
 *
 *     OperatorLife, unrest, audited writes → NotSettledError
 */
import { explain, findLoops, printLoop, why } from "@drover/controller";
import type { RecordingTape, RunRecord } from "@drover/controller";
import { formatDuration } from "@drover/machinery";
import { NotSettledError } from "./not-settled-error.ts";
import type { OperatorLife, Spin } from "./operator-life.ts";
import type { Unrest } from "./unrest.ts";
import type { AuditedWrite } from "./write-audit.ts";

/** A key runs and runs. */
export function loopError({ tape, spin }: OperatorLife, { controller, key, runs }: Spin): NotSettledError {
  const loops = loopLines(tape);
  const last = explain(why(tape, { key, controller, runsMax: 2 })).map((line) => `  ${line}`);
  return new NotSettledError(
    "loop",
    `settled: ${key} in controller ${controller} ran ${runs} times and does not come to rest.${spin === undefined ? "" : " The operator was stopped."}`,
    [...(loops.length === 0 ? ["  No write of it changes anything: it asks for its own next run."] : loops), "Its last runs:", ...last],
  );
}

/** Keys fail, and time has moved on for as long as it may. */
export function failingError({ tape }: OperatorLife, unrest: readonly Unrest[], movedMs: number): NotSettledError {
  const lines = unrest.map(({ what, failing }) => {
    if (failing === undefined) return `  ${what}`;
    const {
      controller,
      report: { key, attempts, reason = "it did not say why", nextRunInMs = 0 },
    } = failing;
    return `  ${key} in controller ${controller}, ${attempts} ${attempts === 1 ? "attempt" : "attempts"}, the next in ${formatDuration(Math.round(nextRunInMs))}: ${reason}`;
  });
  const isFailing = unrest.some(({ failing }) => failing !== undefined);
  return new NotSettledError(
    "failing",
    `settled: ${isFailing ? "these keep failing" : "these do not come to rest"}, although ${formatDuration(Math.round(movedMs))} were waited for them:`,
    [...lines, ...loopLines(tape)],
  );
}

const loopLines = (tape: RecordingTape): readonly string[] =>
  findLoops(tape.runs({ last: 400 }), { loopRunsMax: 5 }).map((loop) => `  ${printLoop(loop)}`);

/** Nothing moves, and the clock is not the reason. */
export function stuckError({ tape }: OperatorLife, unrest: readonly Unrest[], waitedMs: number): NotSettledError {
  const runs = tape
    .runs({ last: 200 })
    .filter(({ result }) => result === undefined)
    .map((run) => `  ${run.key} in controller ${run.controller}, run ${run.run}: ${lastCall(run)}`);
  return new NotSettledError(
    "stuck",
    `settled: nothing has moved for ${formatDuration(Math.round(waitedMs))} of real time, and moving the clock did not help:`,
    [
      ...unrest.map(({ what }) => `  ${what}`),
      ...(runs.length === 0 ? [] : ["Runs that have not ended, and what they did last:", ...runs]),
      "What waits for sockets, files or real timers may be slow: give it longer with waitMs. What nobody will ever settle is a bug in the operator.",
    ],
  );
}

function lastCall({ calls }: RunRecord): string {
  const last = calls.at(-1);
  return last === undefined ? "no call to the server yet" : `${last.method} ${last.path} ${last.status ?? last.error ?? ""}`;
}

/** The operator is not there. */
export function endedError(failure: { readonly error: unknown }): NotSettledError {
  const message = failure.error instanceof Error ? failure.error.message : String(failure.error);
  return new NotSettledError("ended", `the operator has ended: ${message}`, [], { cause: failure.error });
}

/** A second run of everything wrote. */
export function unstableError({ tape }: OperatorLife, writes: readonly AuditedWrite[]): NotSettledError {
  const runs = tape.runs({ last: 1000 });
  const told = new Map<string, { readonly lines: readonly string[]; times: number }>();
  for (const write of writes) {
    const lines = writeLines(write, runs);
    const name = `${write.method} ${write.path}`;
    const known = told.get(name);
    if (known === undefined) told.set(name, { lines, times: 1 });
    else known.times++;
  }
  return new NotSettledError("unstable", "settled: nothing had changed, everything was run once more, and the operator wrote again:", [
    ...[...told.values()].flatMap(({ lines: [first = "", ...rest], times }) => [
      `  ${first}${times === 1 ? "" : `, ${times} times`}`,
      ...rest,
    ]),
    "A run that has nothing to do writes nothing: what it writes may depend on what it reads, and not on time, chance or the number of runs.",
    "Where a second write is right, ask with settled({ twice: false }).",
  ]);
}

function writeLines({ method, path, verb, object, fields, change }: AuditedWrite, runs: readonly RunRecord[]): readonly string[] {
  const run = runs.findLast(({ calls }) => calls.some((call) => call.method === method && call.path === path));
  const who = run === undefined ? "" : `, by controller ${run.controller} for ${run.key}`;
  if (change === "changed" && fields.length === 0)
    return [`${verb} ${object}${who}`, "    no field changed, only who owns which (metadata.managedFields)"];
  return [
    `${verb} ${object}${who}`,
    ...fields.map(({ path: field, before = "nothing", after = "nothing" }) => `    ${field} ${before} → ${after}`),
  ];
}
