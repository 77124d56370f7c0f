/**
 * Values as source text, on one line where they fit and one entry per line where they do not. Everything from a document is printed
 * here or by JSON.stringify, so nothing in it can become code.
 */
import type { JsonValue } from "../json/json-value.ts";
import { propertyName } from "./plain-name.ts";

/** Line width of generated code and of copied documents. */
export const lineWidth = 140;

interface Notation {
  readonly key: (name: string) => string;
  /** After the last entry of a multi-line value. */
  readonly lastComma: "," | "";
}
const typescript: Notation = { key: propertyName, lastComma: "," };
const json: Notation = { key: (name) => JSON.stringify(name), lastComma: "" };

/** Printable values: JSON, read-only or not. */
export type Printable = JsonValue | undefined | readonly Printable[] | { readonly [key: string]: Printable };

/** Prints a TypeScript literal. `indent` is the depth of its first line; `before` is the number of characters already on that line. */
export const printLiteral = (value: Printable, indent: number, before: number): string => print(value, typescript, indent, before);

/** Prints a JSON document with a line break at its end. */
export const printJson = (value: Printable): string => `${print(value, json, 0, 0)}\n`;

function print(value: Printable, notation: Notation, indent: number, before: number): string {
  const flat = printFlat(value, notation);
  if (typeof value !== "object" || value === null || indent * 2 + before + flat.length < lineWidth) return flat;
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const inner = "  ".repeat(indent + 1);
  const entries = entriesOf(value, notation);
  const lines = entries.every(([name, entry]) => name === "" && (typeof entry !== "object" || entry === null))
    ? fillLines(
        entries.map(([, entry]) => printFlat(entry, notation)),
        ", ",
        inner,
      )
    : entries.map(([name, entry]) => `${inner}${name}${print(entry, notation, indent + 1, name.length)}`);
  return lines.length === 0 ? flat : `${open}\n${lines.join(",\n")}${notation.lastComma}\n${"  ".repeat(indent)}${close}`;
}

/** Fills each line with as many words as fit. */
export function fillLines(words: readonly string[], separator: string, indent: string): readonly string[] {
  const lines: string[] = [];
  for (const word of words) {
    const line = lines.at(-1);
    if (line === undefined || line.length + separator.length + word.length >= lineWidth) lines.push(indent + word);
    else lines[lines.length - 1] = line + separator + word;
  }
  return lines;
}

function printFlat(value: Printable, notation: Notation): string {
  if (typeof value !== "object" || value === null) return printScalar(value);
  const entries = entriesOf(value, notation).map(([name, entry]) => `${name}${printFlat(entry, notation)}`);
  if (Array.isArray(value)) return `[${entries.join(", ")}]`;
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

function printScalar(value: Exclude<Printable, object> | null): string {
  if (typeof value === "bigint") throw new TypeError(`the number ${value} is too large to be printed exactly`);
  return JSON.stringify(value) ?? "undefined";
}

function entriesOf(value: object, notation: Notation): readonly (readonly [string, Printable])[] {
  if (Array.isArray(value)) return value.map((item: Printable) => ["", item] as const);
  const entries = Object.entries(value) as [string, Printable][];
  return entries.filter(([, entry]) => entry !== undefined).map(([name, entry]) => [`${notation.key(name)}: `, entry] as const);
}
