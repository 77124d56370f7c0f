/** Why a text could not be decoded, or a value not encoded. */

export type JsonErrorReason =
  /** The text is not JSON. */
  | "syntax"
  /** The text ends too early. */
  | "truncated"
  /** Nested too deeply. */
  | "depth"
  /** Too many bytes. */
  | "size"
  /** The bytes are not UTF-8. */
  | "encoding"
  /** A number that does not fit 64 bits. */
  | "number"
  /** A value JSON cannot represent: a function, NaN, an undefined list item. */
  | "value";

/** Position where parsing stopped. */
export interface JsonPosition {
  /** In UTF-16 units from the start, from 0. */
  readonly offset: number;
  /** From 1. */
  readonly line: number;
  /** In UTF-16 units from the start of the line, from 1. */
  readonly column: number;
}

/** Thrown by `decodeJson` and `encodeJson`. The message names the position and what was expected there. */
export class JsonError extends Error {
  override readonly name: string = "JsonError";
  readonly reason: JsonErrorReason;
  /** The API server's message, without the position. */
  readonly detail: string;
  readonly position: JsonPosition | undefined;

  constructor(reason: JsonErrorReason, detail: string, position?: JsonPosition) {
    super(position === undefined ? detail : `${detail} (line ${position.line}, column ${position.column}, offset ${position.offset})`);
    this.reason = reason;
    this.detail = detail;
    this.position = position;
  }
}

/** Returns line and column of an offset. */
export function jsonPosition(text: string, offset: number): JsonPosition {
  let line = 1;
  let lineStart = 0;
  for (let next = text.indexOf("\n"); next !== -1 && next < offset; next = text.indexOf("\n", next + 1)) {
    line++;
    lineStart = next + 1;
  }
  return { offset, line, column: offset - lineStart + 1 };
}
