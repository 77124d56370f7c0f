/** What is wrong with a YAML text, and where. */

/** Thrown when a text is not YAML, or is YAML that JSON cannot hold. */
export class YamlError extends Error {
  override readonly name = "YamlError";
  readonly reason = "Invalid";
  /** Without the position. */
  readonly problem: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in characters. */
  readonly column: number;

  constructor(problem: string, place: Place) {
    super(`yaml: line ${place.line + 1}, column ${place.column + 1}: ${problem}`);
    this.problem = problem;
    this.line = place.line + 1;
    this.column = place.column + 1;
  }
}

/** A position in the text; line and column from 0. */
export interface Place {
  readonly line: number;
  readonly column: number;
}
