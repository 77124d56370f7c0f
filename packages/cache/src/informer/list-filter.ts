/** Filters objects of a cache by namespace and labels. */
import type { LabelSelection } from "@drover/client";
import { parseSelector, Selector, selectorFromLabelSelector } from "@drover/machinery";

/** Selects objects of a cache. */
export interface ListFilter {
  /** Namespace; "" and "*" mean all namespaces. @default all namespaces */
  readonly namespace?: string;
  /** Label selector; applied without parsing the object. @default all objects */
  readonly labelSelector?: LabelSelection;
}

/** Returns the requested namespace; undefined means all. */
export function filterNamespace({ namespace }: ListFilter): string | undefined {
  return namespace === "" || namespace === "*" ? undefined : namespace;
}

/** Returns the requested selector; undefined means all objects. Throws a `SelectorError` if it is invalid. */
export function filterSelector({ labelSelector }: ListFilter): Selector | undefined {
  if (labelSelector === undefined) return undefined;
  if (labelSelector instanceof Selector) return labelSelector.isEverything ? undefined : labelSelector;
  const selector = typeof labelSelector === "string" ? parseSelector(labelSelector) : selectorFromLabelSelector(labelSelector);
  return selector.isEverything ? undefined : selector;
}
