/**
 * What the objects of a namespace use of a quota; pure.
 *
 *     quota, CountedKind[] → quotaUsage → the new status
 */
import type { ResourceQuota, ResourceQuotaStatus } from "@drover/api/core/v1";
import { addTo, amountsOf, areSameAmounts, isInScopes, maskAmounts, resourceListOf } from "@drover/api/quota";
import type { Amounts, QuotaEvaluator } from "@drover/api/quota";
import { Quantity } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";

/** A kind whose objects count. */
export interface CountedKind {
  readonly evaluator: QuotaEvaluator;
  /** Whether all its objects are known. */
  readonly hasSynced: boolean;
  readonly count: (namespace: string) => number;
  readonly list: (namespace: string) => readonly object[];
}

export interface QuotaUsage {
  readonly status: ResourceQuotaStatus;
  /** Whether the quota has another status. */
  readonly isNew: boolean;
  /** Whether less is used than the status says. */
  readonly isLess: boolean;
  /** Kinds that are not known yet; what they use is left as it was. */
  readonly unknown: readonly string[];
}

/** `usageOf` returns what an object uses; callers may remember it. */
export function quotaUsage(
  quota: DeepReadonly<ResourceQuota>,
  kinds: readonly CountedKind[],
  usageOf: (evaluator: QuotaEvaluator, object: object) => Amounts,
): QuotaUsage {
  const hard = amountsOf(quota.spec?.hard);
  const names = [...hard.keys()];
  const concerned = kinds.map((kind) => ({ ...kind, names: kind.evaluator.matchingNames(names) })).filter((kind) => kind.names.length > 0);
  const unknown = concerned.filter(({ hasSynced }) => !hasSynced);
  const unknownNames = new Set(unknown.flatMap((kind) => kind.names));
  const known = concerned.filter(({ hasSynced }) => hasSynced);
  const counted = new Map(known.flatMap((kind) => kind.names.map((name): [string, Quantity] => [name, Quantity.zero])));
  for (const kind of known) for (const usage of usages(quota, kind, usageOf)) addTo(counted, maskAmounts(usage, names));
  const before = amountsOf(quota.status?.used);
  const kept = [...before].filter(([name]) => hard.has(name) && (unknownNames.has(name) || !counted.has(name)));
  const used = new Map([...kept, ...[...counted].filter(([name]) => !unknownNames.has(name))]);
  return {
    status: { hard: resourceListOf(hard), used: resourceListOf(used) },
    isNew: !areSameAmounts(hard, amountsOf(quota.status?.hard)) || !areSameAmounts(used, before),
    isLess: [...used].some(([name, amount]) => amount.compare(before.get(name) ?? Quantity.zero) < 0),
    unknown: unknown.map(({ evaluator: { resource } }) => resource.resource),
  };
}

function usages(
  quota: DeepReadonly<ResourceQuota>,
  { evaluator, count, list }: CountedKind,
  usageOf: (evaluator: QuotaEvaluator, object: object) => Amounts,
): readonly Amounts[] {
  const { namespace = "" } = quota.metadata;
  if (evaluator.countsOnly === true) {
    const number = isInScopes(evaluator, quota, {}) ? count(namespace) : 0;
    return [new Map([...evaluator.usage({})].map(([name, one]) => [name, one.mul(number)]))];
  }
  return list(namespace)
    .filter((object) => isInScopes(evaluator, quota, object))
    .map((object) => usageOf(evaluator, object));
}
