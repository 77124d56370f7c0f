/**
 * Reads files of Kubernetes objects as kubectl does: a `.json` file as JSON, any other as JSON if it begins with a brace and is
 * JSON, else as YAML. Of duplicate keys the last wins.
 *
 *     file → readManifest → JSON values, one per document
 */
import { closeSync, openSync, readSync } from "node:fs";
import { Allowance, JsonError, budget, decodeJson, errorText, isInstanceOf } from "@drover/machinery";
import type { JsonValue } from "@drover/machinery";
import { parseYamlDocuments } from "@drover/yaml";
import { CommandError } from "./command-error.ts";

const fileBytes = budget({
  name: "cli/manifest-file",
  limit: 16 * 2 ** 20,
  unit: "bytes",
  atLimit: "the command rejects the file",
  uncounted: "A command has no metrics; its error names the file.",
});

/** Returns the documents of a file without empty ones. Throws a `CommandError` with the file and, where known, line and column. */
export function readManifest(file: string): readonly JsonValue[] {
  try {
    return parseManifest(readBounded(file), file.endsWith(".json") ? "json" : "by content");
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${errorText(error)}`, { cause: error });
  }
}

/** Also reads pipes, such as `--apply <(kustomize build)`, which have no size. */
function readBounded(file: string): string {
  const allowance = new Allowance(fileBytes);
  const descriptor = openSync(file, "r");
  try {
    const chunks: Buffer[] = [];
    for (;;) {
      const chunk = Buffer.allocUnsafe(64 * 1024);
      const length = readSync(descriptor, chunk);
      if (length === 0) return Buffer.concat(chunks).toString("utf8");
      allowance.spend(length);
      chunks.push(chunk.subarray(0, length));
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Parses the text of a file. Throws a `JsonError` or a `YamlError` with line and column. */
export function parseManifest(given: string, format: "json" | "by content"): readonly JsonValue[] {
  const text = given.startsWith("\u{feff}") ? given.slice(1) : given;
  if (format === "json") return parseJsonDocuments(text);
  if (/^\s*\{/.test(text)) {
    try {
      return parseJsonDocuments(text);
    } catch (error) {
      // A brace also begins a YAML flow mapping.
      if (!isInstanceOf(error, JsonError)) throw error;
    }
  }
  return parseYamlDocuments(text, { onDuplicateKey: () => undefined });
}

/** JSON values one after the other, as `kubectl` and `jq` write them; a line `---` may separate them. */
function parseJsonDocuments(text: string): readonly JsonValue[] {
  const values: JsonValue[] = [];
  for (let at = nextStart(text, 0); at < text.length;) {
    const end = endOfValue(text, at);
    values.push(decodeAt(text, at, end));
    at = nextStart(text, end);
  }
  return values.filter((value) => value !== null);
}

function nextStart(text: string, from: number): number {
  const between = /(?:\s|^---[ \t]*(?:\n|$))*/my;
  between.lastIndex = from;
  between.test(text);
  return between.lastIndex;
}

/** Where the object or list that begins here ends; for anything else, and for one that never ends, the end of the text. */
function endOfValue(text: string, from: number): number {
  const marks = /"(?:[^"\\]|\\.)*"|[[\]{}]/gs;
  marks.lastIndex = from;
  let depth = 0;
  for (let found = marks.exec(text); found !== null; found = marks.exec(text)) {
    if (found[0] === "{" || found[0] === "[") depth++;
    else if (found[0] === "}" || found[0] === "]") depth--;
    if (depth <= 0) return depth < 0 || found.index === from ? text.length : marks.lastIndex;
  }
  return text.length;
}

function decodeAt(text: string, from: number, to: number): JsonValue {
  const value = text.slice(from, to);
  try {
    return decodeJson(value);
  } catch {
    // Again with everything before it blank, so that the message has the position in the file.
    return decodeJson(text.slice(0, from).replace(/[^\n]/g, " ") + value, { onDuplicateField: () => undefined });
  }
}
