/** Error of `readTape`. */
import { errorBrand } from "@drover/machinery";

const brand = errorBrand<TapeFormatError>("TapeFormatError");

/** The lines are not a tape. The message names the line and the field. */
export class TapeFormatError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "TapeFormatError";
}

/** Reports whether an error is a `TapeFormatError`, of this or another copy of the package. */
export function isTapeFormatError(error: unknown): error is TapeFormatError {
  return brand.is(error);
}
