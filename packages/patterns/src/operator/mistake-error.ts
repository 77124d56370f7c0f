/** Reports a mistake in the code of an operator on one screen: what is wrong, where, and how to fix it. */
import { errorBrand } from "@drover/machinery";
import { withCode } from "@drover/machinery/codes";
import type { ProblemCode } from "@drover/machinery/codes";

/** The parts of a mistake. */
export interface Mistake {
  /** "controller of WebApp, desired, slot ingress" */
  readonly where: string;
  /** What is wrong, in a sentence. */
  readonly what: string;
  /** What to write instead; several lines of code are fine. */
  readonly fix: string;
  /** Code of the page about it. @default none */
  readonly code?: ProblemCode;
}

const brand = errorBrand<MistakeError>("MistakeError");

/** Thrown for a mistake in the code of an operator. The message contains the fix. */
export class MistakeError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "MistakeError";
  readonly mistake: Mistake;
  readonly problemCode: ProblemCode | undefined;

  constructor(mistake: Mistake, options?: ErrorOptions) {
    super(
      `${withCode(`${mistake.where}: ${mistake.what}`, mistake.code)}\n${mistake.fix
        .split("\n")
        .map((line, index) => `${index === 0 ? "  fix: " : "       "}${line}`)
        .join("\n")}`,
      options,
    );
    this.mistake = mistake;
    this.problemCode = mistake.code;
  }
}

/** Reports whether the error is a `MistakeError`, also one of another copy of this package. */
export function isMistakeError(error: unknown): error is MistakeError {
  return brand.is(error);
}
