/** A question that cannot be answered: the status code, and what to ask instead. */
import { errorBrand } from "@drover/machinery";

const brand = errorBrand<DebugProblem>("DebugProblem");

/** Thrown by the pages, answered by the handler. */
export class DebugProblem extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "DebugProblem";
  readonly status: number;
  /** What to do. */
  readonly fix: string;

  constructor(status: number, message: string, fix: string) {
    super(message);
    this.status = status;
    this.fix = fix;
  }
}

/** Reports whether the error is an answer. */
export function isDebugProblem(error: unknown): error is DebugProblem {
  return brand.is(error);
}
