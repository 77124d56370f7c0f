/**
 * Prints what a cluster admin applies so that the API server calls an operator, which then needs no permission to register itself.
 *
 *     OperatorPlan → printWebhookManifests → Service, configurations, policies, bindings, definitions with converters, as YAML
 */
import { conversionClause, webhookConfigurations } from "@drover/controller";
import { printYaml } from "@drover/yaml";
import { MistakeError } from "./mistake-error.ts";
import { isResource, watchedKinds } from "./operator-plan.ts";
import type { OperatorPlan } from "./operator-plan.ts";
import { hasWebhooks, needsServer, operatorWebhooks } from "./operator-webhooks.ts";

/** Options of `app.webhooks`. */
export interface WebhookManifestsOptions {
  /** Namespace of the operator. @default "default" */
  readonly namespace?: string;
  /** Name of the Service. @default the name of the operator */
  readonly service?: string;
  /** Labels of the operator's pods. @default { app: the name of the operator } */
  readonly selector?: Readonly<Record<string, string>>;
  /** Port on which the operator listens. @default 9443 */
  readonly port?: number;
  /** CA certificates in PEM, for `registration: "off"`. @default none: the operator or cert-manager's cainjector adds them */
  readonly caBundle?: string;
}

/** Returns the manifests. Throws `MistakeError` if the operator declares neither webhooks nor policies. */
export function printWebhookManifests(plan: OperatorPlan, options: WebhookManifestsOptions): string {
  const { namespace = "default", service = plan.name, selector = { app: plan.name }, port = 9443, caBundle } = options;
  const webhooks = operatorWebhooks(plan);
  const isServed = needsServer(webhooks);
  if (!hasWebhooks(webhooks))
    throw new MistakeError({
      where: `webhooks of ${plan.name}`,
      what: "it declares none",
      fix: 'app.admit(Pod, { rules: [["…", "…"]] }), or default or validate in defineResource',
    });
  const target = { service: { namespace, name: service } };
  const bundle = caBundle === undefined ? {} : { caBundle };
  const { mutating, validating, policies, bindings } = webhookConfigurations(webhooks, {
    name: plan.name,
    target,
    ownNamespace: namespace,
    ...bundle,
  });
  const conversionWebhook = conversionClause(target, caBundle).webhook.clientConfig;
  const documents: readonly unknown[] = [
    ...(isServed ? [serviceObject({ namespace, service, selector, port })] : []),
    ...watchedKinds(plan).flatMap((kind) =>
      isResource(kind) && kind.needsConversion === true ? [kind.definition({ conversionWebhook })] : [],
    ),
    ...[mutating, validating].filter((configuration) => configuration !== undefined),
    ...policies,
    ...bindings,
  ];
  return documents.map((document) => printYaml(document)).join("---\n");
}

function serviceObject({ namespace, service, selector, port }: Required<Omit<WebhookManifestsOptions, "caBundle">>): object {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: service, namespace },
    spec: { selector: { ...selector }, ports: [{ name: "webhooks", port: 443, targetPort: port, protocol: "TCP" }] },
  };
}
