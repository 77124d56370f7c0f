/** Tokens, which the scanner passes to the parser. */
import type { Place } from "./yaml-error.ts";

export type ScalarStyle = "plain" | "quoted" | "block";

export type TokenKind =
  | "stream end"
  | "version directive"
  | "tag directive"
  | "document start"
  | "document end"
  | "block sequence start"
  | "block mapping start"
  | "block end"
  | "["
  | "]"
  | "{"
  | "}"
  | ","
  | "-"
  | "key"
  | "value"
  | "alias"
  | "anchor"
  | "tag"
  | "scalar";

export interface Token extends Place {
  readonly kind: TokenKind;
  /** Text of a scalar, name of an anchor or alias, suffix of a tag, prefix or version of a directive. */
  readonly text: string;
  /** Handle of a tag or tag directive. */
  readonly handle: string;
  readonly style: ScalarStyle;
}
