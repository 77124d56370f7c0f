/** Which objects of a cache are meant: by namespace and by labels. */
import type { LabelSelection } from "@drover/client";
import { parseSelector, Selector, selectorFromLabelSelector } from "@drover/machinery";

export interface ListFilter {
  /** Only objects in this namespace; "" and "*" mean all. @default all */
  readonly namespace?: string;
  /** Only objects whose labels match. Labels are known without reading the object. @default all */
  readonly labelSelector?: LabelSelection;
}

/** The namespace that is asked for; undefined means all. */
export function filterNamespace({ namespace }: ListFilter): string | undefined {
  return namespace === "" || namespace === "*" ? undefined : namespace;
}

/** The selector that is asked for; undefined means everything. Throws a `SelectorError` when it is none. */
export function filterSelector({ labelSelector }: ListFilter): Selector | undefined {
  if (labelSelector === undefined) return undefined;
  if (labelSelector instanceof Selector) return labelSelector.isEverything ? undefined : labelSelector;
  const selector = typeof labelSelector === "string" ? parseSelector(labelSelector) : selectorFromLabelSelector(labelSelector);
  return selector.isEverything ? undefined : selector;
}
