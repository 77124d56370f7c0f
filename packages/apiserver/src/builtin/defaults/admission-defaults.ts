/** Defaults of webhook configurations and admission policies: unset selectors match everything. */
import type {
  MatchResources,
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingWebhookConfiguration,
  NamedRuleWithOperations,
  RuleWithOperations,
  ServiceReference,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
} from "@drover/api/admissionregistration/v1";
import { elements } from "./elements.ts";

const webhookSeconds = 10;
/** HTTPS. */
const servicePort = 443;

export function setValidatingWebhookConfigurationDefaults(configuration: ValidatingWebhookConfiguration): void {
  for (const webhook of elements(configuration.webhooks)) setWebhookDefaults(webhook);
}

export function setMutatingWebhookConfigurationDefaults(configuration: MutatingWebhookConfiguration): void {
  for (const webhook of elements(configuration.webhooks)) {
    setWebhookDefaults(webhook);
    webhook.reinvocationPolicy ??= "Never";
  }
}

export function setAdmissionPolicyDefaults(policy: MutatingAdmissionPolicy | ValidatingAdmissionPolicy): void {
  const { spec } = policy;
  if (spec === undefined) return;
  spec.failurePolicy ??= "Fail";
  setMatchDefaults(spec.matchConstraints);
}

export function setAdmissionPolicyBindingDefaults(binding: MutatingAdmissionPolicyBinding | ValidatingAdmissionPolicyBinding): void {
  setMatchDefaults(binding.spec?.matchResources);
}

/** Sets the port of a service that the server calls; also for CustomResourceDefinition and APIService. */
export function setServiceReferenceDefaults(service: Pick<ServiceReference, "port"> | undefined): void {
  if (service !== undefined) service.port ??= servicePort;
}

// A mutating webhook has all fields of a validating one.
function setWebhookDefaults(webhook: ValidatingWebhook): void {
  webhook.failurePolicy ??= "Fail";
  webhook.matchPolicy ??= "Equivalent";
  webhook.namespaceSelector ??= {};
  webhook.objectSelector ??= {};
  webhook.timeoutSeconds ??= webhookSeconds;
  setServiceReferenceDefaults(webhook.clientConfig.service);
  setRuleDefaults(webhook.rules);
}

function setMatchDefaults(match: MatchResources | undefined): void {
  if (match === undefined) return;
  match.matchPolicy ??= "Equivalent";
  match.namespaceSelector ??= {};
  match.objectSelector ??= {};
  setRuleDefaults(match.resourceRules);
  setRuleDefaults(match.excludeResourceRules);
}

function setRuleDefaults(rules: readonly (NamedRuleWithOperations | RuleWithOperations)[] | undefined): void {
  for (const rule of elements(rules)) rule.scope ??= "*";
}
