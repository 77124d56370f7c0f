/**
 * Empties terminating namespaces and finalizes them.
 *
 *     Namespaces with a deletionTimestamp, Pods that go → deleteNamespace → done, or again when its content may be gone
 */
import { Namespace, Pod } from "@drover/api/core/v1";
import { DiscoveryClient } from "@drover/client";
import { after, done, kindSource, mappedHandler, objectPredicate, onlyStatusChanged } from "@drover/controller";
import type { Result } from "@drover/controller";
import { objectKey } from "@drover/machinery";
import type { ObjectKey } from "@drover/machinery";
import { bucketRateLimiter, itemExponentialFailureRateLimiter, maxOfRateLimiter } from "@drover/workqueue";
import type { ControllerContext, ControllerDescriptor } from "../host/controller-descriptor.ts";
import { controllerSettings } from "../host/controller-settings.ts";
import { sharedInformer } from "../host/shared-informer.ts";
import { timeMs } from "../shared/object-time.ts";
import { deleteNamespace } from "./delete-namespace.ts";

const name = "namespace-controller";
const workers = 10;
const rateFactor = 20;
const resyncMs = 5 * 60_000;
/** Failures are retried at least every minute. */
const retryCapMs = 60_000;
/** Gives other API servers time to learn that the namespace is terminating and to reject new objects. */
const parityDelayMs = 5000;
/** First delay when objects other than pods are left; doubles each time. */
const firstLookMs = 250;

/** kube-controller-manager's "namespace-controller". */
export const namespaceController: ControllerDescriptor = { name, aliases: ["namespace"], add: addNamespaceController };

function addNamespaceController(context: ControllerContext): void {
  const {
    manager: { cluster },
    manager,
    preset,
  } = context;
  const { clock, log, random } = cluster.runtime;
  const isParity = preset === "parity";
  const discovery = new DiscoveryClient(cluster.transport, { clock, log });
  const namespaces = sharedInformer(cluster, Namespace);
  const pods = sharedInformer(cluster, Pod);
  const hasPods = (namespace: string): boolean => pods.listIndexValues("namespace").includes(namespace);
  const isTerminating = (namespace: string): boolean => namespaces.get(objectKey(namespace))?.metadata.deletionTimestamp !== undefined;
  const dice = random.stream(name);
  const looks = itemExponentialFailureRateLimiter<ObjectKey>(firstLookMs, resyncMs);
  const settings = controllerSettings(context, name, { workers, rateFactor });

  const remaining = (key: ObjectKey, estimateSeconds: number): Result => {
    const upstreamMs = (Math.floor(estimateSeconds / 2) + 1) * 1000;
    // The last deleted pod triggers the next sync; other objects need polling.
    return after(isParity || hasPods(key) ? upstreamMs : Math.min(looks.when(key), upstreamMs));
  };
  const controller = manager.controller({
    ...settings,
    retry: isParity
      ? { limiter: maxOfRateLimiter<ObjectKey>(itemExponentialFailureRateLimiter(5, retryCapMs), bucketRateLimiter(10, 100, { clock })) }
      : { capMs: retryCapMs },
    reconcile: async ({ key, client, signal, log: runLog }) => {
      const since = timeMs(namespaces.get(key)?.metadata.deletionTimestamp);
      const waitMs = isParity && since !== undefined ? since + parityDelayMs - clock.now() : 0;
      if (waitMs > 0) return after(waitMs);
      const estimateSeconds = await deleteNamespace(key, { client, discovery, clock, random: dice, log: runLog, signal });
      if (estimateSeconds > 0) return remaining(key, estimateSeconds);
      looks.forget(key);
      return done;
    },
  });
  controller.watch(
    kindSource(Namespace, {
      cluster,
      writers: false,
      resyncMs,
      // Its own status writes are no reason to sync again.
      predicates: [
        ({ type }) => type !== "deleted",
        (change) => isParity || !onlyStatusChanged(change),
        objectPredicate(({ metadata }) => metadata.deletionTimestamp !== undefined),
      ],
    }),
  );
  if (isParity) return;
  controller.watch(
    kindSource(Pod, {
      cluster,
      writers: false,
      name: "Pod that was the last of its namespace",
      predicates: [({ type }) => type === "deleted"],
      handler: mappedHandler(({ metadata: { namespace = "" } }) =>
        isTerminating(namespace) && !hasPods(namespace) ? [objectKey(namespace)] : [],
      ),
    }),
  );
}
