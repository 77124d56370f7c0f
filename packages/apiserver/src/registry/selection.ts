/** Which objects a list, a watch or the deletion of a collection is about. */
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

/** Selectors ready to match. */
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

  /** The one name that is wanted, where there is one. */
  get name(): string | undefined {
    return this.#fields.requiresExactMatch("metadata.name");
  }

  /** With more conditions on fields. */
  and(fields: FieldSelector): Selection {
    return new Selection(this.#labels, this.#fields.and(fields));
  }

  matches({ labels, fields }: SelectableParts): boolean {
    return this.#labels.matches(labels) && this.#fields.matches(fields);
  }

  /** Looks inside only if somebody asks for something there. */
  matchesStored(views: ObjectViews, stored: Stored): boolean {
    return this.isEverything || this.matches(views.parts(stored));
  }
}

/** What one object is selected by, besides what the request selects by itself. Throws a 400 where that is another object. */
export function onlyNamed(selection: Selection, name: string): Selection {
  if (name === "") return selection;
  if (selection.name !== undefined && selection.name !== name)
    throw new StatusError(newBadRequest("fieldSelector metadata.name doesn't match requested name"));
  return selection.and(oneTermEqualSelector("metadata.name", name));
}

/** What a request selects by, read but not yet held against what its kind can be selected by. */
export interface RequestedSelection {
  readonly labels: Selector;
  readonly fields: FieldSelector;
}

/** Reads the selectors of a request, before its other options are judged. Throws a 400 for one that cannot be read. */
export function readSelectors({ labelSelector = "", fieldSelector = "" }: ListOptions): RequestedSelection {
  try {
    return { labels: parseSelector(labelSelector), fields: parseFieldSelector(fieldSelector) };
  } catch (error) {
    if (error instanceof SelectorError) throw new StatusError(newBadRequest(error.message));
    throw error;
  }
}

/** What a request selects of a resource. Throws a 400 for a field that cannot be selected by. */
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
