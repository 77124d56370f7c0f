/**
 * The objects that make the API server call the webhooks and evaluate the policies of a program: no operation, resource or namespace more
 * than declared.
 *
 *     Webhooks → webhookConfigurations → MutatingWebhookConfiguration, ValidatingWebhookConfiguration, policies, bindings
 */
import type {
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from "@drover/api/admissionregistration/v1";
import { definedOnly } from "@drover/machinery";
import type { LabelSelector } from "@drover/machinery";
import type { AdmissionPolicy, AdmissionRule, AdmissionWebhook, Webhooks, WebhookTarget } from "./webhook.ts";

/** Path of all conversions. */
export const conversionPath = "/convert";

/** Options of `webhookConfigurations`. */
export interface WebhookConfigurationsOptions {
  /** Name of the configurations, usually that of the operator. */
  readonly name: string;
  readonly target: WebhookTarget;
  /** Certificates with which the API server verifies the webhook server, in PEM. @default set by others, such as cert-manager */
  readonly caBundle?: string;
  /** Namespace of the program: its webhooks are not called for foreign kinds there, so that they cannot prevent its start. */
  readonly ownNamespace: string;
}

/** Objects to create. Configurations without webhooks are absent. */
export interface WebhookConfigurations {
  readonly mutating?: MutatingWebhookConfiguration;
  readonly validating?: ValidatingWebhookConfiguration;
  readonly policies: readonly ValidatingAdmissionPolicy[];
  readonly bindings: readonly ValidatingAdmissionPolicyBinding[];
}

/** How the API server calls a path. */
export interface WebhookClientConfig {
  service?: { namespace: string; name: string; path: string; port: number };
  url?: string;
  /** PEM in base64. */
  caBundle?: string;
}

/** Returns the objects, always the same for the same input. Throws for a name that is used twice and a timeout that is not 1 to 10 s. */
export function webhookConfigurations(webhooks: Webhooks, options: WebhookConfigurationsOptions): WebhookConfigurations {
  const { admission, policies, definedResources = [] } = webhooks;
  const defined = new Set(definedResources.map(({ group, resource }) => `${group}/${resource}`));
  checkDeclarations(admission, policies);
  const metadata = { name: options.name };
  const ofType = (type: AdmissionWebhook["type"]): readonly AdmissionWebhook[] => admission.filter((each) => each.type === type);
  const validating = ofType("validating").map((webhook) => configured(webhook, options, defined));
  const mutating = ofType("mutating").map((webhook) => ({
    ...configured(webhook, options, defined),
    reinvocationPolicy: webhook.reinvocationPolicy ?? "Never",
  }));
  return {
    ...(mutating.length === 0 ? {} : { mutating: { apiVersion, kind: "MutatingWebhookConfiguration", metadata, webhooks: mutating } }),
    ...(validating.length === 0
      ? {}
      : { validating: { apiVersion, kind: "ValidatingWebhookConfiguration", metadata, webhooks: validating } }),
    policies: policies.map(policyObject),
    bindings: policies.map(bindingObject),
  };
}

/** Returns how the API server reaches a path of the target. */
export function webhookClientConfig(target: WebhookTarget, path: string, caBundle: string | undefined): WebhookClientConfig {
  const bundle = caBundle === undefined ? {} : { caBundle: btoa(caBundle) };
  if ("url" in target) return { url: `${target.url.replace(/\/$/, "")}${path}`, ...bundle };
  const { namespace, name, port = 443 } = target.service;
  return { service: { namespace, name, path, port }, ...bundle };
}

/** `spec.conversion` of the definition of a resource that the program converts. */
export interface ConversionClause {
  strategy: "Webhook";
  webhook: { conversionReviewVersions: string[]; clientConfig: WebhookClientConfig };
}

/** Returns the clause that makes the API server convert through the target. */
export const conversionClause = (target: WebhookTarget, caBundle: string | undefined): ConversionClause => ({
  strategy: "Webhook",
  webhook: { conversionReviewVersions: ["v1"], clientConfig: webhookClientConfig(target, conversionPath, caBundle) },
});

type ConfiguredWebhook = NonNullable<ValidatingWebhookConfiguration["webhooks"]>[number];

const apiVersion = "admissionregistration.k8s.io/v1";

function configured(
  webhook: AdmissionWebhook,
  { target, caBundle, ownNamespace }: WebhookConfigurationsOptions,
  defined: ReadonlySet<string>,
): ConfiguredWebhook {
  const { name, path, rules, matchConditions, objectSelector, failurePolicy = "Fail", timeoutSeconds = 5, sideEffects = "None" } = webhook;
  const isOwn = rules.every(({ apiGroups, resources }) =>
    apiGroups.every((group) => resources.every((resource) => defined.has(`${group}/${resource.split("/")[0] ?? ""}`))),
  );
  const namespaceSelector = webhook.namespaceSelector ?? (isOwn ? undefined : foreignNamespaces(ownNamespace));
  return {
    name,
    admissionReviewVersions: ["v1"],
    clientConfig: webhookClientConfig(target, path, caBundle),
    rules: rules.map(ruleObject),
    matchPolicy: "Equivalent",
    failurePolicy,
    sideEffects,
    timeoutSeconds,
    ...selectors({ matchConditions, objectSelector, namespaceSelector }),
  };
}

/** Excludes the namespaces without which neither the cluster nor the program can start. */
const foreignNamespaces = (ownNamespace: string): LabelSelector => ({
  matchExpressions: [
    { key: "kubernetes.io/metadata.name", operator: "NotIn", values: [...new Set(["kube-system", "kube-node-lease", ownNamespace])] },
  ],
});

function ruleObject({ operations, apiGroups, apiVersions, resources, scope = "*" }: AdmissionRule) {
  return { operations: [...operations], apiGroups: [...apiGroups], apiVersions: [...apiVersions], resources: [...resources], scope };
}

interface Conditions {
  readonly matchConditions: AdmissionWebhook["matchConditions"] | undefined;
  readonly objectSelector: LabelSelector | undefined;
  readonly namespaceSelector: LabelSelector | undefined;
}

const selectors = ({ matchConditions, objectSelector, namespaceSelector }: Conditions) => ({
  ...definedOnly({ objectSelector, namespaceSelector }),
  ...(matchConditions === undefined || matchConditions.length === 0
    ? {}
    : { matchConditions: matchConditions.map((each) => ({ ...each })) }),
});

function policyObject(policy: AdmissionPolicy): ValidatingAdmissionPolicy {
  const { name, rules, matchConditions = [], objectSelector, namespaceSelector, failurePolicy = "Fail", validations } = policy;
  return {
    apiVersion,
    kind: "ValidatingAdmissionPolicy",
    metadata: { name },
    spec: {
      failurePolicy,
      matchConstraints: {
        resourceRules: rules.map(ruleObject),
        matchPolicy: "Equivalent",
        ...definedOnly({ objectSelector, namespaceSelector }),
      },
      ...(matchConditions.length === 0 ? {} : { matchConditions: matchConditions.map((each) => ({ ...each })) }),
      validations: validations.map((each) => ({ ...each })),
    },
  };
}

const bindingObject = ({ name, actions = ["Deny"] }: AdmissionPolicy): ValidatingAdmissionPolicyBinding => ({
  apiVersion,
  kind: "ValidatingAdmissionPolicyBinding",
  metadata: { name },
  spec: { policyName: name, validationActions: [...actions] },
});

function checkDeclarations(admission: readonly AdmissionWebhook[], policies: readonly AdmissionPolicy[]): void {
  for (const { name, timeoutSeconds = 5 } of admission)
    if (!Number.isInteger(timeoutSeconds) || timeoutSeconds < 1 || timeoutSeconds > 10)
      throw new RangeError(
        `webhook ${name}: timeoutSeconds is ${timeoutSeconds}, and must be 1 to 10: users wait for the sum of all webhooks`,
      );
  for (const names of [admission.map(({ type, name }) => `${type} webhook ${name}`), policies.map(({ name }) => `policy ${name}`)]) {
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) throw new TypeError(`${twice} is declared twice; give one of them another name`);
  }
}
