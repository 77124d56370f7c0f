/**
 * Objects whose last finalizer a chain has just removed: the server has deleted them, and only the cache does not know it yet. Running the
 * handlers once more would show them a ghost, and a handler that adds its finalizer back would fail.
 */
import type { Clock, DeepReadonly, KubeObject } from "@drover/machinery";

const rememberedMs = 60_000;

/** Remembers uids for a minute, by which time a watch has told of the deletion, or something else is wrong. */
export class FinishedObjects {
  readonly #clock: Clock;
  /** Uid → until when, in the order of time. */
  readonly #until = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A chain began with `before` and left `after`. */
  note(before: DeepReadonly<KubeObject> | undefined, after: DeepReadonly<KubeObject> | undefined): void {
    if (before === undefined || after === undefined || !isFinalizing(before) || !isFinished(after)) return;
    this.#forgetOld();
    const { uid = "" } = after.metadata;
    this.#until.delete(uid);
    if (uid !== "") this.#until.set(uid, this.#clock.monotonic() + rememberedMs);
  }

  /** Whether the cache shows an object that is gone. */
  isGhost({ metadata: { uid = "", deletionTimestamp } }: DeepReadonly<KubeObject>): boolean {
    if (this.#until.size === 0) return false;
    this.#forgetOld();
    return deletionTimestamp !== undefined && this.#until.has(uid);
  }

  #forgetOld(): void {
    const now = this.#clock.monotonic();
    for (const [uid, until] of this.#until) {
      if (until > now) return;
      this.#until.delete(uid);
    }
  }
}

const isFinalizing = ({ metadata }: DeepReadonly<KubeObject>): boolean => (metadata.finalizers?.length ?? 0) > 0;

/** A pod in its grace period has no finalizers either, and is still there: it is not finished. */
const isFinished = ({ metadata }: DeepReadonly<KubeObject>): boolean =>
  metadata.deletionTimestamp !== undefined && (metadata.finalizers?.length ?? 0) === 0 && (metadata.deletionGracePeriodSeconds ?? 0) === 0;
