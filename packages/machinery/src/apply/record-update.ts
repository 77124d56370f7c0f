/**
 * Records field ownership for every write that is not an apply: create, update, and other patches.
 *
 *     live, new object, manager → new object with `metadata.managedFields`
 */
import { getOwn } from "../json/own.ts";
import { formatTime } from "../values/time.ts";
import { isJsonObject } from "../json/json-value.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { emptyObject, managerAt } from "./apply-scope.ts";
import type { ApplyScope } from "./apply-scope.ts";
import { capManagers } from "./cap-managers.ts";
import { changedFields } from "./compare-typed.ts";
import { isEmptyFieldSet, subtractFieldSet, unionFieldSets } from "./field-set.ts";
import { decodeManagedFields, encodeManagedFields, managedFieldsOf, managerIdentity, withManagedFields } from "./managed-fields.ts";
import type { Manager, Managers } from "./managed-fields.ts";
import { asTyped, TypedObjectError } from "./typed-object.ts";
import { unmanagedFields } from "./unmanaged-fields.ts";
import { reconcileManagers, updateManagers } from "./update-managers.ts";

/** A write that still needs its managed fields. */
export interface UpdateRequest {
  readonly scope: ApplyScope;
  /** The live object in the version of the scope. For a create: `scope.emptyObject`, or undefined. */
  readonly live: JsonObject | undefined;
  /** The object to store, in the version of the scope. */
  readonly object: JsonObject;
  /** Name of the writer; an empty one counts as "unknown". */
  readonly manager: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The object with its managed fields. */
export interface UpdateRecord {
  readonly object: JsonObject;
  /** Why there are none: an object that does not fit its schema loses its managed fields, as on the server. Should be logged. */
  readonly problem?: string;
}

/**
 * Returns the new object with updated managed fields: the writer owns what it set, and no other manager owns what it set or
 * removed. An object without managed fields stays so until an apply. `managedFields: []` in the object, or `[{}]`, clears them;
 * entries of its own replace those of the live object, except at subresources.
 */
export function recordUpdate({ scope, live, object, manager, now }: UpdateRequest): UpdateRecord {
  const before = live ?? emptyObject(scope);
  const after = withManagedFields(object, undefined);
  const managers = managersToKeep(before, object, (scope.subresource ?? "") !== "");
  // An existing object without managed fields has never been applied to; only a new object starts them.
  if (managers.size === 0 && uidOf(before) !== "") return { object: after };
  try {
    const updated = trackUpdate({ scope, live: withManagedFields(before, undefined), object: after, manager, now }, managers);
    return { object: withManagedFields(after, encodeManagedFields(updated)) };
  } catch (error) {
    if (error instanceof TypedObjectError) return { object: after, problem: error.message };
    throw error;
  }
}

/** Returns the managers after an update. Throws a `TypedObjectError` for objects that do not fit their schema. */
export function trackUpdate(
  { scope, live, object, manager, now }: UpdateRequest & { readonly live: JsonObject },
  managers: Managers,
): Map<string, Manager> {
  const after = asTyped(object, scope, (name) => `failed to convert new object (${name}) to smd typed`, { duplicates: "allow" });
  const before = asTyped(live, scope, (name) => `failed to convert live object (${name}) to smd typed`, { duplicates: "allow" });
  const name = managerAt(scope, manager, "Update");
  const identity = managerIdentity(name);
  // The writer is compared under a new identity, so that its own entry tells whether anything changed.
  const { managers: others, comparison } = updateManagers(before, after, reconcileManagers(managers, before, scope), "", scope);
  const fields = subtractFieldSet(changedFields(comparison), unmanagedFields);
  if (!isEmptyFieldSet(fields)) {
    const previous = others.get(identity);
    others.set(identity, {
      ...name,
      time: formatTime(now),
      fields: previous === undefined ? fields : unionFieldSets(fields, previous.fields),
    });
  }
  return capManagers(others);
}

function managersToKeep(live: JsonObject, object: JsonObject, isSubresource: boolean): Managers {
  const sent = isSubresource ? undefined : managedFieldsOf(object);
  if (isReset(sent)) return new Map();
  const own = sent === undefined ? undefined : readable(sent);
  return own !== undefined && own.size > 0 ? own : (readable(managedFieldsOf(live)) ?? new Map<string, Manager>());
}

function readable(entries: JsonValue | undefined): Managers | undefined {
  try {
    return decodeManagedFields(entries);
  } catch {
    // Entries that no server has written count as none.
    return undefined;
  }
}

function isReset(entries: JsonValue | undefined): boolean {
  if (!Array.isArray(entries)) return false;
  const [first] = entries;
  return (
    entries.length === 0 ||
    (entries.length === 1 && isJsonObject(first) && Object.values(first).every((value) => value === null || value === ""))
  );
}

function uidOf(object: JsonObject): string {
  const metadata = object["metadata"];
  const uid = isJsonObject(metadata) ? getOwn(metadata, "uid") : undefined;
  return typeof uid === "string" ? uid : "";
}
