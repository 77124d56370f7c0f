/**
 * Orders writers of one object that lost a race: each retries after those before it are done, instead of all at once. Without it, a
 * hundred writers of one object do the work of five thousand.
 */
import { seconds } from "@drover/machinery";
import type { Clock } from "@drover/machinery";

/** A writer whose admission plug-in writes the same object would wait for itself. */
const patienceMs = seconds(1);

export class RetryQueue {
  /** By key: resolves when the last writer of the queue is done. */
  readonly #last = new Map<string, Promise<void>>();

  /** Resolves when it is the caller's turn; the caller calls the returned function when it is done. */
  async enter(key: string, clock: Clock): Promise<() => void> {
    const before = this.#last.get(key);
    let leave = (): void => undefined;
    const done = new Promise<void>((resolve) => {
      leave = () => {
        if (this.#last.get(key) === done) this.#last.delete(key);
        resolve();
      };
    });
    this.#last.set(key, done);
    if (before !== undefined)
      await new Promise<void>((resolve) => {
        const cancel = clock.timer(patienceMs, resolve);
        void before.then(() => {
          cancel();
          resolve();
        });
      });
    return leave;
  }
}
