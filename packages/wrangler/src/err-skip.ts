/** Wrangler's ErrSkip: the same value as Lasso's `ErrIgnore`, so both are recognised everywhere. */
import { ErrIgnore } from "@drover/lasso";

/**
 * Throw it in a handler to skip: it is not counted, not logged, and the key is not requeued. In a remove handler it
 * keeps the finalizer, and the key is requeued.
 */
export const ErrSkip: Error = ErrIgnore;
