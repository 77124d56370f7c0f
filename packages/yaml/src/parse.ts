/**
 * Reads YAML as Kubernetes does.
 *
 *     text → Scanner → Parser → Node → documentToJson → JsonValue
 */
import type { JsonValue } from "@drover/machinery";
import { documentToJson } from "./document.ts";
import type { DuplicateKey } from "./document.ts";
import { Parser } from "./parser.ts";
import { YamlError } from "./yaml-error.ts";
import type { Place } from "./yaml-error.ts";

export interface ParseYamlOptions {
  /** Maximum characters. @default 16777216 */
  readonly lengthMax?: number;
  /** Maximum nesting depth. @default 1000 */
  readonly depthMax?: number;
  /** Called for each duplicate key; the last value wins. @default a duplicate key is an error */
  readonly onDuplicateKey?: (duplicate: DuplicateKey) => void;
}

/**
 * Parses a text with one document; an empty text is null. Throws a `YamlError` with line and column.
 *
 * Parses YAML 1.1 as Kubernetes does: unquoted `yes`, `no`, `on`, `off`, `y`, `n` are booleans, `0777` is octal, `1_000` a
 * thousand, dates are text, `<<` merges. Integers beyond 2^53 are exact, as bigints. Keys become text. Stricter than Kubernetes in
 * two places: duplicate keys and anything after the document are errors.
 */
export function parseYaml(text: string, options: ParseYamlOptions = {}): JsonValue {
  const [first, second] = documents(text, options);
  if (second !== undefined) throw new YamlError("there is a second document; read such texts with parseYamlDocuments", second.place);
  return first?.value ?? null;
}

/** Parses the first document of a text and ignores the rest. An empty text is null. Throws as `parseYaml` does. */
export function parseFirstYaml(text: string, options: ParseYamlOptions = {}): JsonValue {
  const [first] = documents(text, options);
  return first?.value ?? null;
}

/** Parses all documents of a text and leaves out those that are empty or null. Throws as `parseYaml` does. */
export function parseYamlDocuments(text: string, options: ParseYamlOptions = {}): JsonValue[] {
  return [...documents(text, options)].map(({ value }) => value).filter((value) => value !== null);
}

interface Document {
  readonly value: JsonValue;
  readonly place: Place;
}

function* documents(
  text: string,
  { lengthMax = 16 * 1024 * 1024, depthMax = 1000, onDuplicateKey }: ParseYamlOptions,
): Generator<Document> {
  if (text.length > lengthMax)
    throw new YamlError(`the text has ${text.length} characters, more than the ${lengthMax} allowed`, { line: 0, column: 0 });
  const parser = new Parser(text, depthMax);
  for (let node = parser.nextDocument(); node !== undefined; node = parser.nextDocument()) {
    yield { value: documentToJson(node, depthMax, onDuplicateKey), place: node };
  }
}
