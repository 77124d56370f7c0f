/**
 * Writes YAML as kubectl does: keys sorted, lists indented no more than their key, strings quoted where YAML 1.1 would parse them
 * as something else.
 *
 *     value → printYaml → text
 */
import { formatGoFloat, getOwn } from "@drover/machinery";
import { sortKeys } from "./key-order.ts";
import { isMultiline, scalarText } from "./scalar-text.ts";
import type { ScalarPlace } from "./scalar-text.ts";

/**
 * Returns the YAML text of a value; `parseYaml` parses it back to the same value. Leaves out undefined members and calls `toJSON`,
 * as JSON does. Throws for what JSON cannot hold: numbers that are not finite, and circular values.
 */
export function printYaml(value: unknown): string {
  const printer = new Printer();
  printer.document(shapeOf(value));
  return printer.text;
}

const depthMax = 1000;
/** Longer keys, and multi-line keys, follow a "?". */
const keyBytesMax = 128;

/** A classified value: a non-empty list or mapping, or something that fits on a line. */
type Shape =
  | { readonly kind: "list"; readonly items: readonly unknown[] }
  | { readonly kind: "map"; readonly keys: readonly string[]; readonly fields: Fields }
  | { readonly kind: "scalar"; readonly value: unknown };
type Fields = Readonly<Record<string, unknown>>;

class Printer {
  readonly #parts: string[] = [];
  #column = 0;
  #depth = 0;

  get text(): string {
    return this.#parts.join("");
  }

  document(shape: Shape): void {
    if (shape.kind === "scalar") this.#scalar(shape.value, 0);
    else this.#collection(shape, 0, false);
    this.#newLine(0);
  }

  /** @param onNewLine - whether the first entry starts a line or continues the line of "-" or ":" */
  #collection(shape: Exclude<Shape, { kind: "scalar" }>, indent: number, onNewLine: boolean): void {
    if (++this.#depth > depthMax) throw new RangeError(`printYaml: nested more than ${depthMax} levels deep, or containing itself`);
    const entries: readonly unknown[] = shape.kind === "list" ? shape.items : shape.keys;
    for (const [index, entry] of entries.entries()) {
      if (index > 0 || onNewLine) this.#newLine(indent);
      else this.#put(" ".repeat(indent - this.#column));
      if (shape.kind === "list") this.#item(entry, indent);
      else this.#entry(entry as string, shapeOf(getOwn(shape.fields, entry as string)), indent);
    }
    this.#depth--;
  }

  #item(item: unknown, indent: number): void {
    this.#put("-");
    this.#inLine(shapeOf(item), indent);
  }

  /** Writes the value after "-", or after the ":" of a long key. */
  #inLine(shape: Shape, indent: number): void {
    if (shape.kind === "scalar") this.#scalar(shape.value, indent);
    else this.#collection(shape, indent + 2, false);
  }

  #entry(key: string, value: Shape, indent: number): void {
    if (!isShortKey(key)) {
      this.#put("?");
      this.#scalar(key, indent);
      this.#newLine(indent);
      this.#put(":");
      return this.#inLine(value, indent);
    }
    this.#put(`${scalarText(key, { isKey: true, column: this.#column, indent: indent + 2 })}:`);
    if (value.kind === "scalar") this.#scalar(value.value, indent);
    else this.#collection(value, value.kind === "list" ? indent : indent + 2, true);
  }

  /** Writes a scalar in a collection of this indentation, after a space if anything precedes it. */
  #scalar(value: unknown, indent: number): void {
    if (this.#column > 0) this.#put(" ");
    this.#put(inlineText(value, { isKey: false, column: this.#column, indent: indent + 2 }));
  }

  #put(text: string): void {
    this.#parts.push(text);
    const lineStart = Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\u2028"), text.lastIndexOf("\u2029")) + 1;
    this.#column = lineStart > 0 ? text.length - lineStart : this.#column + text.length;
  }

  /** Starts a line, unless a block scalar has just ended one. */
  #newLine(indent: number): void {
    this.#put(`${this.#column > 0 ? "\n" : ""}${" ".repeat(indent)}`);
  }
}

function shapeOf(input: unknown): Shape {
  const value =
    typeof input === "object" && input !== null && "toJSON" in input && typeof input.toJSON === "function"
      ? (input.toJSON as () => unknown)()
      : input;
  if (Array.isArray(value) && value.length > 0) return { kind: "list", items: value };
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { kind: "scalar", value };
  const fields = value as Fields;
  const keys = sortKeys(Object.keys(fields).filter((key) => getOwn(fields, key) !== undefined));
  return keys.length > 0 ? { kind: "map", keys, fields } : { kind: "scalar", value };
}

const isShortKey = (key: string): boolean =>
  !isMultiline(key) && (3 * key.length <= keyBytesMax || new TextEncoder().encode(key).length <= keyBytesMax);

/** Everything but non-empty collections. */
function inlineText(value: unknown, place: ScalarPlace): string {
  switch (typeof value) {
    case "string":
      return scalarText(value, place);
    case "number":
      return numberText(value);
    case "bigint":
      return value >= -(2n ** 63n) && value < 2n ** 64n ? String(value) : formatGoFloat(Number(value));
    case "boolean":
      return String(value);
    case "object":
      return value === null ? "null" : Array.isArray(value) ? "[]" : "{}";
    case "undefined":
      return "null";
    case "symbol":
    case "function":
    default:
      throw new TypeError(`printYaml: JSON has no ${typeof value}`);
  }
}

/** Integers of up to 64 bits in full, other numbers as Go writes floats: 0.5, 1e-07, 1e+21. */
function numberText(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`printYaml: JSON has no number ${value}`);
  return Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 64 ? String(BigInt(value)) : formatGoFloat(value);
}
