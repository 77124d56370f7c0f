/** Which services a pod change concerns. */
import type { Pod, Service } from "@drover/api/core/v1";
import type { Change, InformerView } from "@drover/cache";
import { requestsFor } from "@drover/controller";
import type { Handler } from "@drover/controller";
import { objectKeyOf, selectorFromSet } from "@drover/machinery";
import type { DeepReadonly, ObjectKey } from "@drover/machinery";
import { podChanges } from "./endpoint-pod.ts";

type Services = readonly DeepReadonly<Service>[];

/** Returns services whose selector matches these labels. No selector matches nothing; an empty one matches everything. */
export function servicesSelecting(services: Services, labels: Readonly<Record<string, string>> | undefined): readonly ObjectKey[] {
  return services.filter(({ spec }) => spec?.selector !== undefined && selectorFromSet(spec.selector).matches(labels)).map(objectKeyOf);
}

/** Returns the services of a pod; after an update, those it joined, left, or changed its endpoint in. */
export function servicesConcerned(change: Change<Pod>, services: Services): readonly ObjectKey[] {
  const now = (): readonly ObjectKey[] => servicesSelecting(services, change.object.metadata.labels);
  if (change.type !== "updated" || change.isResync) return now();
  const changes = podChanges(change.before, change.object);
  if (!changes.labels) return changes.endpoint ? now() : [];
  const [before, after] = [new Set(servicesSelecting(services, change.before.metadata.labels)), new Set(now())];
  const both = [...new Set([...before, ...after])];
  return changes.endpoint ? both : both.filter((key) => before.has(key) !== after.has(key));
}

/** Enqueues the services of the pod's namespace that it concerns, from the cache. */
export function podHandler(services: InformerView<Service>): Handler<Pod> {
  return (change) =>
    requestsFor(change, "mapped", servicesConcerned(change, services.list({ namespace: change.object.metadata.namespace ?? "" })));
}
