/** Ends a program with the one that started it, also when that one was killed: a test must not leave servers behind. */
import type { Clock } from "@drover/machinery";

export interface ParentWatch {
  /** The process that must stay the parent; undefined watches none. */
  readonly parent: number | undefined;
  /** Returns the process id of the current parent: that of another process once the parent has gone. */
  readonly current: () => number;
  readonly clock: Pick<Clock, "timer">;
  /** Called once when the parent has gone. */
  readonly gone: () => void;
}

const intervalMs = 500;

/** Looks twice a second until the returned function is called. */
export function watchParent({ parent, current, clock, gone }: ParentWatch): () => void {
  if (parent === undefined) return () => undefined;
  let cancel: () => void = () => undefined;
  const look = (): void => {
    if (current() === parent) cancel = clock.timer(intervalMs, look);
    else gone();
  };
  look();
  return () => cancel();
}
