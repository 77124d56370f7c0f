/** The result of a patch with its keys as the server has them: in order where the patch has touched an object, elsewhere as they were. */
import { compareBytes, isJsonObject, setOwn, unescapePointerToken } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";
import type { ChangingPatch } from "./patch-forms.ts";

/** Which members were touched, and within them; an object without any was replaced or only named. */
interface Touched {
  readonly members: Map<string, Touched>;
}

export function inPatchedOrder(value: JsonValue, patch: ChangingPatch): JsonValue {
  return ordered(value, patch.type === "json" ? touchedByOperations(patch.operations) : touchedBy(patch.document));
}

function touchedBy(document: JsonValue): Touched {
  return { members: new Map(isJsonObject(document) ? Object.entries(document).map(([key, member]) => [key, touchedBy(member)]) : []) };
}

function touchedByOperations(operations: Extract<ChangingPatch, { type: "json" }>["operations"]): Touched {
  const root: Touched = { members: new Map() };
  for (const operation of operations) {
    let at = root;
    // As leniently as the patch itself is read: what stands before the first slash is nothing.
    for (const key of operation.path.split("/").slice(1).map(unescapePointerToken)) {
      let next = at.members.get(key);
      if (next === undefined) at.members.set(key, (next = { members: new Map() }));
      at = next;
    }
  }
  return root;
}

function ordered(value: JsonValue, touched: Touched | undefined): JsonValue {
  if (touched === undefined || touched.members.size === 0) return value;
  if (Array.isArray(value)) return value.map((item, index) => ordered(item, touched.members.get(String(index))));
  if (!isJsonObject(value)) return value;
  const result: JsonObject = {};
  for (const key of Object.keys(value).toSorted(compareBytes))
    setOwn<JsonValue>(result, key, ordered(value[key] ?? null, touched.members.get(key)));
  return result;
}
