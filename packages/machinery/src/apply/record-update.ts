/**
 * Records who changed what, for every write that is not an apply: create, update, and the other patches.
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

/** A write that has happened in everything but the record of it. */
export interface UpdateRequest {
  readonly scope: ApplyScope;
  /** The object as it was, in the version of the scope. For a create: `scope.emptyObject`, or undefined. */
  readonly live: JsonObject | undefined;
  /** The object as it is to be stored, in the version of the scope. */
  readonly object: JsonObject;
  /** The name of the writer; an empty one counts as "unknown". */
  readonly manager: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The object with its record. */
export interface UpdateRecord {
  readonly object: JsonObject;
  /** Why there is no record: an object that does not fit its schema loses its managed fields, as on the server. Worth a line in the log. */
  readonly problem?: string;
}

/**
 * The new object with managed fields brought up to date: what the writer set is its own, what it set or removed is no longer anybody
 * else's. An object that was never tracked stays so until somebody applies to it. `managedFields: []` in the object, or `[{}]`, ends the
 * record; entries of its own replace those of the live object, except at subresources.
 */
export function recordUpdate({ scope, live, object, manager, now }: UpdateRequest): UpdateRecord {
  const before = live ?? emptyObject(scope);
  const after = withManagedFields(object, undefined);
  const managers = managersToKeep(before, object, (scope.subresource ?? "") !== "");
  // An object that exists without a record has not been applied to yet; only a new one begins one.
  if (managers.size === 0 && uidOf(before) !== "") return { object: after };
  try {
    const updated = trackUpdate({ scope, live: withManagedFields(before, undefined), object: after, manager, now }, managers);
    return { object: withManagedFields(after, encodeManagedFields(updated)) };
  } catch (error) {
    if (error instanceof TypedObjectError) return { object: after, problem: error.message };
    throw error;
  }
}

/** The managers after an update, from those before it. Throws a `TypedObjectError` for objects that do not fit their schema. */
export function trackUpdate(
  { scope, live, object, manager, now }: UpdateRequest & { readonly live: JsonObject },
  managers: Managers,
): Map<string, Manager> {
  const after = asTyped(object, scope, (name) => `failed to convert new object (${name}) to smd typed`, { duplicates: "allow" });
  const before = asTyped(live, scope, (name) => `failed to convert live object (${name}) to smd typed`, { duplicates: "allow" });
  const name = managerAt(scope, manager, "Update");
  const identity = managerIdentity(name);
  // The writer is compared as somebody new, so that an entry of its own tells whether anything has changed.
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
    // Entries no server has written count as none.
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
