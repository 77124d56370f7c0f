/**
 * Writes the EndpointSlices of every service with a selector.
 *
 *     Services, Pods, Nodes, EndpointSlices → the service's key → planServiceSlices → create, update, delete
 */
import { Node, Pod, Service } from "@drover/api/core/v1";
import { EndpointSlice } from "@drover/api/discovery/v1";
import type { InformerRequest, InformerView } from "@drover/cache";
import { done, kindSource, mappedHandler, needOf } from "@drover/controller";
import type { EventRecorder, Predicate, ReconcileContext, Result } from "@drover/controller";
import { apiVersionOf, errorText, hasStatusCause, isNotFound, objectKey, selectorFromSet, splitObjectKey } from "@drover/machinery";
import type { DeepReadonly, KubeObject, ObjectKey } from "@drover/machinery";
import { batchPeriodOf } from "../endpoints/batch-period.ts";
import type { EndpointUpdatesOptions } from "../endpoints/batch-period.ts";
import { isUnmanaged } from "../endpoints/plan-endpoints.ts";
import { podHandler, servicesSelecting } from "../endpoints/services-of-pod.ts";
import { TriggerTimes } from "../endpoints/trigger-times.ts";
import type { ControllerContext, ControllerDescriptor } from "../host/controller-descriptor.ts";
import { controllerSettings } from "../host/controller-settings.ts";
import { eventRecorder } from "../host/event-recorder.ts";
import { sharedInformer } from "../host/shared-informer.ts";
import { delayedSource } from "../shared/delayed-source.ts";
import { managedByLabel, planServiceSlices, serviceNameLabel, sliceManager } from "./service-slices.ts";
import type { ServiceSlicesPlan } from "./service-slices.ts";
import { zoneLabel } from "./slice-endpoint.ts";

const name = "endpointslice-controller";
const retriesMax = 15;
const endpointsMax = 100;
/** How long upstream waits after a slice changed. */
const paritySliceDelayMs = 1000;
const nodeIndex = "endpointslice-controller/node";
const byService = "endpointslice-controller/service";

/** Creates kube-controller-manager's "endpointslice-controller" with a custom batch period. Throws a RangeError for an invalid one. */
export function newEndpointSliceController(options: EndpointUpdatesOptions = {}): ControllerDescriptor {
  const batchPeriodMs = batchPeriodOf(name, options);
  return { name, aliases: ["endpointslice"], add: (context) => addEndpointSliceController(context, batchPeriodMs) };
}

/** kube-controller-manager's "endpointslice-controller". */
export const endpointSliceController: ControllerDescriptor = newEndpointSliceController();

interface Views {
  readonly services: InformerView<Service>;
  readonly pods: InformerView<Pod>;
  readonly nodes: InformerView<Node>;
  readonly slices: InformerView<EndpointSlice>;
  readonly triggerTimes: TriggerTimes;
  readonly events: EventRecorder;
}

function addEndpointSliceController(context: ControllerContext, batchPeriodMs: number): void {
  const {
    manager,
    manager: { cluster },
    preset,
  } = context;
  const request: InformerRequest<EndpointSlice> = { labelSelector: `${managedByLabel}=${sliceManager}` };
  const views: Views = {
    services: sharedInformer(cluster, Service),
    pods: sharedInformer(cluster, Pod),
    nodes: sharedInformer(cluster, Node),
    slices: cluster.informers.acquire(EndpointSlice, { ...request, keepManagedFields: false }).informer,
    triggerTimes: new TriggerTimes(),
    events: eventRecorder(context, name),
  };
  views.pods.addIndexers({ [nodeIndex]: ({ object }) => (object.spec?.nodeName === undefined ? [] : [object.spec.nodeName]) });
  views.slices.addIndexers({ [byService]: ({ object }) => [...serviceOf(object)] });
  const controller = manager.controller({
    ...controllerSettings(context, name, { retriesMax }),
    writes: [needOf(EndpointSlice, ["create", "update", "delete"])],
    reconcile: (run) => syncSlices(run, views),
  });
  controller.watch(kindSource(Service, { cluster, writers: false }));
  controller.watch(
    delayedSource(
      kindSource(Pod, { cluster, writers: false, name: "Pod of a Service", handler: podHandler(views.services) }),
      batchPeriodMs,
    ),
  );
  // Its own writes arrive here too and must not cut short the batch period of pods.
  controller.watch(
    delayedSource(
      kindSource(EndpointSlice, { cluster, writers: false, request, handler: mappedHandler(serviceOf) }),
      Math.max(preset === "parity" ? paritySliceDelayMs : 0, batchPeriodMs),
    ),
  );
  controller.watch(
    kindSource(Node, {
      cluster,
      writers: false,
      predicates: [isZoneNews],
      name: "Node of a Service",
      handler: mappedHandler((node) => servicesOn(node, views)),
    }),
  );
}

