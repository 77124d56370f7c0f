/**
 * Adapts a manager's fields to a schema that changed since they were recorded: where a list or object became atomic, an owner of
 * any part owns all of it. The other direction needs nothing.
 */
import { emptyFieldSet, fieldNode, isEmptyFieldSet } from "./field-set.ts";
import type { FieldSet } from "./field-set.ts";
import { defaultForm } from "./merge-type.ts";
import type { MergeType } from "./merge-type.ts";
import type { PathElement } from "./path-element.ts";

/** Returns the set under this type; the input itself when nothing changed. */
export function reconcileFields(set: FieldSet, type: MergeType): FieldSet {
  if (type.map?.atomic === true) return set;
  return reconcileChildren(set, type) ?? set;
}

/** Returns the node with its children adapted; undefined when nothing changes. */
function reconcileChildren(node: FieldSet, type: MergeType): FieldSet | undefined {
  if (!hasChildTypes(type)) return undefined;
  let changed: Record<PathElement, FieldSet> | undefined;
  for (const element in node) {
    const child = node[element] ?? emptyFieldSet;
    // An atomic list or object is a member without children, which any other keeps too.
    if (isEmptyFieldSet(child)) continue;
    const childType = typeBelow(type, element);
    const reconciled = childType === undefined ? undefined : reconcileNode(child, childType);
    if (reconciled !== undefined) (changed ??= {})[element] = reconciled;
  }
  if (changed === undefined) return undefined;
  const { ".": _, ...children } = node;
  return fieldNode(node["."] !== undefined, { ...children, ...changed });
}

function reconcileNode(node: FieldSet, type: MergeType): FieldSet | undefined {
  const form = defaultForm(type);
  const atomic = form === "map" ? type.map?.atomic === true && !type.map.freeForm() : form === "list" && type.list?.atomic === true;
  return atomic ? emptyFieldSet : reconcileChildren(node, type);
}

/** Whether anything is known about children of this type. */
const hasChildTypes = ({ map, list, scalar }: MergeType): boolean =>
  map === undefined ? scalar === undefined && list !== undefined : !map.freeForm();

function typeBelow({ map, list }: MergeType, element: PathElement): MergeType | undefined {
  if (map === undefined) return list?.items();
  return (element.startsWith("f:") ? map.field(element.slice(2))?.type : undefined) ?? map.entries();
}
