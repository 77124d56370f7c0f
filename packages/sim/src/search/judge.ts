/**
 * Compares a schedule with runs without faults: the same objects must exist at the end, and the same things be held outside.
 *
 *     Reference, Outcome → judge → findings
 */
import type { JsonValue } from "@drover/machinery";
import type { Outcome } from "./run-schedule.ts";
import type { CanonicalState } from "../checks/canonical-state.ts";
import type { Finding } from "../checks/finding.ts";
import { differencesOf } from "../checks/state-difference.ts";
import type { Mask, StateDifference } from "../checks/state-difference.ts";

/** Runs without faults. */
export interface Reference {
  readonly end: CanonicalState;
  readonly held: ReadonlyMap<string, readonly string[]>;
  readonly writes: number;
  /** Fields that differ between runs without faults. */
  readonly mask: Mask;
  /** Systems outside whose state differs between runs without faults. */
  readonly looseSystems: ReadonlySet<string>;
}

/** Writes beyond those of a run without faults that faults may explain. */
const writesFactor = 20;
const writesMore = 200;

/** Returns what the schedule itself has found, or else what the comparison finds. */
export function judge({ end, held, writes, mask, looseSystems }: Reference, outcome: Outcome): readonly Finding[] {
  if (outcome.findings.length > 0) return outcome.findings;
  const findings: Finding[] = differencesOf(end, outcome.end, mask).map((difference) => ({
    check: "same-end",
    object: objectOf(difference.key),
    text: sentenceOf(difference),
  }));
  for (const [name, expected] of held) {
    const found = outcome.held.get(name) ?? [];
    if (looseSystems.has(name) || JSON.stringify(expected) === JSON.stringify(found)) continue;
    const leaked = found.filter((one) => !expected.includes(one));
    const missing = expected.filter((one) => !found.includes(one));
    findings.push({
      check: "external",
      text: `${name} ${[
        ...(leaked.length === 0 ? [] : [`still holds ${leaked.slice(0, 3).join(", ")}`]),
        ...(missing.length === 0 ? [] : [`does not hold ${missing.slice(0, 3).join(", ")}`]),
      ].join(" and ")}`,
    });
  }
  if (outcome.writes.length > writes * writesFactor + writesMore)
    findings.push({ check: "bounded", text: `it wrote ${outcome.writes.length} times, and ${writes} times without faults` });
  return findings;
}

/** "/registry/pods/default/web" → "pods default/web" */
export function objectOf(key: string): string {
  const [, , ...parts] = key.split("/");
  const [name = "", before = "", ...front] = parts.toReversed();
  if (front.length === 0) return `${before} ${name}`;
  return `${front[0] ?? ""} ${before}/${name}`;
}

function sentenceOf({ key, kind, path = "", expected, found }: StateDifference): string {
  const object = objectOf(key);
  if (kind === "missing") return `${object} is missing at the end; without faults it exists`;
  if (kind === "extra") return `${object} exists at the end; without faults it does not`;
  return `${object} ends with ${path} ${textOf(found)}, and without faults with ${textOf(expected)}`;
}

const textOf = (value: JsonValue | undefined): string => (value === undefined ? "absent" : JSON.stringify(value).slice(0, 120));
