/** Prints the plan of an apply. */
import { encodeJson } from "@drover/machinery";
import type { ApplyPlan, PlannedField } from "./apply-plan.ts";
import type { AppliedChange } from "./apply-set.ts";
import { kindWords, placeWords } from "./set-identity.ts";

const signs: Readonly<Record<AppliedChange["type"], string>> = {
  created: "+",
  patched: "~",
  recreated: "±",
  deleted: "-",
  unchanged: "=",
  left: "!",
  waiting: "…",
};

/** Prints a plan for people: one line per object and one indented line per field. Unchanged objects are only counted. */
export function printPlan({ title, changes, errors }: ApplyPlan): string {
  const changing = changes.filter(({ type }) => type !== "unchanged");
  const lines = changing.flatMap(({ type, kind, namespace, name, why, fields }) => [
    `${signs[type]} ${kindWords(kind)} ${placeWords(namespace, name)}${why === undefined || type === "patched" ? "" : ` (${why})`}`,
    ...fields.map((field) => `    ${printField(field)}`),
  ]);
  const same = changes.length - changing.length;
  return [
    title,
    ...lines,
    ...errors.map(({ message }) => `! ${message}`),
    `${changing.length} to change, ${same} unchanged${errors.length === 0 ? "" : `, ${errors.length} failing`}`,
  ].join("\n");
}

function printField({ path, before, after }: PlannedField): string {
  if (before === undefined) return `${path}: ${encodeJson(after)}`;
  return after === undefined ? `${path}: ${encodeJson(before)} → nothing` : `${path}: ${encodeJson(before)} → ${encodeJson(after)}`;
}
