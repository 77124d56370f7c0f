/** Errors of the manager itself. Errors of runnables are passed on unchanged. */
import { errorBrand, errorText, formatDuration } from "@drover/machinery";
import { withCode } from "@drover/machinery/codes";

const lostBrand = errorBrand<LeaderElectionLostError>("LeaderElectionLostError");
const graceBrand = errorBrand<GracePeriodError>("GracePeriodError");

/** The lease was lost. Everything that needs it was aborted; the process should exit. */
export class LeaderElectionLostError extends Error {
  static {
    lostBrand.mark(this);
  }

  override readonly name = "LeaderElectionLostError";
  readonly problemCode = "DRV0360";

  constructor(lease: string, cause: unknown) {
    super(withCode(`leader election lost: lease ${lease} is no longer held`, "DRV0360"), { cause });
  }
}

/** Reports whether an error is a `LeaderElectionLostError`, of this or another copy of the package. */
export function isLeaderElectionLostError(error: unknown): error is LeaderElectionLostError {
  return lostBrand.is(error);
}

/** Some runnables did not end within the grace period. */
export class GracePeriodError extends Error {
  static {
    graceBrand.mark(this);
  }

  override readonly name = "GracePeriodError";
  readonly problemCode = "DRV0365";
  /** Names of the runnables that still run. */
  readonly running: readonly string[];

  constructor(running: readonly string[], graceMs: number) {
    super(
      withCode(
        `failed waiting for all runnables to end within grace period of ${formatDuration(graceMs)}: ${running.join(", ")}`,
        "DRV0365",
      ),
    );
    this.running = running;
  }
}

/** Reports whether an error is a `GracePeriodError`, of this or another copy of the package. */
export function isGracePeriodError(error: unknown): error is GracePeriodError {
  return graceBrand.is(error);
}

/** Joins the error that ended a run with an error of the shutdown: both are in `errors`, the first is also the cause. */
export function joinErrors(first: unknown, second: Error): AggregateError {
  return new AggregateError([first, second], `${errorText(first)}; and ${second.message}`, { cause: first });
}
