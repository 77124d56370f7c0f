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
  /** Refuses texts of more characters. @default 16777216 */
  readonly lengthMax?: number;
  /** Refuses documents that are nested deeper. @default 1000 */
  readonly depthMax?: number;
  /** Told of each key that its mapping already had; the last one counts. @default such a key is an error */
  readonly onDuplicateKey?: (duplicate: DuplicateKey) => void;
}

/**
 * The value of a text with one document; an empty text is null. Throws a `YamlError` with line and column.
 *
 * Read as YAML 1.1, after Kubernetes' own reader: unquoted `yes`, `no`, `on`, `off`, `y`, `n` are booleans, `0777` is octal, `1_000` a
 * thousand, dates are text, `<<` merges. Whole numbers beyond 2^53 are exact, as bigints. Keys become text. Stricter than Kubernetes in
 * two places: a key that stands twice in a mapping is an error, and so is anything behind the document.
 */
export function parseYaml(text: string, options: ParseYamlOptions = {}): JsonValue {
  const [first, second] = documents(text, options);
  if (second !== undefined) throw new YamlError("there is a second document; read such texts with parseYamlDocuments", second.place);
  return first?.value ?? null;
}

/**
 * The value of the first document of a text; whatever comes after it is not looked at. An empty text is null. Throws as
 * `parseYaml` does.
 */
export function parseFirstYaml(text: string, options: ParseYamlOptions = {}): JsonValue {
  const [first] = documents(text, options);
  return first?.value ?? null;
}

/** The values of all documents of a text, those that are empty or null left out. Throws as `parseYaml` does. */
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
