/**
 * Cuts `metadata.managedFields` out of JSON text before it is parsed. They are a third of an ordinary object's text and are looked at by
 * nobody who reads objects from a cache.
 *
 *     text → cutManagedFields → a shorter text → JSON.parse → settleManagedFields → the value without managedFields
 *
 * Why this is exact although nothing here reads the text character by character (assuming the whole text is JSON):
 *  - `"managedFields":[` is a key with a list, or the end of one: inside a string its second quote would be escaped.
 *  - The cut ends at the first "]". Should that one stand inside a string, an odd number of quotes remains behind it; should it close an
 *    inner list, more brackets have been removed than closed. Either way the shorter text is not JSON, and the whole one is parsed.
 *  - Whether the list belonged to `metadata` of the object itself, and not to something embedded in its spec, shows after parsing: every
 *    cut leaves a mark that no server would write, and all marks must be found in the right places. If one is missing, the whole text is
 *    parsed.
 */
import { mayBeDeeper } from "./json-depth.ts";
import { mayLoseDigits } from "./json-numbers.ts";
import { isJsonObject } from "./json-value.ts";
import type { JsonValue } from "./json-value.ts";

/** A text with lists of managed fields replaced by marks. */
export interface ManagedFieldsCut {
  readonly text: string;
  /** How many marks `text` has. */
  readonly cuts: number;
  /** Whether there might be more levels inside each other than allowed. "No" is certain once the marks are found in their places. */
  readonly mayBeDeeper: boolean;
}

// Looked for from its capital on: the engine looks for the first letter first, and there are few of these.
const keyStart = '"managed';
const keyEnd = 'Fields":[';
// Stands for a cut list that was the last member of its object, as in all built-in kinds: removing the last member of an object leaves V8's
// fast representation intact. It stands under the same key, since any other might be there already. The server never writes a number there,
// let alone this one; it has as many digits as the engine reads fastest.
const mark = 703_862_510;
const markText = '"managedFields":703862510';
// Custom resources have their keys in order, so a name follows. There the mark is put before the name; no name may have such characters.
const nameKey = ',"name":"';
const nameMark = "\0managedFields\0";
const nameMarkText = String.raw`"name":"\u0000managedFields\u0000`;
const kindKey = '{"kind":"';
const CLOSE_OBJECT = 0x7d;
const KIND_START = 0x6b;
const LIST_END = 0x74;

/**
 * Parses one object of a built-in kind without its managed fields: the text that nearly all answers have, so it is done without the
 * bookkeeping that lists, events and sorted keys need. Undefined when the text is of another kind, or anything about it is unusual.
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

/** What the engine's own parser makes of the text; undefined when it is broken. */
export function parseEngine(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/**
 * Cuts the managed fields of an object, of every item of a list, or of the object of a watch event. Undefined when there is nothing to cut,
 * when the text is unusual, or when there are numbers in the rest that `JSON.parse` would round.
 */
export function cutManagedFields(text: string, maxDepth: number): ManagedFieldsCut | undefined {
  let found = text.indexOf(keyEnd);
  if (found === -1) return undefined;
  const all = looksLikeList(text);
  let shorter = "";
  let kept = 0;
  let cuts = 0;
  // Between two cuts the text goes from `metadata` to `metadata`, never more than four levels down at both ends.
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
 * Takes the marks out of the value parsed from a cut text. False when they are not all where they should be: then parse the whole text.
 * Changes the value.
 */
export function settleManagedFields(value: JsonValue, { cuts }: ManagedFieldsCut): boolean {
  const items = itemsOf(value);
  if (items === undefined) return takeMark(objectOf(value)) === cuts;
  let marks = 0;
  for (const item of items) marks += takeMark(item);
  return marks === cuts;
}

/** The value without managed fields. Changes the value, so it is only for one that was just parsed and that nobody else holds. */
export function removeManagedFields(value: JsonValue): JsonValue {
  for (const object of itemsOf(value) ?? [objectOf(value)]) {
    if (!isJsonObject(object) || !isJsonObject(object["metadata"]) || object["metadata"]["managedFields"] === undefined) continue;
    const { managedFields: _, ...metadata } = object["metadata"];
    object["metadata"] = metadata;
  }
  return value;
}

/** 1 if there was a mark, 0 if there was none; anything else never adds up: these managed fields were not cut, and must go the long way. */
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

/** Whether a text that begins with its kind, as those of built-in kinds do, is of a list. */
function isKindList(text: string): boolean {
  const end = text.indexOf('"', kindKey.length);
  return text.charCodeAt(end - 1) === LIST_END && text.startsWith("List", end - "List".length);
}

/** The items of a list; undefined when the value is not a list of API objects. */
function itemsOf(value: JsonValue): readonly JsonValue[] | undefined {
  if (!isJsonObject(value)) return undefined;
  const { kind, metadata, items } = value;
  const isList =
    Array.isArray(items) && typeof kind === "string" && kind.endsWith("List") && isJsonObject(metadata) && metadata["name"] === undefined;
  return isList ? items : undefined;
}

/** The object of a watch event, or the value itself. */
function objectOf(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  const { type, metadata, object } = value;
  return typeof type === "string" && metadata === undefined && isJsonObject(object) ? object : value;
}
