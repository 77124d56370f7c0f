/** One question about a kind that runs nothing: what becomes of an object, or of a change of one. */
import type { JsonObject } from "@drover/machinery";

export interface ResourceCase {
  /** "group/version/Kind". */
  readonly kind: string;
  readonly title: string;
  /** What is created, as a merge patch of the least that the kind accepts; see `minimal-objects.ts`. @default nothing more */
  readonly object?: JsonObject;
  /** What is then changed, as a merge patch of what is stored. @default the question is about the creation */
  readonly update?: JsonObject;
  /** Where it is changed. @default the resource itself */
  readonly at?: string;
}

/** Several cases of one kind: title, object, and what is changed where. */
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
