/**
 * Predicates about the object that changed: where it is, what it is labelled with, whom it belongs to.
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

/** What a label must be. */
export interface HasLabelOptions extends ObjectPredicateOptions {
  /** The value it must have. @default any */
  readonly value?: string;
}

/** The object has the label. */
export function hasLabel(label: string, { value, ...options }: HasLabelOptions = {}): Predicate {
  return objectPredicate(({ metadata }) => {
    const found = getOwn(metadata.labels ?? {}, label);
    return found !== undefined && (value === undefined || found === value);
  }, options);
}

/** The object's labels match the selector, in whichever form one has it. Throws a `SelectorError` at once when it cannot be read. */
export function matches(selection: LabelSelection, options?: ObjectPredicateOptions): Predicate {
  const selector =
    typeof selection === "string"
      ? parseSelector(selection)
      : "matchesNothing" in selection
        ? selection
        : selectorFromLabelSelector(selection);
  return objectPredicate(({ metadata }) => selector.matches(metadata.labels), options);
}

/** The object is in one of these namespaces; "" is where cluster-scoped ones are. */
export function namespaceIn(namespaces: Iterable<string>): Predicate {
  const wanted = new Set(namespaces);
  return ({ key }) => wanted.has(splitObjectKey(key).namespace);
}

/** How `ownerIs` looks at an object. */
export interface OwnerIsOptions extends ObjectPredicateOptions, OwnerMatchOptions {}

/** The object belongs to one of that group and kind, whatever the version. */
export function ownerIs(kind: GroupKind, options: OwnerIsOptions = {}): Predicate {
  return objectPredicate((object) => ownerReferencesTo(object, kind, options).length > 0, options);
}
