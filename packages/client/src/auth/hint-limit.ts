/**
 * Limits how often the log repeats how to install a missing program.
 */
import type { Clock } from "@drover/machinery";
import type { ExecConfig } from "../kubeconfig/cluster-access.ts";

const hintsMax = 10;
const windowMs = 60 * 60 * 1000;

/** Guarantees: at most ten hints per hour. An hour starts with the first hint after the previous hour has ended. */
export class HintLimit {
  readonly #clock: Clock;
  #windowStart = -Infinity;
  #given = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Returns the text to append to a message: where the program is expected and the kubeconfig's install hint; empty once the
   * limit is reached.
   */
  text({ installHint }: Pick<ExecConfig, "installHint">): string {
    const now = this.#clock.monotonic();
    if (now - this.#windowStart >= windowMs) {
      this.#windowStart = now;
      this.#given = 0;
    }
    if (this.#given >= hintsMax) return "";
    this.#given++;
    const usual =
      "\n\nThe kubeconfig names this program as the source of credentials for the cluster; install it, or add its directory to PATH.";
    return installHint === undefined || installHint === "" ? usual : `${usual}\n\n${installHint}`;
  }
}
