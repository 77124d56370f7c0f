/**
 * Who owns what after a change: the core that both an update and an apply go through.
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

/** The managers after a change, what others owned of the fields it set, and what it changed. */
export interface ManagersUpdate {
  /** Without the fields they lost, and without those who have none left. */
  readonly managers: Map<string, Manager>;
  /** By identity: fields of other managers that were set to something else. */
  readonly conflicts: ReadonlyMap<string, FieldSet>;
  /** As far as the scope lets a writer own it. */
  readonly comparison: Comparison;
}

/** Takes what a change set or removed from all managers but the one who made it. */
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
    // A version nobody serves any more: what was owned in it is forgotten.
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

/** The manager with other fields. */
export const withFields = (manager: Manager, fields: FieldSet): Manager => (fields === manager.fields ? manager : { ...manager, fields });

/** The managers as they stand under today's schemas; those of versions that are not served are left out. */
export function reconcileManagers(managers: Managers, live: TypedObject, scope: ApplyScope): Map<string, Manager> {
  const reconciled = new Map<string, Manager>();
  for (const [identity, manager] of managers) {
    const type = manager.apiVersion === live.apiVersion ? live.type : convertTyped(live, manager.apiVersion, scope, "")?.type;
    if (type !== undefined) reconciled.set(identity, withFields(manager, reconcileFields(manager.fields, type)));
  }
  return reconciled;
}
