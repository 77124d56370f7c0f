/** Lets a handler fail and still write a status. */
import { errorText } from "./cond.ts";

/** The status is written, and the key is retried because of the cause. Other errors leave the status unchanged. */
export class StatusError<Status extends object = object> extends Error {
  override readonly name = "StatusError";
  readonly status: Status;

  constructor(status: Status, cause: unknown) {
    super(errorText(cause), { cause });
    this.status = status;
  }
}
