/**
 * What objects count against a ResourceQuota, for the API server that reserves it and the controller that counts it.
 *
 *     GroupResource → quotaEvaluators → QuotaEvaluator → Amounts
 */
export { aggregateRequests } from "./quota/aggregate-requests.ts";
export type { RequirementField } from "./quota/aggregate-requests.ts";
export {
  addTo,
  amountsOf,
  areSameAmounts,
  increaseOf,
  maskAmounts,
  nonZero,
  printAmounts,
  resourceListOf,
  sumOfAmounts,
} from "./quota/amounts.ts";
export type { Amounts, ResourceList } from "./quota/amounts.ts";
export { attributesClasses } from "./quota/claim-evaluator.ts";
export { isInScopes } from "./quota/evaluator.ts";
export type { QuotaEvaluator, QuotaWrite, ScopeRequirement } from "./quota/evaluator.ts";
export { isRunningPod, isTerminatingPod } from "./quota/pod-evaluator.ts";
export { podQosClass } from "./quota/qos.ts";
export type { QosClass } from "./quota/qos.ts";
export { quotaEvaluators } from "./quota/quota-evaluators.ts";
export type { QuotaEvaluators } from "./quota/quota-evaluators.ts";
export { countedServiceType } from "./quota/service-evaluator.ts";
