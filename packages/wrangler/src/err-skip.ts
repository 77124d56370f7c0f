/** Wrangler's word for "nothing to do for now": the same value as Lasso's `ErrIgnore`, so that either is understood everywhere. */
import { ErrIgnore } from "@drover/lasso";

/**
 * Thrown by a handler: not counted, not logged, and the key does not come again. In a remove handler it keeps the
 * finalizer, and the key does come again.
 */
export const ErrSkip: Error = ErrIgnore;
