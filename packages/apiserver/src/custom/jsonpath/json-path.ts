/** A JSONPath of kubectl's dialect, as its reader makes it and its finder walks it. */

/** One step of a path. */
export type JsonPathStep =
  | { readonly kind: "field"; readonly name: string }
  | { readonly kind: "wildcard" }
  | { readonly kind: "descendants" }
  | ItemsStep
  | { readonly kind: "filter"; readonly left: JsonPath; readonly operator: string; readonly right: JsonPath }
  | { readonly kind: "union"; readonly paths: readonly JsonPath[] }
  | LiteralStep
  /** A word that stands alone. The dialect knows two, for loops, and none where one path is wanted. */
  | { readonly kind: "word"; readonly word: string };

/** Items of a list; a bound may count from the end. */
export interface ItemsStep {
  readonly kind: "items";
  /** @default the first */
  readonly from?: number;
  /** Behind the last one wanted. @default behind the last there is; for a single index, the one after it */
  readonly to?: number | "next";
  /** @default 1 */
  readonly step?: number;
}

/** Takes the place of whatever it is applied to. */
export interface LiteralStep {
  readonly kind: "literal";
  readonly value: string | number | boolean;
}

/** Steps one after the other, each applied to everything the one before has found. */
export type JsonPath = readonly JsonPathStep[];

/** A path that cannot be read, or that does not fit what it is applied to. */
export class JsonPathError extends Error {
  override readonly name = "JsonPathError";
}
