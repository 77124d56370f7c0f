/** A request that is not a review: answered with an HTTP error, because there may be no uid to answer to. */

export interface ReviewFormatErrorOptions {
  /** Version of the review, if it was read. */
  readonly apiVersion?: string;
  /** The uid, if it was read. */
  readonly uid?: string;
  readonly cause?: unknown;
}

/** The body of a request is not the review that the path expects. */
export class ReviewFormatError extends Error {
  override readonly name = "ReviewFormatError";
  readonly problemCode = "DRV0606";
  readonly apiVersion: string | undefined;
  readonly uid: string | undefined;

  constructor(message: string, { apiVersion, uid, cause }: ReviewFormatErrorOptions = {}) {
    super(message, { cause });
    this.apiVersion = apiVersion;
    this.uid = uid;
  }
}
