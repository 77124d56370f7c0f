/** Writes a value as YAML in block style, so that a body is read as YAML and not as JSON. */
import { isJsonObject } from "@drover/machinery";
import type { JsonValue } from "@drover/machinery";

/** Scalars, keys and empty values are written as in JSON, which is YAML as well. */
export function yamlText(value: JsonValue, indent = ""): string {
  if (Array.isArray(value) && value.length > 0)
    return value.map((item) => `\n${indent}- ${yamlText(item, `${indent}  `).replace(/^\n\s*/, "")}`).join("");
  if (!isJsonObject(value) || Object.keys(value).length === 0) return JSON.stringify(value);
  return Object.entries(value)
    .map(([key, member]) => `\n${indent}${JSON.stringify(key)}: ${yamlText(member, `${indent}  `)}`)
    .join("");
}
