/** Pods that have no place yet: how often they were tried, and when they may be tried again. */
import type { Pod } from "@drover/api/core/v1";
import type { DeepReadonly, ObjectKey } from "@drover/machinery";

interface PendingPod {
  readonly pod: DeepReadonly<Pod>;
  readonly failedAt: number;
  readonly attempts: number;
}

/** A pod that may be tried again. */
export interface DuePod {
  readonly key: ObjectKey;
  readonly priority: number;
  /** How long it has to wait all the same. */
  readonly afterMs: number;
}

/** As long as kube-scheduler waits between two attempts: 1 s, and each time twice as long up to 10 s. */
const waitMs = 1000;
const waitMaxMs = 10_000;

/** Guarantees: nobody is tried twice within its wait, however much happens around it. */
export class PendingPods {
  readonly #pods = new Map<ObjectKey, PendingPod>();

  /** It was tried, in vain. */
  failed(key: ObjectKey, pod: DeepReadonly<Pod>, now: number): void {
    const before = this.#pods.get(key);
    const attempts = before?.pod.metadata.uid === pod.metadata.uid ? (before?.attempts ?? 0) : 0;
    this.#pods.set(key, { pod, failedAt: now, attempts: attempts + 1 });
  }

  /** It has a place, or has gone. */
  forget(key: ObjectKey): void {
    this.#pods.delete(key);
  }

  /** Those that something which has happened could help. */
  due(now: number, couldHelp: (pod: DeepReadonly<Pod>) => boolean): readonly DuePod[] {
    return [...this.#pods].flatMap(([key, { pod, failedAt, attempts }]) => {
      const mayAt = failedAt + Math.min(waitMaxMs, waitMs * 2 ** Math.min(attempts - 1, 10));
      return couldHelp(pod) ? [{ key, priority: pod.spec?.priority ?? 0, afterMs: Math.max(0, mayAt - now) }] : [];
    });
  }
}
