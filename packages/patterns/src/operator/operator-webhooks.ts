/**
 * Everything that an operator answers to the API server, and what it asks the server to decide itself.
 *
 *     OperatorPlan → operatorWebhooks → Webhooks → serving, registration
 */
import type { Client } from "@drover/client";
import type { Webhooks } from "@drover/controller";
import { admissionPolicies, admissionWebhooks } from "./declared-admission.ts";
import { resourceConversion, resourceWebhooks } from "./resource-admission.ts";
import { isResource, watchedKinds } from "./operator-plan.ts";
import type { OperatorPlan } from "./operator-plan.ts";

/**
 * Returns the webhooks and policies of all declarations and of all resources that the operator installs. @param client - for the author's
 * functions; without it the handlers cannot be called
 */
export function operatorWebhooks(plan: OperatorPlan, client: () => Client = noClient): Webhooks {
  const resources = watchedKinds(plan).filter(isResource);
  return {
    admission: [
      ...resources.flatMap((resource) => resourceWebhooks(resource, client)),
      ...plan.admissions.flatMap((admission) => admissionWebhooks(admission, plan.name, client)),
    ],
    conversions: resources.flatMap((resource) => resourceConversion(resource) ?? []),
    definedResources: resources.map(({ group, plural }) => ({ group, resource: plural })),
    policies: plan.admissions.flatMap((admission) => admissionPolicies(admission, plan.name)),
  };
}

/** Whether the API server calls the operator, so that it must listen. */
export const needsServer = ({ admission, conversions }: Webhooks): boolean => admission.length + conversions.length > 0;

function noClient(): never {
  throw new Error("webhooks that are only printed have no client");
}
