/** Explains on one screen why an operator does not become idle: what was awaited, what the controllers were doing, the last errors. */
import { errorBrand } from "@drover/machinery";
import { withCode } from "@drover/machinery/codes";
import type { ProblemCode } from "@drover/machinery/codes";

/**
 * - `loop`: a key runs again and again because of its own or other runs' writes
 * - `failing`: keys fail for longer than allowed
 * - `stuck`: something waits for what the harness cannot advance
 * - `unstable`: a second run of all keys wrote something
 * - `ended`: the operator is not running
 */
export type NotSettledReason = "loop" | "failing" | "stuck" | "unstable" | "ended";

const codes: Readonly<Record<NotSettledReason, ProblemCode>> = {
  loop: "DRV0701",
  failing: "DRV0702",
  stuck: "DRV0703",
  unstable: "DRV0704",
  ended: "DRV0705",
};

const linesMax = 40;
const columnsMax = 400;

const brand = errorBrand<NotSettledError>("NotSettledError");

/** Thrown when an operator does not become idle. `reason` says why. */
export class NotSettledError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "NotSettledError";
  readonly reason: NotSettledReason;
  readonly problemCode: ProblemCode;

  /** `lines` follow the headline; they are cut to one screen. */
  constructor(reason: NotSettledReason, headline: string, lines: readonly string[], options?: { readonly cause: unknown }) {
    const shown = lines.slice(0, linesMax).map((line) => (line.length > columnsMax ? `${line.slice(0, columnsMax)}…` : line));
    const left = lines.length - shown.length;
    super([withCode(headline, codes[reason]), ...shown, ...(left === 0 ? [] : [`  … and ${left} more lines`])].join("\n"), options);
    this.reason = reason;
    this.problemCode = codes[reason];
  }
}

/** Reports whether the error is a `NotSettledError`, also one of another copy of this package. */
export function isNotSettledError(error: unknown): error is NotSettledError {
  return brand.is(error);
}
