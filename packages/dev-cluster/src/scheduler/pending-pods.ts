/** Unscheduled pods: number of attempts, and when to try again. */
import type { Pod } from "@drover/api/core/v1";
import type { DeepReadonly, ObjectKey } from "@drover/machinery";

interface PendingPod {
  readonly pod: DeepReadonly<Pod>;
  readonly failedAt: number;
  readonly attempts: number;
}

/** A pod to try again. */
export interface DuePod {
  readonly key: ObjectKey;
  readonly priority: number;
  /** Remaining backoff. */
  readonly afterMs: number;
}

/** kube-scheduler's backoff between attempts: 1 s, doubled up to 10 s. */
const waitMs = 1000;
const waitMaxMs = 10_000;

/** Guarantees: no pod is tried again within its backoff, however many events arrive. */
export class PendingPods {
  readonly #pods = new Map<ObjectKey, PendingPod>();

  /** Records a failed attempt. */
  failed(key: ObjectKey, pod: DeepReadonly<Pod>, now: number): void {
    const before = this.#pods.get(key);
    const attempts = before?.pod.metadata.uid === pod.metadata.uid ? (before?.attempts ?? 0) : 0;
    this.#pods.set(key, { pod, failedAt: now, attempts: attempts + 1 });
  }

  /** Forgets a pod that is bound or gone. */
  forget(key: ObjectKey): void {
    this.#pods.delete(key);
  }

  /** Returns the pods that an event could make schedulable. */
  due(now: number, couldHelp: (pod: DeepReadonly<Pod>) => boolean): readonly DuePod[] {
    return [...this.#pods].flatMap(([key, { pod, failedAt, attempts }]) => {
      const mayAt = failedAt + Math.min(waitMaxMs, waitMs * 2 ** Math.min(attempts - 1, 10));
      return couldHelp(pod) ? [{ key, priority: pod.spec?.priority ?? 0, afterMs: Math.max(0, mayAt - now) }] : [];
    });
  }
}
