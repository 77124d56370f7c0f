/** Why an operator did not come to rest, on one screen: what was waited for, what the controllers were doing, the last errors. */

/**
 * - `loop` a key runs again and again because of what runs write; `failing` keys fail for longer than they may
 * - `stuck` something waits for what the harness cannot move; `unstable` a second run of everything wrote; `ended` the
 *   operator is not running
 */
export type NotSettledReason = "loop" | "failing" | "stuck" | "unstable" | "ended";

const linesMax = 40;
const columnsMax = 400;

export class NotSettledError extends Error {
  override readonly name = "NotSettledError";
  readonly reason: NotSettledReason;

  /** `lines` stand below the headline; what does not fit on a screen is left out. */
  constructor(reason: NotSettledReason, headline: string, lines: readonly string[], options?: { readonly cause: unknown }) {
    const shown = lines.slice(0, linesMax).map((line) => (line.length > columnsMax ? `${line.slice(0, columnsMax)}…` : line));
    const left = lines.length - shown.length;
    super([headline, ...shown, ...(left === 0 ? [] : [`  … and ${left} more lines`])].join("\n"), options);
    this.reason = reason;
  }
}
