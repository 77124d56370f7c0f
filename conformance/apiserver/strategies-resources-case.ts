/** One case about a kind that runs no pods: an object to create, or a change of it. */
import type { JsonObject } from "@drover/machinery";

export interface ResourceCase {
  /** "group/version/Kind". */
  readonly kind: string;
  readonly title: string;
  /** The object to create, as a merge patch of the minimal one; see `minimal-objects.ts`. @default the minimal one */
  readonly object?: JsonObject;
  /** A change of it, as a merge patch of the stored object. @default the case is about the creation */
  readonly update?: JsonObject;
  /** The subresource to change. @default the resource itself */
  readonly at?: string;
}

/** Several cases of one kind: title, object, change and subresource. */
export function casesOf(
  kind: string,
  rows: readonly (readonly [title: string, object: JsonObject, update?: JsonObject, at?: string])[],
): ResourceCase[] {
  return rows.map(([title, object, update, at]) => ({
    kind,
    title,
    object,
    ...(update === undefined ? {} : { update }),
    ...(at === undefined ? {} : { at }),
  }));
}
