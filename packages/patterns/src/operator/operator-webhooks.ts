/**
 * Everything that an operator answers to the API server, and what it asks the server to decide itself.
 *
 *     OperatorPlan → operatorWebhooks → Webhooks → serving, registration
 */
import type { Client } from "@drover/client";
import type { Webhooks } from "@drover/controller";
import type { Log } from "@drover/machinery";
import { admissionPolicies, admissionWebhooks } from "./declared-admission.ts";
import { resourceConversion, resourceWebhooks } from "./resource-admission.ts";
import { MistakeError } from "./mistake-error.ts";
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

/** Whether there is anything to serve or to register. */
export const hasWebhooks = (webhooks: Webhooks): boolean => needsServer(webhooks) || webhooks.policies.length > 0;

/** Whether the API server calls the operator, so that it must listen. */
export const needsServer = ({ admission, conversions }: Webhooks): boolean => admission.length + conversions.length > 0;

/**
 * Logs what is not enforced when the webhooks are not served. Throws `MistakeError` if there are converters: without them the API server
 * could not read objects in every version.
 */
export function reportUnserved({ admission, conversions, policies }: Webhooks, log: Log): void {
  const [converted] = conversions;
  if (converted !== undefined)
    throw new MistakeError({
      where: `versions of ${converted.kind}`,
      what: `the API server needs the operator to convert them, but it serves no webhooks (webhooks: false)`,
      code: "DRV0610",
      fix: `app.run({ webhooks: {} })\nor stop serving the older versions: olderVersions: { v1beta1: { served: false, … } }`,
    });
  log.warn("webhooks are not served, so rules in code are not enforced", {
    webhooks: admission.map((webhook) => webhook.name).join(", "),
    policies: policies.map((policy) => policy.name).join(", "),
    code: "DRV0607",
  });
}

function noClient(): never {
  throw new Error("webhooks that are only printed have no client");
}
