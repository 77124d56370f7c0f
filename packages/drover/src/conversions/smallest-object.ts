/** Makes an object smaller step by step, as long as it still fails. */
import { isJsonObject } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";

/** Candidates that are tried at most. */
const triesMax = 2000;

/**
 * Returns an object without parts that the failure does not need; of the metadata, all or only the name. `isFailing` holds for the
 * result.
 */
export function smallest(object: JsonObject, isFailing: (candidate: JsonObject) => boolean): JsonObject {
  const { metadata, ...rest } = object;
  const name = isJsonObject(metadata) && metadata["name"] !== undefined ? { name: metadata["name"] } : {};
  const bare = { ...rest, metadata: name };
  let current = isFailing(bare) ? bare : object;
  let tries = 0;
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const candidate of smallerObjects(current)) {
      if (++tries > triesMax) return current;
      if (!isFailing(candidate)) continue;
      current = candidate;
      isSmaller = true;
      break;
    }
  }
  return current;
}

/** Fields that identify the object stay. */
const identity: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

function* smallerObjects(object: JsonObject): Generator<JsonObject, void, undefined> {
  for (const key of Object.keys(object)) {
    if (identity.has(key)) continue;
    const { [key]: _, ...rest } = object;
    yield rest;
  }
  for (const [key, value] of Object.entries(object)) {
    if (identity.has(key)) continue;
    for (const smaller of smallerValues(value)) yield { ...object, [key]: smaller };
  }
}

function* smallerValues(value: JsonValue): Generator<JsonValue, void, undefined> {
  if (isJsonObject(value)) yield* smallerObjects(value);
  else if (Array.isArray(value)) {
    for (const index of value.keys()) yield value.toSpliced(index, 1);
    for (const [index, item] of value.entries()) for (const smaller of smallerValues(item)) yield value.with(index, smaller);
  } else if (typeof value === "string") {
    if (value !== "") yield "";
    if (value.length > 1) yield value.slice(0, 1);
  } else if (typeof value === "number") {
    for (const smaller of [0, 1, Math.trunc(value / 2)]) if (Math.abs(smaller) < Math.abs(value)) yield smaller;
  } else if (value === true) yield false;
}
