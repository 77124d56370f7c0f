import { errorBrand } from "@drover/machinery";
import type { ProblemCode } from "@drover/machinery/codes";

const brand = errorBrand<CommandError>("CommandError");

/** A failure to report to the user: what is wrong and what to do. Any other error is a bug. */
export class CommandError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "CommandError";
  readonly problemCode: ProblemCode | undefined;

  constructor(message: string, { cause, problemCode }: { readonly cause?: unknown; readonly problemCode?: ProblemCode } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.problemCode = problemCode;
  }
}

/** Reports whether the error is meant for the user, without a stack trace. */
export function isCommandError(error: unknown): error is CommandError {
  return brand.is(error);
}
