/**
 * The evaluator of each resource.
 *
 *     GroupResource → quotaEvaluators → QuotaEvaluator
 */
import type { GroupResource } from "@drover/machinery";
import { claimEvaluator } from "./claim-evaluator.ts";
import { deviceClaimEvaluator } from "./device-claim-evaluator.ts";
import { countEvaluator } from "./evaluator.ts";
import type { QuotaEvaluator } from "./evaluator.ts";
import { podEvaluator } from "./pod-evaluator.ts";
import { serviceEvaluator } from "./service-evaluator.ts";

/** Resources of the core group that are also counted under their own name. */
const aliases: readonly string[] = ["configmaps", "resourcequotas", "replicationcontrollers", "secrets"];

/** Resources that are not stored, and events. */
const ignored: ReadonlySet<string> = new Set([
  "bindings.",
  "componentstatuses.",
  "events.",
  "events.events.k8s.io",
  "tokenreviews.authentication.k8s.io",
  "selfsubjectreviews.authentication.k8s.io",
  "subjectaccessreviews.authorization.k8s.io",
  "selfsubjectaccessreviews.authorization.k8s.io",
  "localsubjectaccessreviews.authorization.k8s.io",
  "selfsubjectrulesreviews.authorization.k8s.io",
]);

export interface QuotaEvaluators {
  /** Evaluators that do more than count, and those with a second name. */
  readonly special: readonly QuotaEvaluator[];
  /** Returns the evaluator of a resource; undefined for one that no quota counts. */
  readonly of: (resource: GroupResource) => QuotaEvaluator | undefined;
}

/** `now` returns the time in milliseconds since 1970. */
export function quotaEvaluators(now: () => number): QuotaEvaluators {
  const special: readonly QuotaEvaluator[] = [
    podEvaluator(now),
    serviceEvaluator,
    claimEvaluator,
    deviceClaimEvaluator,
    ...aliases.map((name) => countEvaluator({ group: "", resource: name }, name)),
  ];
  const byName = new Map(special.map((evaluator) => [nameOf(evaluator.resource), evaluator]));
  return {
    special,
    of: (resource) => (ignored.has(nameOf(resource)) ? undefined : (byName.get(nameOf(resource)) ?? countEvaluator(resource))),
  };
}

const nameOf = ({ group, resource }: GroupResource): string => `${resource}.${group}`;
