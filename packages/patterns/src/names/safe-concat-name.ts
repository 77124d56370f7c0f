/** Builds deterministic names from parts, short enough for a label value. */
import { sha256Hex } from "@drover/machinery";

/**
 * Joins the parts with "-". Names longer than 63 characters are cut and end in part of their hash, so that different
 * parts give different names. Identical to Wrangler's SafeConcatName, so that objects it named are found.
 */
export function safeConcatName(...parts: readonly string[]): string {
  const whole = parts.join("-");
  if (whole.length < 64) return whole;
  const digest = sha256Hex(whole);
  // Before "-" and the hash only a letter or digit may remain: "web.-" would not be a valid name.
  return /[a-z0-9]/.test(whole.charAt(56)) ? `${whole.slice(0, 57)}-${digest.slice(0, 5)}` : `${whole.slice(0, 56)}-${digest.slice(0, 6)}`;
}
