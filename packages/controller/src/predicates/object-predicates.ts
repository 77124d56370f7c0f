/**
 * Predicates on the changed object: its namespace, labels and owners.
 *
 *     objectPredicate → hasLabel, matches, namespaceIn, ownerIs
 */
import type { LabelSelection } from "@drover/client";
import { getOwn, parseSelector, selectorFromLabelSelector, splitObjectKey } from "@drover/machinery";
import type { GroupKind } from "@drover/machinery";
import { ownerReferencesTo } from "../handlers/owner-handler.ts";
import type { OwnerMatchOptions } from "../handlers/owner-handler.ts";
import { objectPredicate } from "./predicate.ts";
import type { ObjectPredicateOptions, Predicate } from "./predicate.ts";

/** Options of `hasLabel`. */
export interface HasLabelOptions extends ObjectPredicateOptions {
  /** Required value. @default any value */
  readonly value?: string;
}

/** Passes objects with the label. */
export function hasLabel(label: string, { value, ...options }: HasLabelOptions = {}): Predicate {
  return objectPredicate(({ metadata }) => {
    const found = getOwn(metadata.labels ?? {}, label);
    return found !== undefined && (value === undefined || found === value);
  }, options);
}

/** Passes objects whose labels match the selector. Throws a `SelectorError` immediately if the selector cannot be parsed. */
export function matches(selection: LabelSelection, options?: ObjectPredicateOptions): Predicate {
  const selector =
    typeof selection === "string"
      ? parseSelector(selection)
      : "matchesNothing" in selection
        ? selection
        : selectorFromLabelSelector(selection);
  return objectPredicate(({ metadata }) => selector.matches(metadata.labels), options);
}

/** Passes objects in one of the namespaces; "" stands for cluster-scoped objects. */
export function namespaceIn(namespaces: Iterable<string>): Predicate {
  const wanted = new Set(namespaces);
  return ({ key }) => wanted.has(splitObjectKey(key).namespace);
}

/** Options of `ownerIs`. */
export interface OwnerIsOptions extends ObjectPredicateOptions, OwnerMatchOptions {}

/** Passes objects with an owner of this group and kind, in any version. */
export function ownerIs(kind: GroupKind, options: OwnerIsOptions = {}): Predicate {
  return objectPredicate((object) => ownerReferencesTo(object, kind, options).length > 0, options);
}
