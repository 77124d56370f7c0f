/**
 * Server-side apply: merges a configuration into a live object and records field ownership.
 *
 *     live, configuration, manager → merged object with `metadata.managedFields`, or the Status that refuses it
 */
import { newBadRequest, newFailure } from "../errors/status-error.ts";
import { formatTime } from "../values/time.ts";
import { jsonEqual } from "../json/json-equal.ts";
import type { JsonObject } from "../json/json-value.ts";
import type { Status } from "../wire/status.ts";
import { applyConflictStatus } from "./apply-conflict.ts";
import { emptyObject, managerAt } from "./apply-scope.ts";
import type { ApplyScope } from "./apply-scope.ts";
import { isEmptyFieldSet, subtractFieldSet } from "./field-set.ts";
import type { FieldSet } from "./field-set.ts";
import { kubectlManager, lastAppliedFields, refreshLastApplied } from "./last-applied.ts";
import {
  decodeManagedFields,
  encodeManagedFields,
  ManagedFieldsError,
  managedFieldsOf,
  managerIdentity,
  withManagedFields,
} from "./managed-fields.ts";
import type { Manager, Managers } from "./managed-fields.ts";
import { mergeTyped } from "./merge-typed.ts";
import { PathElementError } from "./path-element.ts";
import { pruneFields } from "./prune-fields.ts";
import { trackUpdate } from "./record-update.ts";
import { toFieldSet } from "./to-field-set.ts";
import { asTyped, printKindOf, TypedObjectError, withValue } from "./typed-object.ts";
import type { TypedObject } from "./typed-object.ts";
import { unmanagedFields } from "./unmanaged-fields.ts";
import { reconcileManagers, updateManagers, withFields } from "./update-managers.ts";

/** One apply. */
export interface ApplyRequest {
  readonly scope: ApplyScope;
  /** The live object in the version of the scope; undefined when it does not exist. */
  readonly live: JsonObject | undefined;
  /** The configuration as sent. */
  readonly config: JsonObject;
  readonly manager: string;
  /** Whether to take fields from other managers instead of refusing. */
  readonly force: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Result of an apply. One that changes nothing gives an object equal to the live one, times included. */
export type ApplyResult = { readonly kind: "applied"; readonly object: JsonObject } | { readonly kind: "refused"; readonly status: Status };

/**
 * Merges, removes what only the manager owned and no longer applies, and records the result. Refuses with 409 and one cause per
 * field when other managers own what would change, with 400 and 500 in the server's words when the configuration cannot be used.
 */
export function applyPatch(request: ApplyRequest): ApplyResult {
  const { scope, config } = request;
  if (config["apiVersion"] !== scope.apiVersion || config["kind"] !== scope.kind)
    return refuse(newBadRequest(`invalid object type: ${printKindOf(config)}`));
  if (Array.isArray(managedFieldsOf(config))) return refuse(newBadRequest("metadata.managedFields must be nil"));
  try {
    return applyTracked(request, request.live ?? emptyObject(scope));
  } catch (error) {
    if (error instanceof TypedObjectError) return refuse(newFailure(500, "", error.message));
    if (error instanceof ManagedFieldsError || error instanceof PathElementError)
      return refuse(newFailure(500, "", `failed to decode managed fields: ${error.message}`));
    throw error;
  }
}

function applyTracked({ scope, config, manager, force, now }: ApplyRequest, live: JsonObject): ApplyResult {
  const bare = withManagedFields(live, undefined);
  const decoded = decodeManagedFields(managedFieldsOf(live));
  const managers = decoded.size > 0 ? decoded : attributeExisting(scope, bare, now);
  const merge = mergeConfig({ scope, live: bare, config, managers, name: managerAt(scope, manager, "Apply"), time: formatTime(now) });
  if (!force && merge.conflicts.size > 0) {
    const conflicts = manager === kubectlManager ? withoutLastApplied(merge.conflicts, merge.before) : merge.conflicts;
    // Managers read from the object have lost which numbers were integers.
    if (conflicts.size > 0) return refuse(applyConflictStatus(conflicts, managers, { integers: decoded.size === 0 }));
  }
  const { setDefaults = (value: JsonObject): JsonObject => value } = scope;
  const merged = merge.changed ? setDefaults(merge.object) : merge.object;
  const object = manager === kubectlManager ? refreshLastApplied(merged, config) : merged;
  return { kind: "applied", object: withManagedFields(object, encodeManagedFields(merge.managers)) };
}

/** An untracked object: its fields belong to a manager of their own. */
function attributeExisting(scope: ApplyScope, live: JsonObject, now: number): Managers {
  try {
    return trackUpdate({ scope, live: emptyObject(scope), object: live, manager: "before-first-apply", now }, new Map());
  } catch (error) {
    if (error instanceof TypedObjectError) throw new TypedObjectError(`failed to create manager for existing fields: ${error.message}`);
    throw error;
  }
}

interface Attempt {
  readonly scope: ApplyScope;
  readonly live: JsonObject;
  readonly config: JsonObject;
  readonly managers: Managers;
  readonly name: Omit<Manager, "time" | "fields">;
  readonly time: string;
}

interface Merge {
  readonly before: TypedObject;
  /** Without defaults: they are set only without conflicts. */
  readonly object: JsonObject;
  /** Whether the object differs from before. */
  readonly changed: boolean;
  readonly managers: Map<string, Manager>;
  /** What others would lose. */
  readonly conflicts: ReadonlyMap<string, FieldSet>;
}

function mergeConfig({ scope, live, config, managers, name, time }: Attempt): Merge {
  const wanted = asTyped(config, scope, (object) => `failed to create typed patch object (${object})`);
  const before = asTyped(live, scope, (object) => `failed to create typed live object (${object})`, { duplicates: "allow" });
  const identity = managerIdentity(name);
  const known = reconcileManagers(managers, before, scope);
  const last = known.get(identity);
  const filter = scope.filterOf?.(scope.apiVersion);
  const set = toFieldSet(config, wanted.type);
  const applier: Manager = { ...name, time: last?.time, fields: filter === undefined ? set : filter(set) };
  known.set(identity, applier);
  const after = pruneFields(withValue(before, mergeTyped(live, config, before.type)), known, applier, last, scope);
  const { managers: left, conflicts } = updateManagers(before, after, known, identity, scope);
  const changed = !jsonEqual(before.value, after.value);
  const fields = subtractFieldSet(applier.fields, unmanagedFields);
  if (isEmptyFieldSet(fields)) left.delete(identity);
  else left.set(identity, withFields(changed ? { ...applier, time } : applier, fields));
  return { before, object: changed ? after.value : live, changed, managers: left, conflicts };
}

/** Returns the conflicts without fields that are unchanged since the last client-side apply. */
function withoutLastApplied(conflicts: ReadonlyMap<string, FieldSet>, live: TypedObject): ReadonlyMap<string, FieldSet> {
  const allowed = lastAppliedFields(live);
  if (allowed === undefined) return conflicts;
  return new Map(
    [...conflicts]
      .map(([identity, fields]): [string, FieldSet] => [identity, subtractFieldSet(fields, allowed)])
      .filter(([, fields]) => !isEmptyFieldSet(fields)),
  );
}

const refuse = (status: Status): ApplyResult => ({ kind: "refused", status });
