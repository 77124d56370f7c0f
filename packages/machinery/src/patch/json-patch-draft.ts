/**
 * A document while a JSON patch is applied: changes happen in place, but never in the input.
 *
 * Invariant: only owned objects and lists are written to, each is reachable by one path only, and nothing unowned contains anything
 * owned. So a patch of many operations copies each object on its way once, not once per operation.
 */
import { quoteGo } from "../go/go-quote.ts";
import { setOwn } from "../json/own.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { unescapePointerToken } from "./json-pointer.ts";

const int64Max = 2n ** 63n - 1n;

/** A value that a path can enter. */
export type JsonContainer = JsonObject | JsonValue[];

/** End of a path: the object or list, and the key in it, which may not exist yet. */
export interface JsonPlace {
  readonly container: JsonContainer;
  readonly key: string;
}

/** A draft of one document for one patch: write to the places it finds, then take its root. */
export class JsonPatchDraft {
  #root: JsonValue;
  readonly #owned = new Set<JsonContainer>();

  constructor(document: JsonValue) {
    this.#root = document;
  }

  /** The current document. */
  get root(): JsonValue {
    return this.#root;
  }

  /** Starts over from another document, which is not written to either. */
  replaceRoot(value: JsonContainer): void {
    this.#root = value;
  }

  /** Returns the place of a path for reading; undefined when something on the way is missing. */
  findForReading(path: string): JsonPlace | undefined {
    return this.#find(path, (container) => container);
  }

  /** Returns the place of a path in a container that may be written to. */
  findForWriting(path: string): JsonPlace | undefined {
    return this.#find(path, (container) => this.#own(container));
  }

  /** Returns a value of this draft for use in a second place. */
  duplicate(value: JsonValue): JsonValue {
    if (!isContainer(value) || !this.#owned.has(value)) return value;
    if (Array.isArray(value)) return value.map((item) => this.duplicate(item));
    const copy: JsonObject = {};
    for (const [key, member] of Object.entries(value)) setOwn(copy, key, this.duplicate(member));
    return copy;
  }

  // As on the server, everything before the first slash is ignored, and a "~" that escapes nothing is literal.
  #find(path: string, enter: (container: JsonContainer) => JsonContainer): JsonPlace | undefined {
    const tokens = path.split("/");
    const last = tokens.pop();
    if (tokens.length === 0 || last === undefined || !isContainer(this.#root)) return undefined;
    let container = enter(this.#root);
    this.#root = container;
    for (const token of tokens.slice(1)) {
      const key = unescapePointerToken(token);
      const next = readPlace({ container, key });
      if (typeof next !== "object" || next.value === undefined || !isContainer(next.value)) return undefined;
      const entered = enter(next.value);
      if (entered !== next.value) replaceAt({ container, key }, entered);
      container = entered;
    }
    return { container, key: unescapePointerToken(last) };
  }

  #own(container: JsonContainer): JsonContainer {
    if (this.#owned.has(container)) return container;
    const copy = Array.isArray(container) ? container.slice() : { ...container };
    this.#owned.add(copy);
    return copy;
  }
}

/** Returns the value at a place: undefined for a missing key, and a reason for an invalid index. */
export function readPlace({ container, key }: JsonPlace): { readonly value: JsonValue | undefined } | string {
  if (!Array.isArray(container)) return { value: Object.hasOwn(container, key) ? container[key] : undefined };
  const index = resolveIndex(key, container.length);
  return typeof index === "string" ? index : { value: container[index] };
}

/** Replaces the value at a place, or sets a missing key. Assumes that an index is in range. */
export function replaceAt({ container, key }: JsonPlace, value: JsonValue): void {
  if (!Array.isArray(container)) return setOwn(container, key, value);
  const index = resolveIndex(key, container.length);
  if (typeof index === "number") container[index] = value;
}

/** Adds a member or inserts an item; returns the reason when it cannot. */
export function insertAt({ container, key }: JsonPlace, value: JsonValue): string | undefined {
  if (!Array.isArray(container)) {
    setOwn(container, key, value);
    return undefined;
  }
  const index = key === "-" ? container.length : resolveIndex(key, container.length + 1);
  if (typeof index === "number") container.splice(index, 0, value);
  else return index.startsWith("strconv.") ? `value was not a proper array index: '${key}': ${index}` : index;
  return undefined;
}

/** Removes a member or an item; returns the reason when it cannot. */
export function removeAt({ container, key }: JsonPlace): string | undefined {
  if (!Array.isArray(container)) {
    if (!Object.hasOwn(container, key)) return `Unable to remove nonexistent key: ${key}: missing value`;
    delete container[key];
    return undefined;
  }
  const index = resolveIndex(key, container.length);
  if (typeof index === "string") return index;
  container.splice(index, 1);
  return undefined;
}

/** Whether a path can enter the value. */
export function isContainer(value: JsonValue): value is JsonContainer {
  return typeof value === "object" && value !== null;
}

// Negative indexes count from the end; signs and leading zeros parse as in Go.
function resolveIndex(key: string, length: number): number | string {
  const [, sign = "", digits = ""] = /^([+-]?)0*(\d+)$/.exec(key) ?? [];
  if (digits === "") return `strconv.Atoi: parsing ${quoteGo(key)}: invalid syntax`;
  const size = digits.length > 19 ? 2n ** 64n : BigInt(digits);
  if (size > int64Max + (sign === "-" ? 1n : 0n)) return `strconv.Atoi: parsing ${quoteGo(key)}: value out of range`;
  const index = sign === "-" ? -size : size;
  if (index >= length || index < -length) return `Unable to access invalid index: ${index}: invalid index referenced`;
  return Number(index) + (index < 0n ? length : 0);
}
