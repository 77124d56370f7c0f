/** The error of a refused request; it becomes the response. */
import type { HttpHeaders, Status } from "@drover/machinery";

/** Carries the Status of the response, like Go's `apierrors.StatusError`. */
export class StatusError extends Error {
  override readonly name = "StatusError";
  readonly status: Status;
  /** Additional headers of the response. */
  readonly headers: HttpHeaders;

  constructor(status: Status, headers: HttpHeaders = {}) {
    super(status.message ?? `code ${status.code ?? 0}`);
    this.status = status;
    this.headers = headers;
  }
}
