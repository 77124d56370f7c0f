/** The one value that a column or a selector wants from a path. */
import type { JsonObject, JsonValue } from "@drover/machinery";
import { findJsonPath } from "./find-json-path.ts";
import { JsonPathError } from "./json-path.ts";
import { parseJsonPath } from "./parse-json-path.ts";

/** Finds the first value a path leads to; undefined where it leads nowhere or does not fit. */
export type FirstValue = (object: JsonObject) => JsonValue | undefined;

/** Undefined when the path cannot be read. */
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
