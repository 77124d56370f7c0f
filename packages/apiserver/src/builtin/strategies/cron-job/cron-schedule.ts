/** Schedules in the notation of cron, as the library that Kubernetes uses reads them. */
import { parseDurationNanos, quoteGo, ValueSyntaxError } from "@drover/machinery";
import { isTimeZone } from "./time-zone.ts";

interface CronField {
  readonly min: number;
  readonly max: number;
  readonly names: ReadonlyMap<string, number>;
}

const noNames: ReadonlyMap<string, number> = new Map();
const months: ReadonlyMap<string, number> = new Map(["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"].map((name, index) => [name, index + 1]));
const days: ReadonlyMap<string, number> = new Map(["sun", "mon", "tue", "wed", "thu", "fri", "sat"].map((name, index) => [name, index]));
const fields: readonly CronField[] = [
  { min: 0, max: 59, names: noNames }, { min: 0, max: 23, names: noNames }, { min: 1, max: 31, names: noNames }, { min: 1, max: 12, names: months }, { min: 0, max: 6, names: days },
];
const descriptors: ReadonlySet<string> = new Set(["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"]);

/** What is wrong with a schedule, in the library's words; undefined when nothing is. */
export function cronScheduleProblem(schedule: string): string | undefined {
  const zone = /^(?:CRON_)?TZ=/.exec(schedule)?.[0];
  if (zone === undefined) return scheduleProblem(schedule);
  const end = schedule.indexOf(" ");
  // The library fails hard here, and Kubernetes catches it.
  if (end < zone.length) return `invalid schedule format: runtime error: slice bounds out of range [${end < 0 ? ":-1" : `${zone.length}:${end}`}]`;
  const name = schedule.slice(zone.length, end);
  if (!isTimeZone(name)) return `provided bad location ${name}: unknown time zone ${name}`;
  return scheduleProblem(schedule.slice(end).trim());
}

function scheduleProblem(schedule: string): string | undefined {
  if (schedule === "") return "empty spec string";
  if (schedule.startsWith("@")) return descriptorProblem(schedule);
  const parts = schedule.split(/\s+/).filter((part) => part !== "");
  if (parts.length !== fields.length) return `expected exactly ${fields.length} fields, found ${parts.length}: [${parts.join(" ")}]`;
  for (const [index, field] of fields.entries()) {
    for (const range of (parts[index] ?? "").split(",")) {
      const problem = range === "" ? undefined : rangeProblem(range, field);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

function descriptorProblem(text: string): string | undefined {
  if (descriptors.has(text)) return undefined;
  if (!text.startsWith("@every ")) return `unrecognized descriptor: ${text}`;
  try {
    parseDurationNanos(text.slice("@every ".length));
    return undefined;
  } catch (error) {
    if (error instanceof ValueSyntaxError) return `failed to parse duration ${text}: ${error.message}`;
    throw error;
  }
}

/** `*`, `5`, `mon-fri`, any of them with `/2` behind. */
function rangeProblem(text: string, field: CronField): string | undefined {
  const [limits = "", ...steps] = text.split("/");
  const [low = "", high, ...more] = limits.split("-");
  const isAll = low === "*" || low === "?";
  const start = isAll ? field.min : readNumber(low, field.names);
  if (typeof start === "string") return start;
  if (!isAll && more.length > 0) return `too many hyphens: ${text}`;
  let end = isAll ? field.max : high === undefined ? start : readNumber(high, field.names);
  if (typeof end === "string") return end;
  if (steps.length > 1) return `too many slashes: ${text}`;
  const step = steps[0] === undefined ? 1 : readNumber(steps[0], noNames);
  if (typeof step === "string") return step;
  if (steps.length === 1 && high === undefined) end = field.max;
  if (start < field.min) return `beginning of range (${start}) below minimum (${field.min}): ${text}`;
  if (end > field.max) return `end of range (${end}) above maximum (${field.max}): ${text}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${text}`;
  return step === 0 ? `step of range should be a positive number: ${text}` : undefined;
}

function readNumber(text: string, names: ReadonlyMap<string, number>): number | string {
  const named = names.get(text.toLowerCase());
  if (named !== undefined) return named;
  const problem = !/^[+-]?[0-9]+$/.test(text) ? "invalid syntax" : BigInt.asIntN(64, BigInt(text.replace("+", ""))) === BigInt(text.replace("+", "")) ? undefined : "value out of range";
  if (problem !== undefined) return `failed to parse int from ${text}: strconv.Atoi: parsing ${quoteGo(text)}: ${problem}`;
  const number = Number(text);
  return number < 0 ? `negative number (${number}) not allowed: ${text}` : number;
}
