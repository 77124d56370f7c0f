/** Patches: JSON Patch, merge patch and strategic merge patch turn one value into the other, and agree with the RFC. */
import { schemaFor } from "@drover/api/schemas";
import {
  JsonPatchError,
  MergePatchError,
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  compareBytes,
  diffJsonPatch,
  diffMergePatch,
  diffStrategicMergePatch,
  getOwn,
  isJsonObject,
  parseJsonPatch,
  parseMergePatch,
  parseStrategicMergePatch,
  setOwn,
  threeWayMergePatch,
  threeWayStrategicMergePatch,
} from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";
import { attempt, equal, holds, show } from "../expect.ts";
import { jsonPart, textParts } from "../parts.ts";
import type { FuzzTarget } from "../target.ts";

const schema = schemaFor({ group: "", version: "v1", kind: "Pod" }) ?? {};

export const patchTarget: FuzzTarget = {
  name: "patch",
  perSecond: 3000,
  tokens: [
    [
      '"op":"add"',
      '"op":"remove"',
      '"op":"move"',
      '"op":"copy"',
      '"op":"test"',
      '"op":"replace"',
      '"path":"/a/0"',
      '"from":"/a"',
      '"/-"',
      "~1",
      "~0",
    ],
    [
      '"$patch":"delete"',
      '"$patch":"replace"',
      '"$patch":"merge"',
      '"$retainKeys":["name"]',
      '"$setElementOrder/containers":[{"name":"a"}]',
    ],
    [
      '"$deleteFromPrimitiveList/finalizers":["a"]',
      '"containers":[{"name":"a"}]',
      '"name":"b"',
      '"finalizers":["a","b"]',
      '"ports":[{"containerPort":80}]',
    ],
    ['"metadata":{}', '"spec":{}', '"volumes":[]', '"labels":{"a":"b"}', '"tolerations":[{"key":"a"}]', '"value":null'],
  ].flat(),
  run(input) {
    const [left = "", right = "", third = ""] = textParts(input, 3);
    const [from, to] = [jsonPart(left), jsonPart(right)];
    const before = show([from, to]);
    jsonPatch(from, to);
    mergePatch(from, to);
    if (isJsonObject(from)) strategicPatch(from, to);
    holds(show([from, to]) === before, "changes neither document nor patch");
    const current = third === "" ? from : jsonPart(third);
    if (isJsonObject(from) && isJsonObject(to) && isJsonObject(current)) threeWays(from, to, current);
  },
};

function jsonPatch(from: JsonValue, to: JsonValue): void {
  const parsed = attempt(() => parseJsonPatch(to), JsonPatchError);
  if ("value" in parsed) attempt(() => applyJsonPatch(from, parsed.value.operations), JsonPatchError);
  // The root of a patched document is an object or a list.
  if (typeof from !== "object" || typeof to !== "object" || from === null || to === null) return;
  for (const guarded of [false, true]) {
    const patch = diffJsonPatch(from, to, { guarded });
    equal(applyJsonPatch(from, patch, { operationsMax: Infinity }), to, "a JSON patch of two values turns one into the other");
  }
}

function mergePatch(from: JsonValue, to: JsonValue): void {
  attempt(() => parseMergePatch(to), MergePatchError);
  equal(withoutListedNulls(applyMergePatch(from, to)), withoutListedNulls(rfc7386(from, to)), "merges as RFC 7386 says");
  if (isJsonObject(from) && isJsonObject(to) && !hasNull(to))
    equal(applyMergePatch(from, diffMergePatch(from, to)), to, "a merge patch of two objects turns one into the other");
}

/** The algorithm of RFC 7386, section 2. */
function rfc7386(target: JsonValue, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch;
  const result = isJsonObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else setOwn(result, name, rfc7386(Object.hasOwn(result, name) ? (result[name] ?? null) : null, value));
  }
  return result;
}

