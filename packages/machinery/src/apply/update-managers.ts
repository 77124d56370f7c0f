/**
 * Field ownership after a change: the core of both update and apply.
 *
 *     before, after, managers → compare in each manager's version → conflicts, or managers without what they lost
 */
import { changedFields, compareTyped, filterComparison } from "./compare-typed.ts";
import type { Comparison } from "./compare-typed.ts";
import type { ApplyScope } from "./apply-scope.ts";
import { intersectFieldSets, isEmptyFieldSet, subtractFieldSet } from "./field-set.ts";
import type { FieldSet } from "./field-set.ts";
import type { Manager, Managers } from "./managed-fields.ts";
import { reconcileFields } from "./reconcile-fields.ts";
import { convertTyped } from "./typed-object.ts";
import type { TypedObject } from "./typed-object.ts";

/** The managers after a change, its conflicts, and what it changed. */
export interface ManagersUpdate {
  /** Without fields they lost, and without managers that have none left. */
  readonly managers: Map<string, Manager>;
  /** By identity: fields of other managers that were changed. */
  readonly conflicts: ReadonlyMap<string, FieldSet>;
  /** As far as the scope lets a writer own it. */
  readonly comparison: Comparison;
}

/** Removes what a change set or removed from all managers but its author. */
export function updateManagers(
  before: TypedObject,
  after: TypedObject,
  managers: Managers,
  self: string,
  scope: ApplyScope,
): ManagersUpdate {
  const comparison = compareTyped(before.value, after.value, after.type);
  const byVersion = new Map<string, Comparison | undefined>([[after.apiVersion, filtered(comparison, after.apiVersion, scope)]]);
  const left = new Map<string, Manager>();
  const conflicts = new Map<string, FieldSet>();
  for (const [identity, manager] of managers) {
    if (identity === self) {
      keep(left, identity, manager);
      continue;
    }
    if (!byVersion.has(manager.apiVersion)) byVersion.set(manager.apiVersion, compareIn(manager.apiVersion, before, after, scope));
    const changes = byVersion.get(manager.apiVersion);
    // A version that is no longer served: its ownership is dropped.
    if (changes === undefined) continue;
    const lost = intersectFieldSets(manager.fields, changedFields(changes));
    if (!isEmptyFieldSet(lost)) conflicts.set(identity, lost);
    keep(left, identity, withFields(manager, subtractFieldSet(subtractFieldSet(manager.fields, lost), changes.removed)));
  }
  return { managers: left, conflicts, comparison: byVersion.get(after.apiVersion) ?? comparison };
}

function compareIn(apiVersion: string, before: TypedObject, after: TypedObject, scope: ApplyScope): Comparison | undefined {
  const old = convertTyped(before, apiVersion, scope, "failed to convert old object: ");
  const young = old === undefined ? undefined : convertTyped(after, apiVersion, scope, "failed to convert new object: ");
  return old === undefined || young === undefined ? undefined : filtered(compareTyped(old.value, young.value, old.type), apiVersion, scope);
}

function filtered(comparison: Comparison, apiVersion: string, { filterOf }: ApplyScope): Comparison {
  const filter = filterOf?.(apiVersion);
  return filter === undefined ? comparison : filterComparison(comparison, filter);
}

function keep(managers: Map<string, Manager>, identity: string, manager: Manager): void {
  if (!isEmptyFieldSet(manager.fields)) managers.set(identity, manager);
}

/** Returns the manager with other fields. */
export const withFields = (manager: Manager, fields: FieldSet): Manager => (fields === manager.fields ? manager : { ...manager, fields });

/** Returns the managers under the current schemas, without those of versions that are not served. */
export function reconcileManagers(managers: Managers, live: TypedObject, scope: ApplyScope): Map<string, Manager> {
  const reconciled = new Map<string, Manager>();
  for (const [identity, manager] of managers) {
    const type = manager.apiVersion === live.apiVersion ? live.type : convertTyped(live, manager.apiVersion, scope, "")?.type;
    if (type !== undefined) reconciled.set(identity, withFields(manager, reconcileFields(manager.fields, type)));
  }
  return reconciled;
}
