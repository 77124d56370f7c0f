/**
 * Objects whose last finalizer a chain has just removed: the server has deleted them, but the cache still shows them. Running the handlers
 * again would give them a deleted object, and a handler that adds its finalizer back would fail.
 */
import type { Clock, DeepReadonly, KubeObject } from "@drover/machinery";

const rememberedMs = 60_000;

/** Remembers uids for a minute; by then the watch has delivered the deletion, or something else is wrong. */
export class FinishedObjects {
  readonly #clock: Clock;
  /** Expiry time by uid, in order of time. */
  readonly #until = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Records the object before and after a chain. */
  note(before: DeepReadonly<KubeObject> | undefined, after: DeepReadonly<KubeObject> | undefined): void {
    if (before === undefined || after === undefined || !isFinalizing(before) || !isFinished(after)) return;
    this.#forgetOld();
    const { uid = "" } = after.metadata;
    this.#until.delete(uid);
    if (uid !== "") this.#until.set(uid, this.#clock.monotonic() + rememberedMs);
  }

  /** Reports whether the cached object is already deleted on the server. */
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

/** A pod in its grace period has no finalizers either, but still exists. */
const isFinished = ({ metadata }: DeepReadonly<KubeObject>): boolean =>
  metadata.deletionTimestamp !== undefined && (metadata.finalizers?.length ?? 0) === 0 && (metadata.deletionGracePeriodSeconds ?? 0) === 0;
