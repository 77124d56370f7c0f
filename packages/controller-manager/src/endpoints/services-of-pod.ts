/** Which services a change of a pod concerns. */
import type { Pod, Service } from "@drover/api/core/v1";
import type { Change, InformerView } from "@drover/cache";
import { requestsFor } from "@drover/controller";
import type { Handler } from "@drover/controller";
import { objectKeyOf, selectorFromSet } from "@drover/machinery";
import type { DeepReadonly, ObjectKey } from "@drover/machinery";
import { podChanges } from "./endpoint-pod.ts";

type Services = readonly DeepReadonly<Service>[];

/** Services whose selector selects these labels. One without a selector selects nothing; an empty one everything. */
export function servicesSelecting(services: Services, labels: Readonly<Record<string, string>> | undefined): readonly ObjectKey[] {
  return services.filter(({ spec }) => spec?.selector !== undefined && selectorFromSet(spec.selector).matches(labels)).map(objectKeyOf);
}

/** Those a pod belongs to; after an update those it came to, left, or is another endpoint of. */
export function servicesConcerned(change: Change<Pod>, services: Services): readonly ObjectKey[] {
  const now = (): readonly ObjectKey[] => servicesSelecting(services, change.object.metadata.labels);
  if (change.type !== "updated" || change.isResync) return now();
  const changes = podChanges(change.before, change.object);
  if (!changes.labels) return changes.endpoint ? now() : [];
  const [before, after] = [new Set(servicesSelecting(services, change.before.metadata.labels)), new Set(now())];
  const both = [...new Set([...before, ...after])];
  return changes.endpoint ? both : both.filter((key) => before.has(key) !== after.has(key));
}

/** Asks for the services of the pod's namespace, as the cache has them. */
export function podHandler(services: InformerView<Service>): Handler<Pod> {
  return (change) =>
    requestsFor(change, "mapped", servicesConcerned(change, services.list({ namespace: change.object.metadata.namespace ?? "" })));
}
