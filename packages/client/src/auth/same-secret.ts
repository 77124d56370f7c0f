/**
 * Compares two secrets without revealing them.
 */
import type { Secret } from "@drover/machinery";

/** Compares the values. Not constant-time: both values come from this process. */
export function sameSecret(a: Secret | undefined, b: Secret | undefined): boolean {
  return a?.reveal() === b?.reveal();
}
