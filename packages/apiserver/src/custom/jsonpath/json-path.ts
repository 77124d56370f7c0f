/** The parsed form of a JSONPath in kubectl's dialect. */

/** One step of a path. */
export type JsonPathStep =
  | { readonly kind: "field"; readonly name: string }
  | { readonly kind: "wildcard" }
  | { readonly kind: "descendants" }
  | ItemsStep
  | { readonly kind: "filter"; readonly left: JsonPath; readonly operator: string; readonly right: JsonPath }
  | { readonly kind: "union"; readonly paths: readonly JsonPath[] }
  | LiteralStep
  /** A bare word. The dialect has two, for loops, which a single path may not contain. */
  | { readonly kind: "word"; readonly word: string };

/** A slice of a list; negative bounds count from the end. */
export interface ItemsStep {
  readonly kind: "items";
  /** @default the first item */
  readonly from?: number;
  /** Exclusive end. @default the end of the list; "next" is the item after `from` */
  readonly to?: number | "next";
  /** @default 1 */
  readonly step?: number;
}

/** Replaces the value it is applied to. */
export interface LiteralStep {
  readonly kind: "literal";
  readonly value: string | number | boolean;
}

/** Steps, each applied to every result of the one before. */
export type JsonPath = readonly JsonPathStep[];

/** An invalid path, or one that does not fit its value. */
export class JsonPathError extends Error {
  override readonly name = "JsonPathError";
}
