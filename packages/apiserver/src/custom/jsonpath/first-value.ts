/** The first value of a JSONPath, for columns and selectors. */
import type { JsonObject, JsonValue } from "@drover/machinery";
import { findJsonPath } from "./find-json-path.ts";
import { JsonPathError } from "./json-path.ts";
import { parseJsonPath } from "./parse-json-path.ts";

/** Returns the first value of a path; undefined if it is absent or the path does not match. */
export type FirstValue = (object: JsonObject) => JsonValue | undefined;

/** Compiles a path; undefined when it is invalid. */
export function firstValueAt(text: string): FirstValue | undefined {
  const path = unlessUnfit(() => parseJsonPath(text));
  return path === undefined ? undefined : (object) => unlessUnfit(() => findJsonPath(path, object)[0]);
}

function unlessUnfit<T>(get: () => T): T | undefined {
  try {
    return get();
  } catch (error) {
    if (error instanceof JsonPathError) return undefined;
    throw error;
  }
}
