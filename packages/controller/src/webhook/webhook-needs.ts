/** Permissions that serving and registering webhooks needs: single objects by name wherever RBAC can express it. */
import {
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from "@drover/api/admissionregistration/v1";
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { Secret } from "@drover/api/core/v1";
import { needOf } from "../permissions/permission-need.ts";
import type { PermissionNeed } from "../permissions/permission-need.ts";
import type { Webhooks } from "./webhook.ts";
import type { WebhookServingOptions } from "./webhook-serving.ts";

/** The part of the options that decides what is written. */
export type WebhookNeedsOptions = Pick<WebhookServingOptions, "namespace" | "name" | "certificates" | "registration">;

/** Returns the needs of `addWebhooks` with these options. */
export function webhookNeeds(webhooks: Webhooks, options: WebhookNeedsOptions): readonly PermissionNeed[] {
  const { namespace, name, certificates = "issued", registration = "apply" } = options;
  const isServing = webhooks.admission.length > 0 || webhooks.conversions.length > 0;
  return [
    // RBAC cannot limit create to a name: the name is in the body.
    ...(isServing && certificates === "issued"
      ? [needOf(Secret, ["get", "update"], { namespace, name }), needOf(Secret, ["create"], { namespace })]
      : []),
    ...(registration === "off" ? [] : registrationNeeds(webhooks, name, registration)),
  ];
}

function registrationNeeds(
  { admission, conversions, policies }: Webhooks,
  name: string,
  mode: "apply" | "inject",
): readonly PermissionNeed[] {
  const definitions = conversions.map(({ group, resource }) =>
    needOf(CustomResourceDefinition, ["get", "patch"], { name: `${resource}.${group}` }),
  );
  const kinds = [
    ["mutating", MutatingWebhookConfiguration],
    ["validating", ValidatingWebhookConfiguration],
  ] as const;
  const configurations = kinds.flatMap(([type, kind]) => {
    const isUsed = admission.some((webhook) => webhook.type === type);
    if (mode === "inject") return isUsed ? [needOf(kind, ["get", "patch"], { name })] : [];
    // Apply has the name in the path, so that RBAC can limit also the create in it.
    return [needOf(kind, isUsed ? ["get", "create", "patch"] : ["get", "delete"], { name })];
  });
  const applied = (mode === "inject" ? [] : policies).flatMap((policy) =>
    [ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding].map((kind) =>
      needOf(kind, ["get", "create", "patch"], { name: policy.name }),
    ),
  );
  return [...definitions, ...configurations, ...applied];
}
