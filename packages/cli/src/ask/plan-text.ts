/**
 * Prints plans, one line per object that would be written and one per field.
 *
 *     PlannedObjectRun → objectPlanText → "~ Deployment.apps shop/web", "    spec.replicas  2 → 3"
 */
import type { PlannedObjectRun, PlannedWrite } from "@drover/controller";
import { oneLine } from "../terminal-text.ts";
import { wrapped } from "./text-table.ts";

/** Numbers of a whole plan. */
export interface PlanTotals {
  readonly planned: number;
  readonly skipped: number;
  readonly changing: number;
  readonly failing: number;
  /** Whether there are more objects than the limit. */
  readonly isCut: boolean;
}

const signs: Readonly<Record<PlannedWrite["type"], string>> = {
  created: "+",
  patched: "~",
  recreated: "±",
  deleted: "-",
  left: "!",
  waiting: "…",
};

/** Returns the plan of one object. */
export function objectPlanText({ controller, key, skipped, writes, unchanged, held, errors }: PlannedObjectRun): readonly string[] {
  const facts = [
    ...(skipped === undefined ? [] : [`nothing would be applied: ${oneLine(skipped)}`]),
    ...(skipped === undefined && writes.length + errors.length === 0 ? ["nothing would change"] : []),
    ...(unchanged === 0 ? [] : [`${unchanged} ${unchanged === 1 ? "object is" : "objects are"} as desired`]),
  ];
  return [
    ...wrapped(`${oneLine(key)} in ${oneLine(controller)}${facts.length === 0 ? "" : `: ${facts.join(", ")}`}`),
    ...writes.flatMap(writeText),
    ...held.flatMap((each) => wrapped(`  held     ${oneLine(each)}`)),
    ...errors.flatMap((each) => wrapped(`  failed   ${oneLine(each)}`)),
  ];
}

function writeText({ type, kind, key, why, fields, fieldCount }: PlannedWrite): readonly string[] {
  const more = fieldCount - fields.length;
  return [
    ...wrapped(`  ${signs[type]} ${oneLine(kind)} ${oneLine(key)} ${type}${why === undefined ? "" : `: ${oneLine(why)}`}`),
    ...fields.flatMap(({ path, before, after }) => {
      const change = before === undefined ? (after ?? "") : after === undefined ? `${before} → nothing` : `${before} → ${after}`;
      return wrapped(`      ${oneLine(path)}: ${oneLine(change)}`);
    }),
    ...(more > 0 ? [`      and ${more} more ${more === 1 ? "field" : "fields"}`] : []),
  ];
}

/** Returns the last lines of a plan. */
export function planSummary({ planned, skipped, changing, failing, isCut }: PlanTotals, unknown: readonly string[]): readonly string[] {
  const facts = [
    `${changing} to change`,
    ...(failing === 0 ? [] : [`${failing} failing`]),
    ...(skipped === 0 ? [] : [`${skipped} without anything to apply`]),
  ];
  return [
    ...wrapped(`Planned ${planned} ${planned === 1 ? "object" : "objects"}: ${facts.join(", ")}.`),
    ...(isCut ? wrapped("There are more objects; see --limit.") : []),
    ...(unknown.length === 0 ? [] : wrapped(`Not known is what these controllers write: ${unknown.map(oneLine).join(", ")}.`)),
  ];
}