/** A node was added or deleted, or moved to another zone. */
const isZoneNews: Predicate<Node> = (change) =>
  change.type !== "updated" || change.before.metadata.labels?.[zoneLabel] !== change.object.metadata.labels?.[zoneLabel];

/** The service that a slice is labelled with. */
function serviceOf({ metadata: { namespace = "", labels } }: DeepReadonly<KubeObject>): readonly ObjectKey[] {
  const service = labels?.[serviceNameLabel];
  return service === undefined || service === "" ? [] : [objectKey(service, namespace)];
}

function* servicesOn({ metadata }: DeepReadonly<KubeObject>, { pods, services }: Views): Generator<ObjectKey> {
  for (const pod of pods.byIndex(nodeIndex, metadata.name ?? ""))
    yield* servicesSelecting(services.list({ namespace: pod.metadata.namespace ?? "" }), pod.metadata.labels);
}

async function syncSlices(run: ReconcileContext, { services, pods, nodes, slices, triggerTimes, events }: Views): Promise<Result> {
  const { key } = run;
  const { namespace, name: serviceName } = splitObjectKey(key);
  const service = services.get(key);
  if (service === undefined) {
    // Its slices are garbage collected: the service owns them.
    triggerTimes.forget(key);
    return done;
  }
  if (isUnmanaged(service)) return done;
  const selected = pods.list({ namespace, labelSelector: selectorFromSet(service.spec?.selector ?? {}) });
  const existing = slices.byIndex(byService, key).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const plan = planServiceSlices({
    service,
    pods: selected,
    existing,
    max: endpointsMax,
    triggerTime: triggerTimes.next(service, selected),
    nodeOf: (nodeName) => (nodeName === "" ? undefined : nodes.get(objectKey(nodeName))),
  });
  const failures = [...plan.problems.map((problem) => new Error(problem)), ...(await write(run, plan, namespace))];
  if (failures.length === 0) return done;
  const failure = new AggregateError(failures, failures.map(errorText).join("; "));
  events.eventf({
    regarding: { ...service, apiVersion: apiVersionOf(Service), kind: Service.kind },
    type: "Warning",
    reason: "FailedToUpdateEndpointSlices",
    action: "UpdateEndpointSlices",
    note: `Error updating Endpoint Slices for Service ${namespace}/${serviceName}: ${failure.message}`,
  });
  throw failure;
}

/** Creates first, so that no endpoint is missing meanwhile. Tries every write and returns the failures. */
async function write({ client }: ReconcileContext, plan: ServiceSlicesPlan, namespace: string): Promise<readonly unknown[]> {
  const failures: unknown[] = [];
  const attempt = async (call: () => Promise<unknown>, isFine: (error: unknown) => boolean = () => false): Promise<void> => {
    await call().catch((error: unknown) => {
      if (!isFine(error)) failures.push(error);
    });
  };
  for (const slice of plan.create)
    await attempt(
      () => client.create(EndpointSlice, slice, { namespace }),
      (error) => hasStatusCause(error, "NamespaceTerminating"),
    );
  for (const slice of plan.update) await attempt(() => client.update(EndpointSlice, slice, { namespace }));
  for (const {
    metadata: { name: sliceName = "" },
  } of plan.delete)
    await attempt(() => client.delete(EndpointSlice, sliceName, { namespace }), isNotFound);
  return failures;
}
