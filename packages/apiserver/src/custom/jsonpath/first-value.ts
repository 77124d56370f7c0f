/** The first value of a JSONPath, for columns and selectors. */
import { isBudgetExceededError } from "@drover/machinery";
import type { Allowance, Budget, JsonObject, JsonValue } from "@drover/machinery";
import { findJsonPath } from "./find-json-path.ts";
import { JsonPathError } from "./json-path.ts";
import { parseJsonPath } from "./parse-json-path.ts";

/**
 * Returns the first value of a path; undefined if it is absent, or the path does not match or takes too many steps. The allowance
 * is for one value, unless the caller has one for several.
 */
export type FirstValue = (object: JsonObject, allowance?: Allowance) => JsonValue | undefined;

/** Called when a value was left out because of a budget. */
export type OnExceeded = (budget: Budget) => void;

/** Compiles a path; undefined when it is invalid. */
export function firstValueAt(text: string, onExceeded: OnExceeded = () => undefined): FirstValue | undefined {
  const path = unlessUnfit(() => parseJsonPath(text), onExceeded);
  return path === undefined ? undefined : (object, allowance) => unlessUnfit(() => findJsonPath(path, object, allowance)[0], onExceeded);
}

function unlessUnfit<T>(get: () => T, onExceeded: OnExceeded): T | undefined {
  try {
    return get();
  } catch (error) {
    if (isBudgetExceededError(error)) onExceeded(error.budget);
    else if (!(error instanceof JsonPathError)) throw error;
    return undefined;
  }
}
