/** Labels written as "a=b,c=d". */
import { checkLabelValue, checkQualifiedName, fieldInvalid, newFailure, printFieldError, setOwn } from "@drover/machinery";
import type { Labels } from "@drover/machinery";
import { StatusError } from "../status-error.ts";

/** Throws the 500 of kube-apiserver for anything else. */
export function parseLabelMap(text: string): Labels {
  const labels: Record<string, string> = {};
  for (const part of text === "" ? [] : text.split(",")) {
    const words = part.split("=");
    const [key = "", value = ""] = words.map((word) => word.trim());
    if (words.length !== 2) throw new StatusError(newFailure(500, "", `invalid selector: [${words.join(" ")}]`));
    refuse("", key, checkQualifiedName(key));
    refuse(`[${key}]`, value, checkLabelValue(value));
    setOwn(labels, key, value);
  }
  return labels;
}

function refuse(path: string, value: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new StatusError(newFailure(500, "", printFieldError(fieldInvalid(path, value, problems.join("; ")))));
}

/** Whether a key has two values. */
export const labelsConflict = (a: Labels, b: Labels): boolean =>
  Object.entries(a).some(([key, value]) => Object.hasOwn(b, key) && b[key] !== value);

/** Where both have a key, the second one decides. */
export function mergeLabels(first: Labels, second: Labels): Record<string, string> {
  const merged: Record<string, string> = {};
  for (const labels of [first, second]) for (const [key, value] of Object.entries(labels)) setOwn(merged, key, value);
  return merged;
}
