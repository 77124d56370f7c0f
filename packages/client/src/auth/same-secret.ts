/** Whether two secrets are one, without telling what they are. */
import type { Secret } from "@drover/machinery";

/** Compares the values. Both come from this process, so the time it takes tells nobody anything. */
export function sameSecret(a: Secret | undefined, b: Secret | undefined): boolean {
  return a?.reveal() === b?.reveal();
}
