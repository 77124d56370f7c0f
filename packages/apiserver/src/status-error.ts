/** A request that is refused: what it throws is what the client is answered. */
import type { HttpHeaders, Status } from "@drover/machinery";

/** Carries the Status of the answer, as `apierrors.StatusError` does. */
export class StatusError extends Error {
  override readonly name = "StatusError";
  readonly status: Status;
  /** Headers of the answer besides the usual ones. */
  readonly headers: HttpHeaders;

  constructor(status: Status, headers: HttpHeaders = {}) {
    super(status.message ?? `code ${status.code ?? 0}`);
    this.status = status;
    this.headers = headers;
  }
}
