/**
 * Cuts `metadata.managedFields` out of JSON text before parsing. They are a third of an ordinary object's text, and readers of
 * caches do not need them.
 *
 *     text → cutManagedFields → a shorter text → JSON.parse → settleManagedFields → the value without managedFields
 *
 * Why this is exact although nothing here reads every character (assuming the whole text is JSON):
 *  - `"managedFields":[` is a key with a list, or the end of one: within a string its second quote would be escaped.
 *  - The cut ends at the first "]". If that is within a string, an odd number of quotes remains after it; if it closes an inner
 *    list, more brackets have been removed than closed. Either way the shorter text is not JSON, and the whole one is parsed.
 *  - Whether the list belonged to `metadata` of the object itself, and not to something embedded in its spec, shows after parsing:
 *    every cut leaves a mark that no server would write, and all marks must be in the right places. If one is missing, the whole
 *    text is parsed.
 */
import { mayBeDeeper } from "./json-depth.ts";
import { mayLoseDigits } from "./json-numbers.ts";
import { isJsonObject } from "./json-value.ts";
import type { JsonValue } from "./json-value.ts";

/** A text whose managed fields are replaced by marks. */
export interface ManagedFieldsCut {
  readonly text: string;
  /** Number of marks in `text`. */
  readonly cuts: number;
  /** Whether it may be nested too deeply. "No" is certain once the marks are found in their places. */
  readonly mayBeDeeper: boolean;
}

// Searched from its capital letter on: the engine looks for the first letter first, and capitals are rare.
const keyStart = '"managed';
const keyEnd = 'Fields":[';
// Replaces a list that was the last member of its object, as in all built-in kinds: removing the last member keeps V8's fast
// representation. Uses the same key, since any other might exist already. The server never writes a number there, let alone this
// one; it has as many digits as the engine parses fastest.
const mark = 703_862_510;
const markText = '"managedFields":703862510';
// Custom resources have sorted keys, so a name follows. There the mark goes before the name; no name may contain such characters.
const nameKey = ',"name":"';
const nameMark = "\0managedFields\0";
const nameMarkText = String.raw`"name":"\u0000managedFields\u0000`;
const kindKey = '{"kind":"';
const CLOSE_OBJECT = 0x7d;
const KIND_START = 0x6b;
const LIST_END = 0x74;

/**
 * Parses one object of a built-in kind without its managed fields. Nearly all responses are such texts, so this skips the
 * bookkeeping that lists, events and sorted keys need. Undefined for any other text.
 */
export function parseWithoutManagedFields(text: string, maxDepth: number): JsonValue | undefined {
  const found = text.indexOf(keyEnd);
  if (found === -1 || text.charCodeAt(2) !== KIND_START || isKindList(text)) return undefined;
  const at = found - keyStart.length;
  const end = text.indexOf("]", found);
  if (text.charCodeAt(end + 1) !== CLOSE_OBJECT || !text.startsWith(keyStart, at)) return undefined;
  const shorter = text.slice(0, at) + markText + text.slice(end + 1);
  if (mayLoseDigits(shorter) || mayBeDeeper(shorter, maxDepth)) return undefined;
  const value = parseEngine(shorter);
  if (!isJsonObject(value) || value["items"] !== undefined) return undefined;
  const metadata = value["metadata"];
  if (!isJsonObject(metadata) || metadata["managedFields"] !== mark) return undefined;
  delete metadata["managedFields"];
  return value;
}