/** The server also drops nulls from objects in lists. */
function withoutListedNulls(value: JsonValue, isListed = false): JsonValue {
  if (Array.isArray(value)) return value.map((item) => withoutListedNulls(item, true));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => !isListed || member !== null);
  return Object.fromEntries(members.map(([key, member]) => [key, withoutListedNulls(member, isListed)]));
}

function strategicPatch(from: JsonObject, to: JsonValue): void {
  const parsed = attempt(() => parseStrategicMergePatch(to), MergePatchError);
  if ("value" in parsed) attempt(() => applyStrategicMergePatch(from, parsed.value, schema), MergePatchError);
  if (!isJsonObject(to)) return;
  const patch = attempt(() => diffStrategicMergePatch(from, to, schema), MergePatchError);
  if ("error" in patch || !isPlain(from) || !isPlain(to)) return;
  const patched = attempt(() => applyStrategicMergePatch(from, patch.value, schema), MergePatchError);
  // As in kubectl, the diff does not look at items that it only adds: they may lack a merge key, be lists or be of several types.
  if ("error" in patched && /merge key|lists of lists|list element types/.test(patched.error.message)) return;
  holds("value" in patched, "applies the strategic patch it made", () => ("error" in patched ? patched.error.message : ""));
  equal(sortedAs(patched.value, to), to, "a strategic patch of two objects turns one into the other");
}

/** As in kubectl, the diff does not notice that a list of scalars has been sorted: sorts those that should be. */
function sortedAs(value: JsonValue, wanted: JsonValue): JsonValue {
  if (Array.isArray(value) && Array.isArray(wanted)) {
    const isSorted = wanted.every((item, at) => typeof item !== "object" && (at === 0 || compareTexts(wanted[at - 1] ?? null, item) <= 0));
    return isSorted ? value.toSorted(compareTexts) : value.map((item, at) => sortedAs(item, wanted[at] ?? null));
  }
  if (!isJsonObject(value) || !isJsonObject(wanted)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, sortedAs(member, getOwn(wanted, key) ?? null)]));
}

/** In Go's order: by the bytes of what it prints. */
const compareTexts = (a: JsonValue, b: JsonValue): number => compareBytes(printed(a), printed(b));
const printed = (item: JsonValue): string => (typeof item === "string" ? item : show(item));

function threeWays(original: JsonObject, modified: JsonObject, current: JsonObject): void {
  const merge = attempt(() => threeWayMergePatch({ original, modified, current }), MergePatchError);
  if ("value" in merge && current === original && !hasNull(modified))
    equal(applyMergePatch(current, merge.value), modified, "a three-way patch without other changes gives the modified object");
  for (const conflicts of ["overwrite", "refuse"] as const)
    attempt(() => threeWayStrategicMergePatch({ original, modified, current }, schema, { conflicts }), MergePatchError);
}

/** What the diff assumes: no nulls, no directives, no key twice in a list. */
function isPlain(value: JsonValue): boolean {
  if (value === null) return false;
  if (Array.isArray(value)) {
    const scalars = value.filter((item) => typeof item !== "object");
    const isDistinct = new Set(scalars).size === scalars.length && mergeKeys.every((key) => distinct(value.filter(isJsonObject), key));
    return isDistinct && value.every(isPlain);
  }
  return !isJsonObject(value) || Object.entries(value).every(([key, member]) => !key.startsWith("$") && isPlain(member));
}

const mergeKeys = ["name", "containerPort", "mountPath", "devicePath", "uid", "ip", "type", "topologyKey", "key", "resourceName"];
function distinct(items: readonly JsonObject[], key: string): boolean {
  const keys = items.filter((item) => Object.hasOwn(item, key)).map((item) => show(item[key]));
  return new Set(keys).size === keys.length;
}

function hasNull(value: JsonValue): boolean {
  return value === null || (typeof value === "object" && Object.values(value as Record<string, JsonValue>).some(hasNull));
}
