/**
 * Adds fields that a schema names to a set wherever something below them is in it. Sets of managers leave them out, but when
 * everything below such a field is removed, the field is too.
 */
import { childElements, emptyFieldSet, isEmptyFieldSet } from "./field-set.ts";
import type { FieldSet } from "./field-set.ts";
import type { MergeType } from "./merge-type.ts";
import type { PathElement } from "./path-element.ts";

/** Returns the set with all named fields above its paths. */
export function withNamedFields(set: FieldSet, type: MergeType): FieldSet {
  return namedNode(set, false, type);
}

function namedNode(node: FieldSet, member: boolean, type: MergeType | undefined): FieldSet {
  const named: Record<PathElement, FieldSet> = member ? { ".": emptyFieldSet } : {};
  for (const element of childElements(node)) {
    const child = node[element] ?? emptyFieldSet;
    named[element] = isEmptyFieldSet(child) ? child : namedChild(element, child, type);
  }
  return named;
}

function namedChild(element: PathElement, child: FieldSet, type: MergeType | undefined): FieldSet {
  const member = child["."] !== undefined;
  if (element.startsWith("f:") && type?.map !== undefined) {
    const field = type.map.field(element.slice(2));
    return namedNode(child, member || field !== undefined, field?.type ?? type.map.entries());
  }
  return namedNode(child, member, element.startsWith("k:") ? type?.list?.items() : undefined);
}