/** Returns what the engine's parser makes of the text; undefined when it is invalid. */
export function parseEngine(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/**
 * Cuts the managed fields of an object, of every item of a list, or of the object of a watch event. Undefined when there is nothing
 * to cut, when the text is unusual, or when the rest has numbers that `JSON.parse` would round.
 */
export function cutManagedFields(text: string, maxDepth: number): ManagedFieldsCut | undefined {
  let found = text.indexOf(keyEnd);
  if (found === -1) return undefined;
  const all = looksLikeList(text);
  let shorter = "";
  let kept = 0;
  let cuts = 0;
  // Between two cuts the text goes from `metadata` to `metadata`, at most four levels deep at both ends.
  const levels = maxDepth - 2 * 4;
  let deep = false;
  for (; found !== -1; found = all ? text.indexOf(keyEnd, kept) : -1) {
    const at = found - keyStart.length;
    const end = text.indexOf("]", found);
    if (end === -1 || !text.startsWith(keyStart, at)) return undefined;
    deep ||= mayBeDeeper(text, levels, kept, at);
    if (text.charCodeAt(end + 1) === CLOSE_OBJECT) {
      shorter += text.slice(kept, at) + markText;
      kept = end + 1;
    } else if (text.startsWith(nameKey, end + 1)) {
      shorter += text.slice(kept, at) + nameMarkText;
      kept = end + 1 + nameKey.length;
    } else return undefined;
    cuts++;
  }
  shorter += text.slice(kept);
  return mayLoseDigits(shorter) ? undefined : { text: shorter, cuts, mayBeDeeper: deep || mayBeDeeper(text, levels, kept) };
}

/**
 * Removes the marks from the value parsed from a cut text, in place. False when not all are where they should be: then parse the
 * whole text.
 */
export function settleManagedFields(value: JsonValue, { cuts }: ManagedFieldsCut): boolean {
  const items = itemsOf(value);
  if (items === undefined) return takeMark(objectOf(value)) === cuts;
  let marks = 0;
  for (const item of items) marks += takeMark(item);
  return marks === cuts;
}

/** Removes managed fields in place, so it is only for a value that was just parsed and is not shared. */
export function removeManagedFields(value: JsonValue): JsonValue {
  for (const object of itemsOf(value) ?? [objectOf(value)]) {
    if (!isJsonObject(object) || !isJsonObject(object["metadata"]) || object["metadata"]["managedFields"] === undefined) continue;
    const { managedFields: _, ...metadata } = object["metadata"];
    object["metadata"] = metadata;
  }
  return value;
}

/** 1 for a mark, 0 for none; any other value spoils the sum: these managed fields were not cut, and the whole text must be parsed. */
function takeMark(object: JsonValue | undefined): number {
  if (!isJsonObject(object)) return 0;
  const { metadata } = object;
  if (!isJsonObject(metadata)) return 0;
  const { managedFields, name } = metadata;
  if (managedFields === mark) {
    delete metadata["managedFields"];
    return 1;
  }
  if (managedFields !== undefined) return NaN;
  if (typeof name !== "string" || !name.startsWith(nameMark)) return 0;
  metadata["name"] = name.slice(nameMark.length);
  return 1;
}

function looksLikeList(text: string): boolean {
  if (text.startsWith(kindKey)) return isKindList(text);
  const head = text.slice(0, 200);
  return head.includes('List","') || head.includes(',"items":[');
}

/** Whether a text that starts with its kind, as built-in kinds do, is a list. */
function isKindList(text: string): boolean {
  const end = text.indexOf('"', kindKey.length);
  return text.charCodeAt(end - 1) === LIST_END && text.startsWith("List", end - "List".length);
}

/** Returns the items of a list; undefined when the value is not a list of API objects. */
function itemsOf(value: JsonValue): readonly JsonValue[] | undefined {
  if (!isJsonObject(value)) return undefined;
  const { kind, metadata, items } = value;
  const isList =
    Array.isArray(items) && typeof kind === "string" && kind.endsWith("List") && isJsonObject(metadata) && metadata["name"] === undefined;
  return isList ? items : undefined;
}

/** Returns the object of a watch event, or the value itself. */
function objectOf(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  const { type, metadata, object } = value;
  return typeof type === "string" && metadata === undefined && isJsonObject(object) ? object : value;
}
