/** Texts of JSON inside other JSON, without parsing them. */
import { decodeJson, encodeJson, isJsonObject, JsonError } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";

/** Returns the text without white space between tokens; undefined if it is not JSON. */
export function compactJson(text: string): string | undefined {
  try {
    decodeJson(text);
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
  return text.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, "$1");
}

/** Returns the text of an object without its managed fields; of a list without those of its items, of a Table of its rows. */
export function withoutManagedFields(text: string): string {
  if (!text.includes('"managedFields"')) return text;
  const value = decodeJson(text);
  if (!isJsonObject(value)) return text;
  dropFrom(value);
  const { items, rows } = value;
  for (const item of listOf(items)) dropFrom(item);
  if (value["kind"] === "Table") for (const row of listOf(rows)) if (isJsonObject(row["object"])) dropFrom(row["object"]);
  return encodeJson(value);
}

const listOf = (value: JsonValue | undefined): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : []);

function dropFrom({ metadata }: JsonObject): void {
  if (isJsonObject(metadata)) delete metadata["managedFields"];
}
