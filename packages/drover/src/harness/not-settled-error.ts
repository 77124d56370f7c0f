/** Explains on one screen why an operator does not become idle: what was awaited, what the controllers were doing, the last errors. */

/**
 * - `loop`: a key runs again and again because of its own or other runs' writes
 * - `failing`: keys fail for longer than allowed
 * - `stuck`: something waits for what the harness cannot advance
 * - `unstable`: a second run of all keys wrote something
 * - `ended`: the operator is not running
 */
export type NotSettledReason = "loop" | "failing" | "stuck" | "unstable" | "ended";

const linesMax = 40;
const columnsMax = 400;

export class NotSettledError extends Error {
  override readonly name = "NotSettledError";
  readonly reason: NotSettledReason;

  /** `lines` follow the headline; they are cut to one screen. */
  constructor(reason: NotSettledReason, headline: string, lines: readonly string[], options?: { readonly cause: unknown }) {
    const shown = lines.slice(0, linesMax).map((line) => (line.length > columnsMax ? `${line.slice(0, columnsMax)}…` : line));
    const left = lines.length - shown.length;
    super([headline, ...shown, ...(left === 0 ? [] : [`  … and ${left} more lines`])].join("\n"), options);
    this.reason = reason;
  }
}
