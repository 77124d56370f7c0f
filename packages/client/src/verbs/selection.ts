/**
 * Converts selectors of any form to the text of a query.
 *
 *     string | Selector | LabelSelector → labelSelectorText → "app=web,tier in (a,b)"
 */
import { selectorFromLabelSelector } from "@drover/machinery";
import type { DeepReadonly, FieldSelector, LabelSelector, Selector } from "@drover/machinery";

/** Selects by labels: the text kubectl takes, a `Selector`, or a `LabelSelector` object (`spec.selector` of a Deployment). */
export type LabelSelection = string | Selector | DeepReadonly<LabelSelector>;

/** Selects by fields: text, or a `FieldSelector`. */
export type FieldSelection = string | FieldSelector;

/**
 * Returns the text of a selector. Throws a `TypeError` for one that matches nothing: it has no text, and the empty text,
 * which its `toString` returns, would select everything.
 */
export function labelSelectorText(selection: LabelSelection): string {
  if (typeof selection === "string") return selection;
  // Not `instanceof`: a selector of another copy of machinery would count as an empty LabelSelector, which selects everything.
  const selector = "matchesNothing" in selection ? selection : selectorFromLabelSelector(selection);
  if (selector.matchesNothing)
    throw new TypeError("a label selector that matches nothing cannot be sent: the server would read it as one that matches everything");
  return selector.toString();
}

/** Returns the text of a field selector. */
export function fieldSelectorText(selection: FieldSelection): string {
  return selection.toString();
}
