/**
 * Lists of objects: their metadata, and items of any type. Items of a typed list ("PodList") have no `apiVersion` and `kind` on the
 * wire; `fillItemKinds` restores them.
 */
import type { Int64, KubeList } from "./object.ts";
import { metadataOf, setMetadata } from "./meta.ts";
import { getOwn } from "../json/own.ts";
import type { DeepReadonly } from "../json/readonly.ts";
import { groupVersionKindOf } from "./type-meta.ts";

/** Returns the accessor of a list's metadata. Throws when the value is not a list. */
export function listAccessor(list: unknown): ListMetaAccessor {
  const metadata = isList(list) ? metadataOf(list) : undefined;
  if (metadata === undefined) throw new TypeError("object does not implement the List interfaces");
  return new ListMetaAccessor(metadata);
}

/** Whether the value is a list: its `items` are an array. */
export function isList(value: unknown): value is KubeList<unknown> {
  return Array.isArray(itemsOf(value));
}

/**
 * Returns the items of a list of any type. `items: null`, which some servers send, counts as empty. Throws when the value is not a
 * list.
 */
export function extractList(list: unknown): readonly unknown[] {
  const items = itemsOf(list);
  if (items === null) return [];
  if (Array.isArray(items)) return items as readonly unknown[];
  const why = items === undefined ? "no items field in this object" : "the items field must be a list of objects";
  throw new TypeError(`${groupVersionKindOf(list).kind || typeof list} is not a list: ${why}`);
}

/** Calls `visit` for every item in order; an exception ends the walk. Throws when the value is not a list. */
export function eachListItem(list: unknown, visit: (item: unknown, index: number) => void): void {
  for (const [index, item] of extractList(list).entries()) visit(item, index);
}

/** Returns the number of items; zero when the value is not a list. */
export function lenList(list: unknown): number {
  const items = itemsOf(list);
  return Array.isArray(items) ? items.length : 0;
}

/** Replaces the items of a list that the caller owns. */
export function setList<T>(list: KubeList<T>, items: readonly T[]): void {
  list.items = [...items];
}

/**
 * Returns the list with `apiVersion` and `kind` on every item that has neither, derived from the list: a "PodList" holds Pods.
 * Returns the list itself when its kind does not tell (kind "List", or none) and when there is nothing to fill.
 */
export function fillItemKinds<L extends DeepReadonly<KubeList>>(list: L): L {
  const { apiVersion = "", kind: listKind = "" } = list;
  const kind = listKind.endsWith("List") ? listKind.slice(0, -"List".length) : listKind;
  if (kind === "" || apiVersion === "" || !isList(list)) return list;
  let changed = false;
  const items = list.items.map((item) => {
    if (typeof item !== "object" || item === null || item.kind || item.apiVersion) return item;
    changed = true;
    const filled = { apiVersion, kind, ...item };
    filled.apiVersion = apiVersion;
    filled.kind = kind;
    return filled;
  });
  return changed ? { ...list, items } : list;
}

function itemsOf(list: unknown): unknown {
  return typeof list === "object" && list !== null ? getOwn(list as Readonly<Record<string, unknown>>, "items") : undefined;
}

/**
 * Reads and writes the metadata of one list in place, under Kubernetes' accessor names (`metav1.ListInterface`). A field that is
 * absent or of a wrong type reads as "" or undefined; setting an empty value removes the field.
 */
export class ListMetaAccessor {
  readonly #metadata: Record<string, unknown>;

  /** @internal Use `listAccessor`. */
  constructor(metadata: Record<string, unknown>) {
    this.#metadata = metadata;
  }

  getResourceVersion(): string {
    return this.#text("resourceVersion");
  }
  setResourceVersion(version: string): void {
    setMetadata(this.#metadata, "resourceVersion", version);
  }

  getContinue(): string {
    return this.#text("continue");
  }
  setContinue(token: string): void {
    setMetadata(this.#metadata, "continue", token);
  }

  getRemainingItemCount(): Int64 | undefined {
    const value = getOwn(this.#metadata, "remainingItemCount");
    return typeof value === "number" || typeof value === "bigint" ? (value as Int64) : undefined;
  }
  setRemainingItemCount(count: Int64 | undefined): void {
    setMetadata(this.#metadata, "remainingItemCount", count);
  }

  getSelfLink(): string {
    return this.#text("selfLink");
  }
  setSelfLink(selfLink: string): void {
    setMetadata(this.#metadata, "selfLink", selfLink);
  }

  #text(field: string): string {
    const value = getOwn(this.#metadata, field);
    return typeof value === "string" ? value : "";
  }
}
