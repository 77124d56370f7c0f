/**
 * Adds the webhooks of a program to its manager: one HTTPS server, its certificates, and its registration.
 *
 *     addWebhooks(manager, webhooks, options) → WebhookServer, ready check "webhooks"
 */
import { definedOnly, parseIpAddress, printIpAddress } from "@drover/machinery";
import type { Manager } from "../manager/manager.ts";
import type { CertificateNames } from "./certificates-state.ts";
import { PolicyRegistration } from "./policy-registration.ts";
import { WebhookRegistration } from "./registration.ts";
import { ServingCertificates } from "./serving-certificates.ts";
import type { ServingMaterial } from "./serving-certificates.ts";
import type { Webhooks, WebhookTarget } from "./webhook.ts";
import { createWebhookHandler } from "./webhook-handler.ts";
import { webhookNeeds } from "./webhook-needs.ts";
import { WebhookServer } from "./webhook-server.ts";
import type { WebhookServingOptions } from "./webhook-serving.ts";

/**
 * Adds a server that starts before the caches, because they may need its conversions, and ends last. Throws if two webhooks have the same
 * path. Without admission webhooks and conversions it serves nothing, and only registers policies.
 */
export function addWebhooks(manager: Manager, webhooks: Webhooks, options: WebhookServingOptions): void {
  const {
    listen,
    crypto,
    host = "",
    port = 9443,
    target,
    certificates = "issued",
    clientCaPem,
    namespace,
    ownNamespace = namespace,
    name,
    registration: mode = "apply",
  } = options;
  const { client, runtime } = manager.cluster;
  const { clock, log, metrics } = runtime;
  const registration = new WebhookRegistration({ client, clock, log, webhooks, mode, name, ownNamespace });
  const needs = webhookNeeds(webhooks, options);
  if (webhooks.admission.length === 0 && webhooks.conversions.length === 0)
    return manager.add(new PolicyRegistration({ clock, log, registration, needs }));
  const expected = typeof target === "function" ? target(`${host === "" ? "127.0.0.1" : host}:${port}`) : target;
  const issued = new ServingCertificates({ client, clock, log, crypto, namespace, name, names: namesOf(expected) });
  const server: WebhookServer = new WebhookServer({
    clock,
    log,
    metrics,
    crypto,
    listen,
    host,
    port,
    handler: createWebhookHandler(webhooks, { clock, log, metrics, ready: new Map([["webhooks", () => server.check()]]) }),
    target,
    certificates: certificates === "issued" ? (signal) => issued.sync(signal) : (): Promise<ServingMaterial> => certificates(),
    ...definedOnly({ clientCaPem }),
    registration,
    closeDelayMs: options.closeDelayMs ?? ("service" in expected ? 5000 : 0),
    needs,
  });
  manager.add(server);
  manager.addReadyCheck("webhooks", () => server.check());
}

/** Returns the names by which the API server calls the target. */
function namesOf(target: WebhookTarget): CertificateNames {
  if ("url" in target) {
    const { hostname } = new URL(target.url);
    const address = parseIpAddress(hostname.replace(/^\[|\]$/g, ""));
    return address === undefined ? { dnsNames: [hostname], ips: [] } : { dnsNames: [], ips: [printIpAddress(address)] };
  }
  const { namespace, name } = target.service;
  return { dnsNames: [`${name}.${namespace}.svc`, `${name}.${namespace}.svc.cluster.local`, `${name}.${namespace}`], ips: [] };
}
