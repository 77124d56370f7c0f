/** How a handler says both what it knows and that it has failed. */
import { errorText } from "./cond.ts";

/** The status is written, and the key is tried again because of the cause. What is thrown without it leaves the status as it was. */
export class StatusError<Status extends object = object> extends Error {
  override readonly name = "StatusError";
  readonly status: Status;

  constructor(status: Status, cause: unknown) {
    super(errorText(cause), { cause });
    this.status = status;
  }
}
