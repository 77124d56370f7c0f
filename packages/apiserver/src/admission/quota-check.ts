/**
 * Decides whether a write fits into the quotas of its namespace, and what they have used then; pure.
 *
 *     QuotaWrite, quotas → checkQuotas → QuotaRefusal, or the new Amounts of the quotas that change
 */
import type { ResourceQuota } from "@drover/api/core/v1";
import { amountsOf, areSameAmounts, increaseOf, isInScopes, maskAmounts, nonZero, printAmounts, sumOfAmounts } from "@drover/api/quota";
import type { Amounts, QuotaEvaluator, QuotaWrite } from "@drover/api/quota";
import { compareBytes } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";

type Quota = DeepReadonly<ResourceQuota>;

/** Why a write is refused, in kube-apiserver's words. */
export interface QuotaRefusal {
  readonly refused: string;
}

/** What the quotas have used after the write. */
export interface QuotaCharge {
  /** Only of quotas that change. */
  readonly used: ReadonlyMap<Quota, Amounts>;
}

const nothing: QuotaCharge = { used: new Map() };

/** Assumes that the evaluator handles the write. */
export function checkQuotas(quotas: readonly Quota[], write: QuotaWrite, evaluator: QuotaEvaluator): QuotaRefusal | QuotaCharge {
  const { object, old, subresource } = write;
  const concerned: Quota[] = [];
  for (const quota of quotas) {
    if (!isCounted(quota, object, evaluator)) continue;
    const refused = incompleteness(quota, object, evaluator);
    if (refused !== undefined) return { refused };
    concerned.push(quota);
  }
  if (concerned.length === 0) return nothing;
  const usage = evaluator.usage(object);
  const negative = [...usage].filter(([, amount]) => amount.sign() < 0).map(([name]) => name);
  if (negative.length > 0) return { refused: `quota usage is negative for resource(s): ${printNames(negative)}` };
  const increase = old === undefined ? usage : increaseOf(usage, evaluator.usage(old));
  const charged = new Map<Quota, Amounts>();
  for (const quota of concerned) {
    // An object that comes into the scopes of a quota counts there from zero.
    const isNew = old === undefined || !isCounted(quota, old, evaluator);
    const requested = maskAmounts(nonZero(isNew ? usage : increase), Object.keys(quota.status?.hard ?? {}));
    const before = amountsOf(quota.status?.used);
    const after = sumOfAmounts(before, requested);
    // What a controller reports has happened already.
    const refused = subresource === "status" ? undefined : excess(quota, requested, before, after);
    if (refused !== undefined) return { refused };
    if (!areSameAmounts(before, after)) charged.set(quota, after);
  }
  return { used: charged };
}

function isCounted(quota: Quota, object: object, evaluator: QuotaEvaluator): boolean {
  return evaluator.matchingNames(Object.keys(quota.status?.hard ?? {})).length > 0 && isInScopes(evaluator, quota, object);
}

/** Says what the object does not declare, or what the controller has not counted yet. */
function incompleteness({ metadata: { name = "" }, status }: Quota, object: object, evaluator: QuotaEvaluator): string | undefined {
  const names = evaluator.matchingNames(Object.keys(status?.hard ?? {}));
  const missing = evaluator.missing(names, object);
  if (missing !== undefined) return `failed quota: ${name}: ${missing}`;
  return names.every((one) => Object.hasOwn(status?.used ?? {}, one))
    ? undefined
    : `status unknown for quota: ${name}, resources: ${printNames(names)}`;
}

function excess({ metadata: { name = "" }, status }: Quota, requested: Amounts, before: Amounts, after: Amounts): string | undefined {
  const hard = amountsOf(status?.hard);
  const exceeded = [...requested.keys()].filter((one) => {
    const [limit, wanted] = [hard.get(one), after.get(one)];
    return limit !== undefined && wanted !== undefined && wanted.compare(limit) > 0;
  });
  if (exceeded.length === 0) return undefined;
  const [asked, used, limited] = [requested, before, hard].map((amounts) => printAmounts(maskAmounts(amounts, exceeded)));
  return `exceeded quota: ${name}, requested: ${asked}, used: ${used}, limited: ${limited}`;
}

const printNames = (names: readonly string[]): string => names.toSorted(compareBytes).join(",");
