/** How to install a program that is missing, said often enough to be read and not so often that it drowns the log. */
import type { Clock } from "@drover/machinery";
import type { ExecConfig } from "../kubeconfig/cluster-access.ts";

const hintsMax = 10;
const windowMs = 60 * 60 * 1000;

/** Guarantees: at most ten hints an hour; an hour begins with the first hint after the last one is over. */
export class HintLimit {
  readonly #clock: Clock;
  #windowStart = -Infinity;
  #given = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * What to append to a message: where the program is expected and the kubeconfig's own words, or nothing when it was
   * said often enough.
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
      "\n\nThe kubeconfig names this program as the one that knows the credentials for the cluster; install it, or add its folder to PATH.";
    return installHint === undefined || installHint === "" ? usual : `${usual}\n\n${installHint}`;
  }
}
