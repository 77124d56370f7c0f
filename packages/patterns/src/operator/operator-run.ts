/**
 * Builds caches, manager, controllers and sources from the plan of an operator, for one cluster.
 *
 *     OperatorPlan, OperatorPlace → prepareRun → OperatorRun
 */
import { createCluster, isNotSyncedError } from "@drover/cache";
import {
  createEventBroadcaster,
  createManager,
  kindSource,
  mappedHandler,
  onlyStatusChanged,
  optionalKindSource,
  ownerHandler,
  selfHandler,
} from "@drover/controller";
import type { DebuggedController, EventRecorder, Handler, Manager, Predicate, Source, Webhooks, WebhookTarget } from "@drover/controller";
import type { Cluster } from "@drover/cache";
import { controllerOf, definedOnly, getOwn, guardRuntime, not, objectKeyOf } from "@drover/machinery";
import type { DeepReadonly, Kind, KubeObject, ObjectKey } from "@drover/machinery";
import { kindWords, ownerAnnotation } from "../apply/set-identity.ts";
import { loadApplying } from "./applying.ts";
import type { Applying } from "./applying.ts";
import { DeclaredCaches } from "./declared-caches.ts";
import type { DeclaredController } from "./declared-controller.ts";
import { installDefinitions, requireServed } from "./install-definitions.ts";
import { ObjectReconciler } from "./object-reconciler.ts";
import { onlyDryRuns } from "./only-dry-runs.ts";
import { controllerNeeds, eventNeeds } from "./operator-needs.ts";
import type { OperatorPlace, OperatorRun } from "./operator-place.ts";
import type { Resource } from "../resource/resource.ts";
import { isResource, kindKey } from "./operator-plan.ts";
import type { OperatorPlan } from "./operator-plan.ts";
import type { OperatorServingOptions } from "./operator-serving.ts";
import { hasWebhooks, operatorWebhooks, reportUnserved } from "./operator-webhooks.ts";
import { forRun } from "./per-run.ts";
import { presenceSource } from "./presence-source.ts";

/** Prepares a run. Sends no request before `run` is called. */
export function prepareRun(plan: OperatorPlan, place: OperatorPlace): OperatorRun {
  const {
    transport,
    namespace = "default",
    tape,
    leaderElection,
    shards,
    serving: probes,
    permissions,
    install = true,
    watchNamespaces,
    graceMs,
    syncTimeoutMs,
    webhooks: serving = false,
    threads,
    thread,
    evaluateAgain,
  } = place;
  const runtime = guardRuntime(place.runtime);
  if (watchNamespaces?.length === 0)
    throw new TypeError(`${plan.name}: watchNamespaces is empty, so nothing would be watched; omit it to watch all namespaces`);
  const cluster = (place.cluster ?? createCluster({ runtime, transport, namespace })).withFieldManager(plan.name);
  const manager = createManager({
    runtime,
    cluster,
    roleName: plan.name,
    ...definedOnly({ tape, leaderElection, shards, serving: probes, permissions, graceMs, syncTimeoutMs, threads, thread }),
  });
  const caches = new DeclaredCaches(plan, cluster, watchNamespaces);
  if (threads === undefined) for (const cache of caches.optional) manager.add(cache);
  const recorder = addRecorder(manager, plan, place);
  const applying = loadApplying();
  const debugged = plan.controllers.map((declared) =>
    addController(declared, { manager, caches, recorder, applying, watchNamespaces, evaluateAgain }),
  );
  // Reconciles run elsewhere, and so do their caches.
  if (threads !== undefined) caches.release();
  const webhooks = operatorWebhooks(plan, () => cluster.client);
  if (serving === false && thread === undefined && hasWebhooks(webhooks)) reportUnserved(webhooks, runtime.log);
  for (const runnable of plan.runnables) manager.add(forRun(runnable, cluster));
  return {
    name: plan.name,
    manager,
    controllers: debugged.map(({ controller }) => controller),
    kinds: caches.kinds,
    webhooks,
    debugged: debuggedOf(debugged, caches, namespace),
    run: async (signal) => {
      const resources = caches.kinds.filter(isResource);
      const conversionTarget = await addWebhooksOf(manager, webhooks, { name: plan.name, serving });
      if (install)
        await installDefinitions(resources, {
          name: plan.name,
          client: cluster.client,
          log: runtime.log,
          signal,
          ...definedOnly({ conversionTarget }),
        });
      try {
        await runManager(manager, resources, signal);
      } finally {
        caches.release();
      }
    },
  };
}

/** The error of a manager names the cache; only here do we know which CRD it needs. */
async function runManager(manager: Manager, resources: readonly Resource[], signal: AbortSignal): Promise<void> {
  try {
    await manager.run(signal);
  } catch (error) {
    if (isNotSyncedError(error) && !signal.aborted)
      for (const resource of resources) await requireServed(resource, manager.cluster.client, { signal, error });
    throw error;
  }
}

const debuggedOf = (controllers: readonly DebuggedController[], caches: DeclaredCaches, namespace: string): OperatorRun["debugged"] => ({
  controllers,
  kinds: caches.kinds,
  namespace,
  cacheOf: (kind) => (caches.has(kind) ? caches.reader(kind) : undefined),
  childrenOf: (object) => caches.childrenOf(object),
});

