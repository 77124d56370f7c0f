/** Lets a handler fail and still write a status. */
import { errorBrand, errorText } from "@drover/machinery";

const brand = errorBrand<StatusError>("StatusError");

/** The status is written, and the key is retried because of the cause. Other errors leave the status unchanged. */
export class StatusError<Status extends object = object> extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "StatusError";
  readonly status: Status;

  constructor(status: Status, cause: unknown) {
    super(errorText(cause), { cause });
    this.status = status;
  }
}

/** Reports whether the error is a `StatusError`, also one of another copy of this package. */
export function isStatusError(error: unknown): error is StatusError {
  return brand.is(error);
}
