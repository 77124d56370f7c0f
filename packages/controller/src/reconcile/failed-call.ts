/**
 * Marks the errors of calls with the run that made them, so that an error that no code has awaited still names its run.
 *
 *     runClient → markFailedCall → unhandled rejection → failedCallOf → "controller widget, key default/w"
 */

/** The run that made a call. */
export interface FailedCall {
  readonly controller: string;
  readonly key: string;
  readonly run: string;
}

const mark = Symbol.for("drover.failedCall");

/** Marks an error. An error that cannot be changed stays as it is; the first mark counts. */
export function markFailedCall(error: unknown, call: FailedCall): void {
  if (typeof error !== "object" || error === null || mark in error || !Object.isExtensible(error)) return;
  Object.defineProperty(error, mark, { value: call, enumerable: false });
}

/** Returns the run whose call failed with this error; undefined if it was not a call of a run. */
export function failedCallOf(error: unknown): FailedCall | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  return (error as { readonly [mark]?: FailedCall })[mark];
}
