/**
 * Tells a failed schedule: what the user did, what the programs wrote, which faults they met, and what was wrong at the end.
 *
 *     Failure → storyOf → lines
 */
import type { Fault } from "../plan/fault.ts";
import type { Failure } from "../search/prove.ts";
import type { RequestEntry, TraceEntry } from "../world/trace.ts";

const linesMax = 40;

/** Returns lines for people; the finding comes last. */
export function storyOf({ findings, outcome, decisions }: Failure): readonly string[] {
  const told = outcome.trace.entries.filter((entry) => isTold(entry, decisions)).map(lineOf);
  const shown =
    told.length <= linesMax
      ? told
      : [...told.slice(0, linesMax - 11), `           … ${told.length - linesMax + 1} more`, ...told.slice(-10)];
  return [...shown, ...findings.slice(0, 5).map(({ text }) => `  wrong:   ${text}`)];
}

/** Writes, faults and notes; reads and events only where something happened to them. */
function isTold(entry: TraceEntry, decisions: ReadonlyMap<string, number>): boolean {
  if (entry.kind === "note") return true;
  if (entry.kind === "event") return decisions.has(entry.id);
  return entry.fault !== "none" || (!["get", "list", "watch"].includes(entry.info.verb) && !entry.info.resource.endsWith("reviews"));
}

function lineOf(entry: TraceEntry): string {
  const at = `${(entry.atMs / 1000).toFixed(3)} s`.padStart(10);
  const who = entry.life?.name ?? "cluster";
  if (entry.kind === "note") return `${at}  ${who}: ${entry.text}`;
  if (entry.kind === "event") return `${at}  ${who} receives an event of ${entry.info.resource} late`;
  return `${at}  ${who}: ${attemptOf(entry)}${becameOf(entry)}`;
}

function attemptOf({ info: { verb, resource, name, subresource } }: RequestEntry): string {
  return `${verb} ${resource}${name === "" ? "" : ` ${name}`}${subresource === "" ? "" : ` (${subresource})`}`;
}

const consequences: Readonly<Partial<Record<Fault, string>>> = {
  lost: "; the server does it, the answer is lost",
  "lost-late": "; the server does it, the answer says that it timed out",
  "crash-before": "; it dies before it is sent",
  "crash-after": "; the server does it, then the process dies",
  refused: "; connection refused",
  pause: "; the process pauses for 40 s meanwhile",
  slow: "; the answer takes 30 s",
};

function becameOf({ fault, outcome }: RequestEntry): string {
  if (outcome === undefined) return consequences[fault] ?? "; no answer";
  return consequences[fault] ?? (typeof outcome === "number" ? ` → ${outcome}` : `; ${outcome.message}`);
}
