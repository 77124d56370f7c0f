/** Which fields a writer at an endpoint can own: some endpoints reset what they must not change, some accept only a few fields. */
import { childElements, emptyFieldSet, isEmptyFieldSet, isMember, subtractFieldSetRecursively } from "./field-set.ts";
import type { FieldSet } from "./field-set.ts";
import type { PathElement } from "./path-element.ts";

/** Keeps only some paths of a set. */
export type FieldFilter = (set: FieldSet) => FieldSet;

/** Keeps everything but these fields and what is below them. */
export const excludeFields =
  (fields: FieldSet): FieldFilter =>
  (set) =>
    subtractFieldSetRecursively(set, fields);

/** Path elements, with `*` for any. */
export type FieldPattern = readonly PathElement[];

/**
 * Keeps the fields that these patterns lead to or through, and what is below them. After a match of `*` no other pattern is tried,
 * not even a second `*`: the server does the same.
 */
export const includeFields =
  (...patterns: readonly FieldPattern[]): FieldFilter =>
  (set) =>
    included(set, false, patterns) ?? emptyFieldSet;

function included(node: FieldSet, member: boolean, patterns: readonly FieldPattern[]): FieldSet | undefined {
  if (patterns.some((pattern) => pattern.length === 0)) return node;
  const kept: Record<PathElement, FieldSet> = member ? { ".": emptyFieldSet } : {};
  for (const element of childElements(node)) {
    const child = node[element] ?? emptyFieldSet;
    const any = patterns.find(([first]) => first === "*");
    const next = (any === undefined ? patterns.filter(([first]) => first === element) : [any]).map(([, ...rest]) => rest);
    if (next.length === 0) continue;
    const below = isEmptyFieldSet(child) ? child : included(child, isMember(child), next);
    if (below !== undefined) kept[element] = below;
  }
  if (childElements(kept).length > 0) return kept;
  return member ? emptyFieldSet : undefined;
}
