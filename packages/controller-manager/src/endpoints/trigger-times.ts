/** When a service's endpoints had to change: metrics of propagation delay use it. */
import type { Pod, Service } from "@drover/api/core/v1";
import { formatTime, objectKeyOf } from "@drover/machinery";
import type { DeepReadonly, ObjectKey } from "@drover/machinery";
import { timeMs } from "../shared/object-time.ts";

/** State of a service at its last sync. */
interface Seen {
  readonly serviceMs: number;
  readonly podsMs: ReadonlyMap<string, number>;
}

/** Annotation of Endpoints and EndpointSlices that holds it. */
export const triggerTimeAnnotation = "endpoints.kubernetes.io/last-change-trigger-time";

/** Remembers, per service, the readiness transition times of its pods. */
export class TriggerTimes {
  readonly #seen = new Map<ObjectKey, Seen>();

  /**
   * Returns the earliest time since the last call, formatted; undefined when nothing is newer. For a service not seen before: its
   * creation time.
   */
  next(service: DeepReadonly<Service>, pods: readonly DeepReadonly<Pod>[]): string | undefined {
    const key = objectKeyOf(service);
    const before = this.#seen.get(key);
    const serviceMs = timeMs(service.metadata.creationTimestamp) ?? 0;
    const podsMs = new Map(
      pods.flatMap((pod) => {
        const ready = pod.status?.conditions?.find(({ type }) => type === "Ready");
        const since = timeMs(ready?.lastTransitionTime);
        return since === undefined ? [] : [[pod.metadata.name ?? "", since] as const];
      }),
    );
    this.#seen.set(key, { serviceMs, podsMs });
    if (before === undefined) return service.metadata.creationTimestamp === undefined ? undefined : formatTime(serviceMs);
    const newer = [...podsMs].filter(([name, since]) => since > (before.podsMs.get(name) ?? -Infinity)).map(([, since]) => since);
    if (serviceMs > before.serviceMs) newer.push(serviceMs);
    return newer.length === 0 ? undefined : formatTime(newer.reduce((earliest, since) => Math.min(earliest, since)));
  }

  forget(service: ObjectKey): void {
    this.#seen.delete(service);
  }
}
