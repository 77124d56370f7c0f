/**
 * The watches of every kind that counts, and which of their changes concern which quota.
 *
 *     KindMonitors → isReplenishing → keys of quotas;   countedKinds → quotaUsage
 */
import type { ResourceQuota } from "@drover/api/core/v1";
import type { QuotaEvaluator, QuotaEvaluators } from "@drover/api/quota";
import type { Change, Cluster, InformerReader } from "@drover/cache";
import { DiscoveryClient } from "@drover/client";
import { splitObjectKey } from "@drover/machinery";
import type { Kind, ObjectKey } from "@drover/machinery";
import { isDefiningKind, KindMonitors } from "../shared/kind-monitors.ts";
import type { CountedKind } from "./quota-usage.ts";
import { isReplenishing } from "./replenishment.ts";

export interface QuotaMonitorsOptions {
  readonly cluster: Cluster;
  readonly evaluators: QuotaEvaluators;
  readonly quotas: InformerReader<ResourceQuota>;
  /** Called for each quota that an object's change concerns. */
  readonly onObject: (quota: ObjectKey, change: Change, kind: Kind) => void;
  /** Called when the server serves other kinds. */
  readonly onKinds: () => void;
}

const discoveryMs = 30_000;

type Plural = Pick<Kind, "group" | "plural">;

/** Returns the watches; additions are reported too, except those of the first list. */
export function quotaMonitors({ cluster, evaluators, quotas, onObject, onKinds }: QuotaMonitorsOptions): KindMonitors {
  const { clock, log } = cluster.runtime;
  return new KindMonitors({
    name: "every kind that counts",
    user: "resource quota",
    cluster,
    discovery: new DiscoveryClient(cluster.transport, { clock, log }),
    verbs: ["create", "list", "watch", "delete"],
    // Definitions tell when other kinds are served.
    isWanted: (resource) => isDefiningKind(resource) || evaluatorOf(evaluators, resource) !== undefined,
    needsWhole: (kind) => evaluatorOf(evaluators, kind)?.countsOnly !== true && !isDefiningKind(kind),
    onChange: (kind, change) => {
      if (change.type === "added" && change.isInInitialList) return;
      const concerned = quotas.indexKeys("namespace", splitObjectKey(change.key).namespace ?? "");
      if (concerned.length === 0 || (change.type !== "added" && !isReplenishing(kind, change, clock.now()))) return;
      const evaluator = evaluatorOf(evaluators, kind);
      for (const key of concerned)
        if ((evaluator?.matchingNames(Object.keys(quotas.get(key)?.status?.hard ?? {})) ?? []).length > 0) onObject(key, change, kind);
    },
    onKinds,
    onFailure: () => undefined,
    resyncMs: discoveryMs,
  });
}

/** Returns the watched kinds that count. */
export function countedKinds(monitors: KindMonitors, evaluators: QuotaEvaluators): readonly CountedKind[] {
  return monitors.monitors().flatMap(({ kind, informer, hasSynced }) => {
    const evaluator = evaluatorOf(evaluators, kind);
    if (evaluator === undefined) return [];
    const count = (namespace: string): number => informer.indexKeys("namespace", namespace).length;
    return { evaluator, hasSynced, count, list: (namespace) => informer.list({ namespace }) };
  });
}

/** Only namespaced objects count. */
function evaluatorOf(evaluators: QuotaEvaluators, { group, plural, scope }: Plural & Pick<Kind, "scope">): QuotaEvaluator | undefined {
  return scope === "Namespaced" ? evaluators.of({ group, resource: plural }) : undefined;
}
