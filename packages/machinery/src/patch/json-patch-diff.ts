/**
 * Computes the JSON patch from one document to another: members by key, lists by their longest common subsequence.
 *
 *     applyJsonPatch(from, diffJsonPatch(from, to))  equals  to
 */
import { jsonEqual } from "../json/json-equal.ts";
import { isJsonObject } from "../json/json-value.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import type { JsonPatchOperation } from "./json-patch-operation.ts";
import { escapePointerToken } from "./json-pointer.ts";
import { alignLists } from "./list-alignment.ts";
import { ValueNumbers } from "./value-numbers.ts";

/** Options of `diffJsonPatch`. */
export interface JsonPatchDiffOptions {
  /** Puts a `test` before every `replace` and `remove`, so that the patch fails where the document has changed meanwhile. @default false */
  readonly guarded?: boolean;
}

/**
 * Returns operations that turn `from` into `to`, in document order; none when they are equal.
 *
 * Assumes that the roots are objects or lists, as in all API objects: a patch cannot put a scalar at the root.
 */
export function diffJsonPatch(from: JsonValue, to: JsonValue, { guarded = false }: JsonPatchDiffOptions = {}): JsonPatchOperation[] {
  const writer = new DiffWriter(guarded);
  writer.compare(from, to, "");
  return writer.operations;
}

class DiffWriter {
  readonly operations: JsonPatchOperation[] = [];
  readonly #guarded: boolean;
  readonly #numbers = new ValueNumbers();

  constructor(guarded: boolean) {
    this.#guarded = guarded;
  }

  compare(from: JsonValue, to: JsonValue, path: string): void {
    if (from === to) return;
    if (Array.isArray(from) && Array.isArray(to)) this.#compareLists(from, to, path);
    else if (isJsonObject(from) && isJsonObject(to)) this.#compareObjects(from, to, path);
    else if (!jsonEqual(from, to)) this.#change({ op: "replace", path, value: to }, from);
  }

  #compareObjects(from: JsonObject, to: JsonObject, path: string): void {
    for (const [key, old] of Object.entries(from)) {
      const member = `${path}/${escapePointerToken(key)}`;
      const value = Object.hasOwn(to, key) ? to[key] : undefined;
      if (value === undefined) this.#change({ op: "remove", path: member }, old);
      else this.compare(old, value, member);
    }
    for (const [key, value] of Object.entries(to)) {
      if (!Object.hasOwn(from, key)) this.operations.push({ op: "add", path: `${path}/${escapePointerToken(key)}`, value });
    }
  }

  // Written from left to right: every index accounts for the operations before it.
  #compareLists(from: readonly JsonValue[], to: readonly JsonValue[], path: string): void {
    for (const step of alignLists(
      from.map((item) => this.#numbers.of(item)),
      to.map((item) => this.#numbers.of(item)),
    )) {
      const old = from[step.from] ?? null;
      const value = to[step.to] ?? null;
      const item = `${path}/${step.to}`;
      if (step.kind === "change") this.compare(old, value, item);
      else if (step.kind === "insert") this.operations.push({ op: "add", path: item, value });
      else this.#change({ op: "remove", path: item }, old);
    }
  }

  #change(operation: JsonPatchOperation, old: JsonValue): void {
    if (this.#guarded) this.operations.push({ op: "test", path: operation.path, value: old });
    this.operations.push(operation);
  }
}
