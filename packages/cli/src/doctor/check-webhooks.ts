/**
 * Webhooks that cannot be called: their service or its pods are missing, or their authority is broken. With `failurePolicy: Fail`
 * they block writes.
 */
import { X509Certificate } from "node:crypto";
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from "@drover/api/admissionregistration/v1";
import { Service } from "@drover/api/core/v1";
import type { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { EndpointSlice } from "@drover/api/discovery/v1";
import type { Client } from "@drover/client";
import { isNotFound } from "@drover/machinery";
import type { ExaminedCluster } from "./examined-cluster.ts";
import { summed, unchecked } from "./finding.ts";
import type { Finding, Findings } from "./finding.ts";
import { firstObjects } from "./first-objects.ts";

const check = "webhooks";

/** One place that the API server calls. */
export interface CalledHook {
  /** "validating webhook shop/pods.shop.example.com", "conversion of widgets.shop.example.com". */
  readonly name: string;
  /** Whether requests fail if it cannot be called. */
  readonly isRequired: boolean;
  readonly caBundle: string | undefined;
  readonly service: { readonly namespace: string; readonly name: string; readonly port: number } | undefined;
}

/** @param definitions - whose conversion webhooks are checked too */
export async function checkWebhooks(
  { client }: ExaminedCluster,
  definitions: readonly CustomResourceDefinition[],
  signal: AbortSignal,
): Promise<Findings> {
  try {
    const validating = await firstObjects(client, ValidatingWebhookConfiguration, signal);
    const mutating = await firstObjects(client, MutatingWebhookConfiguration, signal);
    const hooks = [...validating.flatMap((one) => hooksOf("validating", one)), ...mutating.flatMap((one) => hooksOf("mutating", one))];
    const all = [...hooks, ...definitions.flatMap(conversionOf)];
    const services = new Map<string, string | undefined>();
    const problems: Finding[] = [];
    for (const hook of all) {
      problems.push(...authorityProblems(hook, Date.now()));
      if (hook.service === undefined) continue;
      const key = JSON.stringify(hook.service);
      if (!services.has(key)) services.set(key, await serviceProblem(client, hook.service, signal));
      const problem = services.get(key);
      if (problem !== undefined)
        problems.push(finding(hook, problem, "start its operator, or delete the configuration of an operator that is gone"));
    }
    return summed(
      check,
      problems,
      all.length === 0 ? "none are registered" : `${all.length} registered; their services have ready endpoints`,
    );
  } catch (error) {
    signal.throwIfAborted();
    return [unchecked(check, "list webhook configurations and their services", error)];
  }
}

/** Returns what is wrong with the authority that the API server verifies a webhook with. */
export function authorityProblems(hook: CalledHook, nowMs: number): Findings {
  const { caBundle, service } = hook;
  // A URL may have a certificate that the machine of the API server trusts.
  if (caBundle === undefined || caBundle === "")
    return service === undefined
      ? []
      : [finding(hook, "has no caBundle, so its certificate cannot be verified", "let its operator or cert-manager fill it in")];
  const pem = Buffer.from(caBundle, "base64").toString();
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  const expiries = blocks.flatMap((block) => expiryOf(block));
  const [first] = expiries;
  if (first === undefined) return [finding(hook, "has a caBundle without a certificate", "let its operator or cert-manager fill it in")];
  const last = Math.max(...expiries);
  return last < nowMs
    ? [
        finding(
          hook,
          `has a caBundle that expired on ${new Date(last).toISOString().slice(0, 10)}`,
          "renew the certificates of its operator",
        ),
      ]
    : [];
}

const finding = ({ name, isRequired }: CalledHook, what: string, fix: string): Finding => ({
  check,
  verdict: isRequired ? "fail" : "warn",
  says: `${name} ${what}${isRequired ? ", so requests to it fail" : ""}`,
  fix,
});

function expiryOf(pem: string): readonly number[] {
  try {
    return [Date.parse(new X509Certificate(pem).validTo)];
  } catch {
    return [];
  }
}

/** Returns why a service cannot be called; undefined if it can, or if that may not be read. */
async function serviceProblem(
  client: Client,
  { namespace, name, port }: NonNullable<CalledHook["service"]>,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const { spec } = await client.get(Service, name, { namespace, signal });
    if (!(spec?.ports ?? []).some((one) => one.port === port))
      return `is served at port ${port}, which Service ${namespace}/${name} does not have`;
    // Without a selector it leads elsewhere, and the slices may be written by other programs.
    if (spec?.type === "ExternalName") return undefined;
    const slices = await client.list(EndpointSlice, { namespace, labelSelector: `kubernetes.io/service-name=${name}`, signal });
    const isReady = slices.items.some(({ endpoints = [] }) => endpoints.some(({ conditions }) => conditions?.ready !== false));
    return isReady ? undefined : `is served by Service ${namespace}/${name}, which has no ready pods`;
  } catch (error) {
    signal.throwIfAborted();
    return isNotFound(error) ? `is served by Service ${namespace}/${name}, which does not exist` : undefined;
  }
}

function hooksOf(
  type: string,
  { metadata, webhooks = [] }: ValidatingWebhookConfiguration | MutatingWebhookConfiguration,
): readonly CalledHook[] {
  return webhooks.map(({ name, clientConfig, failurePolicy = "Fail" }) => ({
    name: `${type} webhook ${metadata.name ?? ""}/${name}`,
    isRequired: failurePolicy === "Fail",
    ...called(clientConfig),
  }));
}

function conversionOf({ metadata, spec }: CustomResourceDefinition): readonly CalledHook[] {
  const config = spec.conversion?.strategy === "Webhook" ? spec.conversion.webhook?.clientConfig : undefined;
  return config === undefined ? [] : [{ name: `conversion of ${metadata.name ?? ""}`, isRequired: true, ...called(config) }];
}

function called({
  caBundle,
  service,
}: {
  readonly caBundle?: string;
  readonly service?: { readonly namespace: string; readonly name: string; readonly port?: number };
}): Pick<CalledHook, "caBundle" | "service"> {
  return {
    caBundle,
    service: service === undefined ? undefined : { namespace: service.namespace, name: service.name, port: service.port ?? 443 },
  };
}
