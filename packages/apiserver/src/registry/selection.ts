/** Label and field selectors of a list, a watch or a delete-collection. */
import {
  newBadRequest,
  oneTermEqualSelector,
  parseFieldSelector,
  parseSelector,
  printGroupVersionKind,
  quoteGo,
  SelectorError,
} from "@drover/machinery";
import type { FieldSelector, GroupVersionKind, ListOptions, Selector } from "@drover/machinery";
import type { ObjectViews, SelectableParts } from "./object-views.ts";
import type { Resource } from "./resource.ts";
import type { ResourceRules } from "./resource-rules.ts";
import { StatusError } from "../status-error.ts";
import type { Stored } from "../storage/store.ts";

/** Parsed selectors of a request. */
export class Selection {
  readonly #labels: Selector;
  readonly #fields: FieldSelector;

  constructor(labels: Selector, fields: FieldSelector) {
    this.#labels = labels;
    this.#fields = fields;
  }

  get isEverything(): boolean {
    return this.#labels.isEverything && this.#fields.isEverything;
  }

  /** The name that the field selector requires; undefined when it requires none. */
  get name(): string | undefined {
    return this.#fields.requiresExactMatch("metadata.name");
  }

  /** Returns a selection with additional field requirements. */
  and(fields: FieldSelector): Selection {
    return new Selection(this.#labels, this.#fields.and(fields));
  }

  matches({ labels, fields }: SelectableParts): boolean {
    return this.#labels.matches(labels) && this.#fields.matches(fields);
  }

  /** Decodes the object only if the selection has requirements. */
  matchesStored(views: ObjectViews, stored: Stored): boolean {
    return this.isEverything || this.matches(views.parts(stored));
  }
}

/** Narrows the selection to one name. Throws a 400 when its field selector requires another. */
export function onlyNamed(selection: Selection, name: string): Selection {
  if (name === "") return selection;
  if (selection.name !== undefined && selection.name !== name)
    throw new StatusError(newBadRequest("fieldSelector metadata.name doesn't match requested name"));
  return selection.and(oneTermEqualSelector("metadata.name", name));
}

/** Parsed selectors, before they are checked against the selectable fields of the kind. */
export interface RequestedSelection {
  readonly labels: Selector;
  readonly fields: FieldSelector;
}

/** Parses the selectors of a request, before its other options are validated. Throws a 400 for a malformed one. */
export function readSelectors({ labelSelector = "", fieldSelector = "" }: ListOptions): RequestedSelection {
  try {
    return { labels: parseSelector(labelSelector), fields: parseFieldSelector(fieldSelector) };
  } catch (error) {
    if (error instanceof SelectorError) throw new StatusError(newBadRequest(error.message));
    throw error;
  }
}

/** Returns the selection for a resource. Throws a 400 for a field that is not selectable. */
export function selectionOf(resource: Resource, { labels, fields }: RequestedSelection): Selection {
  for (const { field } of fields.terms) checkField(resource, field);
  return new Selection(labels, fields);
}

function checkField({ kind, rules, selectableFields, isCustom }: Resource, field: string): void {
  if (field === "metadata.name" || selectableFields.has(field)) return;
  if (field === "metadata.namespace" && (kind.scope === "Namespaced" || isCustom || rules.unknownFieldSelector === "known-list")) return;
  throw new StatusError(newBadRequest(unknownField[rules.unknownFieldSelector](field, kind)));
}

const unknownField: Readonly<Record<ResourceRules["unknownFieldSelector"], (field: string, kind: GroupVersionKind) => string>> = {
  "known-list": (field) => `${quoteGo(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
  "label-not-supported": (field) => `field label not supported: ${field}`,
  "label-not-supported-for-kind": (field, kind) => `field label not supported for ${printGroupVersionKind(kind)}: ${field}`,
  "quoted-label-not-supported-for-kind": (field, { kind }) => `field label ${quoteGo(field)} not supported for ${kind}`,
};