/** Certificates and registrations are loaded only by operators that have webhooks. */
async function addWebhooksOf(
  manager: Manager,
  webhooks: Webhooks,
  { name, serving }: Pick<OperatorServingOptions, "name"> & { readonly serving: NonNullable<OperatorPlace["webhooks"]> },
): Promise<WebhookTarget | undefined> {
  if (serving === false || !hasWebhooks(webhooks)) return undefined;
  const { addOperatorWebhooks } = await import("./operator-serving.ts");
  return addOperatorWebhooks(manager, webhooks, { name, serving });
}

/** The "server" group stops after the controllers, so that their last Events are written. */
function addRecorder(manager: Manager, plan: OperatorPlan, { watchNamespaces, leaderElection, shards }: OperatorPlace): EventRecorder {
  const {
    cluster: { runtime, client },
  } = manager;
  const broadcaster = createEventBroadcaster({ ...runtime, client });
  manager.add({
    name: "events",
    group: "server",
    inThreads: true,
    needs: eventNeeds(plan, watchNamespaces),
    run: (signal) => broadcaster.run(signal),
  });
  return broadcaster.recorder({
    controller: plan.name,
    instance: leaderElection?.identity ?? shards?.identity ?? `${plan.name}-${runtime.uid().slice(0, 8)}`,
  });
}

interface ControllerParts {
  readonly manager: Manager;
  readonly caches: DeclaredCaches;
  readonly recorder: EventRecorder;
  readonly applying: () => Promise<Applying>;
  readonly watchNamespaces: readonly string[] | undefined;
  readonly evaluateAgain: OperatorPlace["evaluateAgain"];
}

function addController(
  declared: DeclaredController,
  { manager, caches, recorder, applying, watchNamespaces, evaluateAgain }: ControllerParts,
): DebuggedController {
  const { cluster } = manager;
  const {
    name,
    deadlineMs,
    declaration: { workers = 4, retry, tenantOf, debounce, rate },
  } = declared;
  const reconciler = new ObjectReconciler({
    controller: declared,
    caches,
    recorder,
    applying,
    clock: cluster.runtime.clock,
    ...definedOnly({ evaluateAgain }),
  });
  const controller = manager.controller({
    name,
    workers,
    deadlineMs,
    writes: controllerNeeds(declared, watchNamespaces),
    ...definedOnly({ retry, tenantOf, debounce, rate }),
    reconcile: (run) => reconciler.reconcile(run),
  });
  for (const source of sourcesOf(declared, caches, cluster)) controller.watch(source);
  const { kind, slots } = declared;
  return {
    controller,
    kind,
    owns: once(slots).map((slot) => slot.kind),
    obstacles: (key) => reconciler.obstacles(key),
    plan: (key, signal) => reconciler.plan({ key, signal, client: cluster.clientThrough(onlyDryRuns), log: cluster.runtime.log }),
  };
}

/** Sources of a controller: the kind itself, owned kinds, referenced kinds, and additional ones. */
function sourcesOf(declared: DeclaredController, caches: DeclaredCaches, cluster: Cluster): readonly Source[] {
  const {
    kind,
    slots,
    references,
    sources,
    resyncMs,
    declaration: { predicates = [not(onlyStatusChanged)] },
  } = declared;
  const watch = (
    watched: Kind,
    options: { readonly handler: Handler; readonly predicates?: readonly Predicate[]; readonly resyncMs?: number; readonly name?: string },
  ): Source =>
    (caches.isOptional(watched) ? optionalKindSource : kindSource)(watched, { cluster, request: caches.requestFor(watched), ...options });
  return [
    watch(kind, { handler: selfHandler, predicates, resyncMs }),
    ...once(slots).map((slot) => watch(slot.kind, { handler: ownedHandler(kind), name: `${slot.kind.kind} owned by ${kind.kind}` })),
    ...once(references).map((reference) =>
      watch(reference.kind, {
        name: `${reference.kind.kind} that ${kind.kind} refers to`,
        handler: mappedHandler((object) => caches.referringTo(declared, reference, objectKeyOf(object))),
      }),
    ),
    ...caches
      .optionalOf(declared)
      .map((cache) => presenceSource(cache, { clock: cluster.runtime.clock, owner: kind, keys: () => caches.keys(kind) })),
    ...sources.map((source) => forRun(source, cluster)),
  ];
}

/** Returns one item per kind. */
const once = <V extends { readonly kind: Kind }>(list: readonly V[]): readonly V[] => [
  ...new Map(list.map((item) => [kindKey(item.kind), item])).values(),
];

/** Enqueues the controlling owner; for objects without an owner reference, the owner named in the set's annotation. */
function ownedHandler(kind: Kind): Handler {
  const byReference = ownerHandler(kind, { onlyController: true });
  const byWords = mappedHandler((object) => ownerInWords(object, kind));
  return (change) => (controllerOf(change.object) === undefined ? [...byReference(change), ...byWords(change)] : byReference(change));
}

function ownerInWords({ metadata: { annotations = {} } }: DeepReadonly<KubeObject>, kind: Kind): readonly ObjectKey[] {
  const words = getOwn(annotations, ownerAnnotation) ?? "";
  const prefix = `${kindWords(kind)} `;
  return words.startsWith(prefix) ? [words.slice(prefix.length) as ObjectKey] : [];
}
