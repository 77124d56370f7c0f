/** The words of YAML: what the scanner hands to the parser. */
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
  /** The text of a scalar, the name of an anchor or alias, the suffix of a tag, the prefix or version of a directive. */
  readonly text: string;
  /** The handle of a tag or tag directive. */
  readonly handle: string;
  readonly style: ScalarStyle;
}
