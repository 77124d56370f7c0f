/**
 * Counts what the objects of a namespace use of its quotas. The API server reserves; this controller corrects and gives back.
 *
 *     ResourceQuotas, quotaMonitors, every 5 min → quotaUsage → status
 */
import { ResourceQuota } from "@drover/api/core/v1";
import { amountsOf, areSameAmounts, quotaEvaluators } from "@drover/api/quota";
import { after, done, kindSource, needOf, requestsFor, timerSource } from "@drover/controller";
import type { DeepReadonly } from "@drover/machinery";
import type { ControllerContext, ControllerDescriptor } from "../host/controller-descriptor.ts";
import { controllerSettings } from "../host/controller-settings.ts";
import { sharedInformer } from "../host/shared-informer.ts";
import { GiveBackDelay } from "./give-back-delay.ts";
import { countedKinds, quotaMonitors } from "./quota-monitors.ts";
import { quotaUsage } from "./quota-usage.ts";
import { UsageMemo } from "./usage-memo.ts";

const name = "resourcequota-controller";
const workers = 5;
/** `--resource-quota-sync-period` */
const syncMs = 5 * 60_000;
/** Quotas that were never counted come before all others: until then they limit nothing. */
const uncountedPriority = 100;
/**
 * Delay of the count after an addition. The API server reserves before it stores; a count in between misses the object and would
 * stay wrong until the next one, in kube-controller-manager for up to 5 min.
 */
const additionMs = 1000;

/** kube-controller-manager's "resourcequota-controller". */
export const resourceQuotaController: ControllerDescriptor = { name, aliases: ["resourcequota"], add: addResourceQuotaController };

function addResourceQuotaController(context: ControllerContext): void {
  const {
    manager,
    manager: { cluster },
    preset,
  } = context;
  const { runtime } = cluster;
  const quotas = sharedInformer(cluster, ResourceQuota);
  const evaluators = quotaEvaluators(() => runtime.clock.now());
  const memo = new UsageMemo();
  const delay = new GiveBackDelay(runtime.clock);
  const monitors = quotaMonitors({
    cluster,
    evaluators,
    quotas,
    onObject: (key, change, { plural }) => {
      const note = `${plural} ${change.key} ${change.type}`;
      if (change.type !== "added") controller.enqueue(key, { note });
      else if (preset === "drover") controller.enqueue(key, { note, afterMs: additionMs });
    },
    onKinds: () => {
      for (const key of quotas.keys()) controller.enqueue(key, { note: "the server serves other kinds" });
    },
  });
  const controller = manager.controller({
    ...controllerSettings(context, name, { workers }),
    writes: [needOf(ResourceQuota, ["update"], { subresource: "status" })],
    reconcile: async ({ key, client }) => {
      const quota = quotas.get(key);
      if (quota === undefined) return done;
      const { status, isNew, isLess, unknown } = quotaUsage(quota, countedKinds(monitors, evaluators), (...asked) => memo.of(...asked));
      const waitMs = isLess && preset === "drover" ? delay.waitMs(key, quota.metadata.resourceVersion ?? "") : 0;
      if (waitMs > 0) return after(waitMs);
      if (isNew) await client.resource(ResourceQuota).status.update({ ...quota, status });
      if (unknown.length > 0) throw new Error(`cannot count ${unknown.join(", ")} yet: they are not listed`);
      return done;
    },
  });
  controller.watch(monitors);
  controller.watch(
    kindSource(ResourceQuota, {
      cluster,
      writers: false,
      handler: (change) => {
        if (change.type === "deleted") delay.forget(change.key);
        else delay.seen(change.key, change.object.metadata.resourceVersion ?? "");
        // The status is written by this controller and by the API server.
        if (change.type === "updated" && areSameAmounts(amountsOf(change.before.spec?.hard), amountsOf(change.object.spec?.hard)))
          return [];
        const requests = requestsFor(change, "self", [change.key]);
        return isUncounted(change.object) ? requests.map((request) => ({ ...request, priority: uncountedPriority })) : requests;
      },
    }),
  );
  controller.watch(timerSource({ runtime, every: syncMs, jitter: 0, keys: () => quotas.keys() }));
}

/** Whether the status does not say what is used of each resource. */
function isUncounted({ spec, status }: DeepReadonly<ResourceQuota>): boolean {
  if (!areSameAmounts(amountsOf(spec?.hard), amountsOf(status?.hard))) return true;
  return Object.keys(status?.hard ?? {}).some((resource) => !Object.hasOwn(status?.used ?? {}, resource));
}
