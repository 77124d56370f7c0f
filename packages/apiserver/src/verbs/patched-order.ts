/** Key order after a patch, as in kube-apiserver: sorted in objects the patch touched, unchanged elsewhere. */
import { compareBytes, isJsonObject, setOwn, unescapePointerToken } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";
import type { ChangingPatch } from "./patch-forms.ts";

/** The members a patch touched, recursively; without members, the object was replaced or only named. */
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
    // As lenient as the patch itself: whatever precedes the first slash is ignored.
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
