/**
 * Selectors in whichever form one has them, as the text a query carries.
 *
 *     string | Selector | LabelSelector → labelSelectorText → "app=web,tier in (a,b)"
 */
import { selectorFromLabelSelector } from "@drover/machinery";
import type { DeepReadonly, FieldSelector, LabelSelector, Selector } from "@drover/machinery";

/** Objects by their labels: the text kubectl takes, a `Selector`, or the form that objects hold (`spec.selector` of a Deployment). */
export type LabelSelection = string | Selector | DeepReadonly<LabelSelector>;

/** Objects by their fields: text, or a `FieldSelector`. */
export type FieldSelection = string | FieldSelector;

/**
 * The text of a selector. Throws a `TypeError` for the one that matches nothing: no text says that, and the empty one, which its
 * `toString` gives, would select everything.
 */
export function labelSelectorText(selection: LabelSelection): string {
  if (typeof selection === "string") return selection;
  // Not `instanceof`: a selector of another copy of machinery would be read as an empty LabelSelector, which selects everything.
  const selector = "matchesNothing" in selection ? selection : selectorFromLabelSelector(selection);
  if (selector.matchesNothing)
    throw new TypeError("a label selector that matches nothing cannot be sent: the server would read it as one that matches everything");
  return selector.toString();
}

/** The text of a field selector. */
export function fieldSelectorText(selection: FieldSelection): string {
  return selection.toString();
}
