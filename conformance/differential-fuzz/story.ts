/** Prints a difference: every step as it was sent, and the answers that differ. */
import type { Difference } from "../differential/compare.ts";
import { printDifference } from "../differential/compare.ts";
import type { Step } from "./step.ts";

const shownDifferences = 8;

/** One line per step, then the differences. */
export function story(seed: number, steps: readonly Step[], differences: readonly Difference[]): string {
  const more = differences.length > shownDifferences ? [`  … and ${differences.length - shownDifferences} more`] : [];
  return [
    `seed ${seed}:`,
    ...steps.map((step, index) => `  ${index + 1}. ${printStep(step)}`),
    ...differences.slice(0, shownDifferences).map(printDifference),
    ...more,
  ].join("\n");
}

function printStep({ method, resource, names, query, contentType, accept, body, edits, version, uid }: Step): string {
  const parameters = Object.entries(query)
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
  return [
    method,
    `${[resource, ...names].join("/")}${parameters === "" ? "" : `?${parameters}`}`,
    contentType?.replace(/^application\/|[-+].*$/g, ""),
    accept === undefined ? undefined : `accept ${accept}`,
    edits === undefined ? undefined : "the object changed by",
    body === undefined ? undefined : JSON.stringify(body),
    version === undefined ? undefined : `(${version} version)`,
    uid === undefined ? undefined : `(${uid} uid)`,
  ]
    .filter((part) => part !== undefined)
    .join(" ");
}
