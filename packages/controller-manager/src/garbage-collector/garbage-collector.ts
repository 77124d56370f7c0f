/**
 * Deletes dependents of objects that are gone, deletes dependents first under foreground deletion, and orphans them on request.
 *
 *     Monitors → GraphState → attemptToDelete, attemptToOrphan: two loops whose keys are uids
 */
import { DiscoveryClient, DynamicMapper } from "@drover/client";
import { after, done } from "@drover/controller";
import type { NewEvent, ReconcileContext, Source } from "@drover/controller";
import { abortable, objectKey } from "@drover/machinery";
import type { ControllerContext, ControllerDescriptor } from "../host/controller-descriptor.ts";
import { controllerSettings } from "../host/controller-settings.ts";
import { eventRecorder } from "../host/event-recorder.ts";
import { attemptToDelete } from "./attempt-to-delete.ts";
import { attemptToOrphan } from "./attempt-to-orphan.ts";
import type { GraphEffect } from "./graph-state.ts";
import { LiveObjects, NamespacedOwnerError, UnservedKindError } from "./live-objects.ts";
import { Monitors } from "./monitors.ts";
import { printIdentity } from "./object-identity.ts";
import type { ObjectIdentity } from "./object-identity.ts";
import { WaitingNodes } from "./waiting-nodes.ts";

const name = "garbage-collector-controller";
const workers = 20;
/** kube-controller-manager gives it twice the rate limit of others. */
const rateFactor = 2;
const resyncMs = 30_000;

/** kube-controller-manager's "garbage-collector-controller". */
export const garbageCollectorController: ControllerDescriptor = {
  name,
  aliases: ["garbagecollector"],
  serviceAccount: "generic-garbage-collector",
  add: addGarbageCollector,
};

function addGarbageCollector(context: ControllerContext): void {
  const {
    manager,
    manager: { cluster },
  } = context;
  const {
    runtime: { clock, log, random: source },
    transport,
  } = cluster;
  const random = source.stream(name);
  const discovery = new DiscoveryClient(transport, { clock, log });
  const mapper = new DynamicMapper(discovery, { clock, log });
  const recorder = eventRecorder(context, name);
  const waiting = new WaitingNodes();
  const live = ({ client, signal }: ReconcileContext): LiveObjects => new LiveObjects({ client, mapper, random, signal });

  const settle = (effects: readonly GraphEffect[]): void => {
    for (const effect of effects) {
      if (effect.type === "wrongNamespace") recorder.eventf(wrongNamespaceEvent(effect.dependent, effect.owner));
      else (effect.type === "delete" ? deleter : orphaner).enqueue(objectKey(effect.uid), { note: effect.why });
    }
  };
  const monitors = new Monitors({
    cluster,
    discovery,
    onEffects: settle,
    resyncMs,
    onKinds: () => {
      mapper.reset();
      for (const uid of waiting.uids()) deleter.enqueue(objectKey(uid), { note: "the server serves other kinds" });
    },
  });
  const deleter = manager.controller({
    ...controllerSettings(context, name, { workers, rateFactor }),
    reconcile: async (run) => {
      const { graph } = monitors;
      const { key: uid } = run;
      const node = graph.get(uid);
      try {
        if (node !== undefined) settle(await attemptToDelete(node, { graph, live: live(run) }));
      } catch (error) {
        if (error instanceof UnservedKindError) return after(waiting.wait(uid));
        if (!(error instanceof NamespacedOwnerError)) throw error;
        // A retry would not help: neither object can change its namespace.
        run.log.warn("cluster-scoped object refers to a namespaced owner, keeping it", {
          object: node === undefined ? uid : printIdentity(node.identity),
        });
        waiting.forget(uid);
        return done;
      }
      // Until a watch shows it or the server confirms that it does not exist: it may come and go between two watches.
      if (graph.get(uid)?.isVirtual === true) return after(waiting.wait(uid));
      waiting.forget(uid);
      return done;
    },
  });
  const orphaner = manager.controller({
    ...controllerSettings(context, `${name}-orphan`, { workers, rateFactor }),
    reconcile: async (run) => {
      const node = monitors.graph.get(run.key);
      if (node !== undefined) await attemptToOrphan(node, live(run));
      return done;
    },
  });
  deleter.watch(monitors);
  orphaner.watch(afterMonitors(monitors));
}

/** In kube-controller-manager's words. */
function wrongNamespaceEvent(dependent: ObjectIdentity, owner: ObjectIdentity): NewEvent {
  return {
    regarding: dependent,
    type: "Warning",
    reason: "OwnerRefInvalidNamespace",
    action: "GarbageCollect",
    note: `ownerRef ${printIdentity(owner)} does not exist in namespace ${JSON.stringify(dependent.namespace)}`,
  };
}

/** Enqueues nothing; only delays the start of a loop until the graph is complete. Before that, dependents could be missed. */
function afterMonitors(monitors: Monitors): Source {
  return {
    name: `${monitors.name}, as the other loop knows it`,
    run: async (sink, signal) => {
      try {
        await monitors.synced(signal);
        sink.synced();
        await abortable(new Promise<never>(() => undefined), signal);
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    },
  };
}
