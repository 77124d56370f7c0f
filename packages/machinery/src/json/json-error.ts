/** Why a text could not be read as JSON, or a value not be written as JSON. */

export type JsonErrorReason =
  /** The text is not JSON. */
  | "syntax"
  /** The text breaks off before its end. */
  | "truncated"
  /** More levels of objects and lists inside each other than allowed. */
  | "depth"
  /** More bytes than allowed. */
  | "size"
  /** The bytes are not UTF-8. */
  | "encoding"
  /** A number that no 64 bits can hold. */
  | "number"
  /** Something JSON has no form for: a function, NaN, an undefined list item. */
  | "value";

/** The place in a text where reading stopped. */
export interface JsonPosition {
  /** In UTF-16 units from the start, from 0. */
  readonly offset: number;
  /** From 1. */
  readonly line: number;
  /** In UTF-16 units from the start of the line, from 1. */
  readonly column: number;
}

/** Thrown by `decodeJson` and `encodeJson`. The message names the place and what was expected there. */
export class JsonError extends Error {
  override readonly name: string = "JsonError";
  readonly reason: JsonErrorReason;
  /** The sentence the API server has for it, without the place. */
  readonly detail: string;
  readonly position: JsonPosition | undefined;

  constructor(reason: JsonErrorReason, detail: string, position?: JsonPosition) {
    super(position === undefined ? detail : `${detail} (line ${position.line}, column ${position.column}, offset ${position.offset})`);
    this.reason = reason;
    this.detail = detail;
    this.position = position;
  }
}

/** Line and column of an offset. */
export function jsonPosition(text: string, offset: number): JsonPosition {
  let line = 1;
  let lineStart = 0;
  for (let next = text.indexOf("\n"); next !== -1 && next < offset; next = text.indexOf("\n", next + 1)) {
    line++;
    lineStart = next + 1;
  }
  return { offset, line, column: offset - lineStart + 1 };
}
