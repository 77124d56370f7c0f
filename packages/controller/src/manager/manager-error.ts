/** How a manager's run may fail by itself; what a runnable rejects with is passed on as it is. */
import { formatDuration } from "@drover/machinery";

/** The lease is gone. What ran under it was aborted; the process should exit, since nothing in it may write any more. */
export class LeaderElectionLostError extends Error {
  override readonly name = "LeaderElectionLostError";

  constructor(lease: string, cause: unknown) {
    super(`leader election lost: lease ${lease} is not held any more`, { cause });
  }
}

/** Not everyone has ended in time. */
export class GracePeriodError extends Error {
  override readonly name = "GracePeriodError";
  /** Who has not. */
  readonly running: readonly string[];

  constructor(running: readonly string[], graceMs: number) {
    super(`failed waiting for all runnables to end within grace period of ${formatDuration(graceMs)}: ${running.join(", ")}`);
    this.running = running;
  }
}

/** One error for what ended a run and what went wrong on the way out: both stand in `errors`, the first is the cause as well. */
export function joinErrors(first: unknown, second: Error): AggregateError {
  return new AggregateError([first, second], `${first instanceof Error ? first.message : String(first)}; and ${second.message}`, {
    cause: first,
  });
}
