/** Names made of parts: short enough for a label value, and always the same for the same parts. */
import { sha256Hex } from "@drover/machinery";

/**
 * The parts joined by "-". What is longer than 63 characters is cut and ends in some digits of its hash, so that
 * different parts give different
 * names. Wrangler's SafeConcatName, to the letter: objects that it named are found again.
 */
export function safeConcatName(...parts: readonly string[]): string {
  const whole = parts.join("-");
  if (whole.length < 64) return whole;
  const digest = sha256Hex(whole);
  // A name may not end in what stands before the digits when that is no letter or digit: "web-" + "-" would do, "web.-" would not.
  return /[a-z0-9]/.test(whole.charAt(56)) ? `${whole.slice(0, 57)}-${digest.slice(0, 5)}` : `${whole.slice(0, 56)}-${digest.slice(0, 6)}`;
}
