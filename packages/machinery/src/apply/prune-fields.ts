/** Removes from a merged object what its applier owned before, no longer applies, and no other manager owns. */
import type { ApplyScope } from "./apply-scope.ts";
import { emptyFieldSet, intersectFieldSets, isEmptyFieldSet, subtractFieldSet, unionFieldSets } from "./field-set.ts";
import type { FieldSet } from "./field-set.ts";
import type { Manager, Managers } from "./managed-fields.ts";
import { withNamedFields } from "./named-fields.ts";
import { removeItems } from "./remove-items.ts";
import { toFieldSet } from "./to-field-set.ts";
import { convertTyped, TypedObjectError, withValue } from "./typed-object.ts";
import type { TypedObject } from "./typed-object.ts";

const failed = "failed to prune fields: ";

/** Returns the merged object without the fields that its applier gave up. `managers` contains the applier with its new fields. */
export function pruneFields(
  merged: TypedObject,
  managers: Managers,
  applier: Manager,
  last: Manager | undefined,
  scope: ApplyScope,
): TypedObject {
  // An applier that still applies everything gives up nothing, and searching would be most of the work.
  if (last === undefined || (last.apiVersion === applier.apiVersion && isEmptyFieldSet(subtractFieldSet(last.fields, applier.fields))))
    return merged;
  const inLastVersion = convertTyped(merged, last.apiVersion, scope, `${failed}failed to convert merged object to last applied version: `);
  if (inLastVersion === undefined) return merged;
  const given = withNamedFields(last.fields, inLastVersion.type);
  const present = allFields(inLastVersion);
  const withOwned = addBackOwned(inLastVersion, present, withoutFields(inLastVersion, given), managers, scope);
  const left = convertTyped(
    withOwned,
    last.apiVersion,
    scope,
    `${failed}failed add back dangling items: failed to convert pruned object to last applied version: `,
  );
  // Only what the applier owned before may be removed.
  const pruned =
    left === undefined
      ? inLastVersion
      : withoutFields(inLastVersion, intersectFieldSets(subtractFieldSet(present, allFields(left)), given));
  const result = convertTyped(pruned, merged.apiVersion, scope, failed);
  if (result === undefined) throw new TypedObjectError(`${failed}no corresponding type for ${merged.apiVersion}`);
  return result;
}

const withoutFields = (object: TypedObject, fields: FieldSet): TypedObject =>
  withValue(object, removeItems(object.value, fields, object.type));
const allFields = (object: TypedObject): FieldSet => withNamedFields(toFieldSet(object.value, object.type), object.type);

/** Adds back what some manager owns, including the applier with its new configuration. */
function addBackOwned(merged: TypedObject, present: FieldSet, pruned: TypedObject, managers: Managers, scope: ApplyScope): TypedObject {
  const byVersion = new Map<string, FieldSet>();
  for (const { apiVersion, fields } of managers.values())
    byVersion.set(apiVersion, unionFieldSets(byVersion.get(apiVersion) ?? emptyFieldSet, fields));
  // The current version goes first, so that fields a conversion needs are back before one happens.
  const versions = [...byVersion].toSorted(([a], [b]) => Number(b === merged.apiVersion) - Number(a === merged.apiVersion));
  let result = pruned;
  for (const [apiVersion, owned] of versions) {
    const whole = convertTyped(
      merged,
      apiVersion,
      scope,
      `${failed}failed add back owned items: failed to convert merged object at version ${apiVersion}: `,
    );
    const part =
      whole === undefined
        ? undefined
        : convertTyped(
            result,
            apiVersion,
            scope,
            `${failed}failed add back owned items: failed to convert pruned object at version ${apiVersion}: `,
          );
    if (whole === undefined || part === undefined) continue;
    result = withoutFields(
      whole,
      subtractFieldSet(whole === merged ? present : allFields(whole), unionFieldSets(allFields(part), withNamedFields(owned, whole.type))),
    );
  }
  return result;
}
