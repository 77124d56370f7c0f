/**
 * Writes the Endpoints of every service with a selector.
 *
 *     Services, Pods, Endpoints → the service's key → planEndpoints → create, update or delete
 */
import { Endpoints, Pod, Service } from "@drover/api/core/v1";
import { done, kindSource, needOf } from "@drover/controller";
import type { EventRecorder, Predicate, ReconcileContext, Result } from "@drover/controller";
import type { InformerView } from "@drover/cache";
import { apiVersionOf, definedOnly, errorText, hasStatusCause, isNotFound, selectorFromSet, splitObjectKey } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import type { ControllerContext, ControllerDescriptor } from "../host/controller-descriptor.ts";
import { controllerSettings } from "../host/controller-settings.ts";
import { eventRecorder } from "../host/event-recorder.ts";
import { sharedInformer } from "../host/shared-informer.ts";
import { delayedSource } from "../shared/delayed-source.ts";
import { batchPeriodOf } from "./batch-period.ts";
import type { EndpointUpdatesOptions } from "./batch-period.ts";
import { isUnmanaged, planEndpoints } from "./plan-endpoints.ts";
import { podHandler } from "./services-of-pod.ts";
import { TriggerTimes } from "./trigger-times.ts";

const name = "endpoints-controller";
const retriesMax = 15;
/** On Endpoints that serve as the lock of an old leader election. */
const leaderAnnotation = "control-plane.alpha.kubernetes.io/leader";

/** Creates kube-controller-manager's "endpoints-controller" with a custom batch period. Throws a RangeError for an invalid one. */
export function newEndpointsController(options: EndpointUpdatesOptions = {}): ControllerDescriptor {
  const batchPeriodMs = batchPeriodOf(name, options);
  return {
    name,
    aliases: ["endpoint"],
    serviceAccount: "endpoint-controller",
    add: (context) => addEndpointsController(context, batchPeriodMs),
  };
}

/** kube-controller-manager's "endpoints-controller". */
export const endpointsController: ControllerDescriptor = newEndpointsController();

interface Views {
  readonly services: InformerView<Service>;
  readonly pods: InformerView<Pod>;
  readonly endpoints: InformerView<Endpoints>;
  readonly triggerTimes: TriggerTimes;
  readonly events: EventRecorder;
}

function addEndpointsController(context: ControllerContext, batchPeriodMs: number): void {
  const {
    manager,
    manager: { cluster },
  } = context;
  const views: Views = {
    services: sharedInformer(cluster, Service),
    pods: sharedInformer(cluster, Pod),
    endpoints: sharedInformer(cluster, Endpoints),
    triggerTimes: new TriggerTimes(),
    events: eventRecorder(context, "endpoint-controller"),
  };
  const controller = manager.controller({
    ...controllerSettings(context, name, { retriesMax }),
    writes: [needOf(Endpoints, ["create", "update", "delete"])],
    reconcile: (run) => syncEndpoints(run, views),
  });
  controller.watch(kindSource(Service, { cluster, writers: false }));
  controller.watch(
    delayedSource(
      kindSource(Pod, { cluster, writers: false, name: "Pod of a Service", handler: podHandler(views.services) }),
      batchPeriodMs,
    ),
  );
  controller.watch(kindSource(Endpoints, { cluster, writers: false, predicates: [leftOrFound(views.services)] }));
}

/**
 * Deleted Endpoints are created again if their service still exists; Endpoints in the initial list may belong to a service that was
 * deleted meanwhile.
 */
function leftOrFound(services: Pick<InformerView<Service>, "get">): Predicate<Endpoints> {
  return (change) =>
    change.type === "deleted"
      ? services.get(change.key) !== undefined
      : change.type === "added" && change.isInInitialList && change.object.metadata.annotations?.[leaderAnnotation] === undefined;
}

async function syncEndpoints(
  { key, client }: ReconcileContext,
  { services, pods, endpoints, triggerTimes, events }: Views,
): Promise<Result> {
  const { namespace, name: serviceName } = splitObjectKey(key);
  const service = services.get(key);
  if (service === undefined) {
    triggerTimes.forget(key);
    await client.delete(Endpoints, serviceName, { namespace }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
    return done;
  }
  if (isUnmanaged(service)) return done;
  const selected = pods.list({ namespace, labelSelector: selectorFromSet(service.spec?.selector ?? {}) });
  const current = endpoints.get(key);
  const planned = planEndpoints({ service, pods: selected, current, triggerTime: triggerTimes.next(service, selected) });
  if (planned === undefined) return done;
  try {
    await (current === undefined ? client.create(Endpoints, planned, { namespace }) : client.update(Endpoints, planned, { namespace }));
  } catch (error) {
    if (current === undefined && hasStatusCause(error, "NamespaceTerminating")) return done;
    tellFailure(planned, current === undefined, error, events);
    throw error;
  }
  return done;
}

function tellFailure({ metadata }: DeepReadonly<Endpoints>, isNew: boolean, error: unknown, events: EventRecorder): void {
  const { namespace = "", name: endpointsName = "" } = metadata;
  events.eventf({
    regarding: {
      apiVersion: apiVersionOf(Endpoints),
      kind: Endpoints.kind,
      namespace,
      name: endpointsName,
      ...definedOnly({ uid: metadata.uid }),
    },
    type: "Warning",
    reason: isNew ? "FailedToCreateEndpoint" : "FailedToUpdateEndpoint",
    action: isNew ? "CreateEndpoints" : "UpdateEndpoints",
    note: `${isNew ? "Failed to create endpoint for service" : "Failed to update endpoint"} ${namespace}/${endpointsName}: ${errorText(error)}`,
  });
}
