/** Errors of compiling a pattern; the messages are exactly Go's, because the API server shows them. */

/** Problems of a pattern, in Go's words. */
export type Re2Problem =
  | "invalid character class range"
  | "invalid escape sequence"
  | "invalid named capture"
  | "invalid or unsupported Perl syntax"
  | "invalid nested repetition operator"
  | "invalid repeat count"
  | "missing closing ]"
  | "missing closing )"
  | "missing argument to repetition operator"
  | "trailing backslash at end of expression"
  | "unexpected )"
  | "expression nests too deeply"
  | "expression too large";

/** An invalid pattern: the problem, and the offending part. */
export class Re2SyntaxError extends Error {
  override readonly name: string = "Re2SyntaxError";
  readonly problem: Re2Problem;
  readonly expression: string;

  constructor(problem: Re2Problem, expression: string) {
    super(`error parsing regexp: ${problem}: \`${expression}\``);
    this.problem = problem;
    this.expression = expression;
  }
}
