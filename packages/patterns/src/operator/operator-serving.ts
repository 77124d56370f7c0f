/**
 * Adds the webhooks of an operator to its manager: on a port, or answered in this process.
 *
 *     Webhooks, OperatorPlace.webhooks → addOperatorWebhooks → runnables of the manager, and the address of converters
 */
import { addWebhooks, createWebhookHandler, webhookConfigurations } from "@drover/controller";
import type { Manager, WebhookConfigurations, Webhooks, WebhookServingOptions, WebhookTarget } from "@drover/controller";
import {
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from "@drover/api/admissionregistration/v1";
import type { ApplyObject, Client } from "@drover/client";
import type { KubeObject, Transport } from "@drover/machinery";
import { persist } from "../resource/persist.ts";
import { needsServer } from "./operator-webhooks.ts";

/** Webhooks that are answered in this process, without port and certificates: for an API server in this process. */
export interface InProcessWebhooks {
  /** Address in registrations, without a path; the API server must hand calls to it to the handler. */
  readonly url: string;
  /** Takes the handler; returns a function that ends it. */
  readonly answer: (handler: Transport) => () => void;
}

/** How the API server reaches the webhooks of an operator. */
export type OperatorWebhooks = InProcessWebhooks | Omit<WebhookServingOptions, "name">;

/** Decides how the API server reaches an operator. Not called without webhooks and policies. */
export type ChooseWebhooks = (needs: {
  /** Whether the API server calls the operator; false if there are only policies, which it evaluates itself. */
  readonly server: boolean;
}) => OperatorWebhooks;

/** Options of `addOperatorWebhooks`. */
export interface OperatorServingOptions {
  /** Name of the operator. */
  readonly name: string;
  readonly serving: OperatorWebhooks | ChooseWebhooks;
}

/** Adds servers and registrations, of which there must be some. Returns the address of converters. */
export function addOperatorWebhooks(
  manager: Manager,
  webhooks: Webhooks,
  { name, serving }: OperatorServingOptions,
): WebhookTarget | undefined {
  const chosen = typeof serving === "function" ? serving({ server: needsServer(webhooks) }) : serving;
  if ("answer" in chosen) return addInProcess(manager, webhooks, { name, ...chosen });
  addWebhooks(manager, webhooks, { ...chosen, name });
  return addressOf(chosen);
}

/** The address of converters before the port is open: the registration writes the actual port into the definitions. */
function addressOf({ target, host = "", port = 9443 }: Omit<WebhookServingOptions, "name">): WebhookTarget {
  return typeof target === "function" ? target(`${host === "" ? "127.0.0.1" : host}:${port === 0 ? 9443 : port}`) : target;
}

function addInProcess(
  manager: Manager,
  webhooks: Webhooks,
  { name, url, answer }: InProcessWebhooks & { readonly name: string },
): WebhookTarget {
  const { runtime, client } = manager.cluster;
  const target = { url };
  const handler = createWebhookHandler(webhooks, runtime);
  manager.add({
    name: "webhooks",
    group: "server",
    run: async (signal) => {
      const end = answer(handler);
      await untilAborted(signal);
      end();
    },
    ready: (signal) => register(client, webhookConfigurations(webhooks, { name, target, ownNamespace: "kube-system" }), { name, signal }),
  });
  return target;
}

/** Applies the configurations. Repeats after conflicts and lost responses. */
async function register(
  client: Client,
  { mutating, validating, policies, bindings }: WebhookConfigurations,
  { name, signal: parent }: { readonly name: string; readonly signal: AbortSignal },
): Promise<void> {
  const options = { fieldManager: name, force: true };
  await persist(
    async (signal) => {
      if (mutating !== undefined) await client.apply(MutatingWebhookConfiguration, applied(mutating), { ...options, signal });
      if (validating !== undefined) await client.apply(ValidatingWebhookConfiguration, applied(validating), { ...options, signal });
      for (const policy of policies) await client.apply(ValidatingAdmissionPolicy, applied(policy), { ...options, signal });
      for (const binding of bindings) await client.apply(ValidatingAdmissionPolicyBinding, applied(binding), { ...options, signal });
    },
    { clock: client.clock, what: "register webhooks", timeoutMs: 60_000, signal: parent },
  );
}

/** The objects are written here from scratch, so they have none of the fields that must not be applied. */
const applied = <T extends KubeObject>(object: T): ApplyObject<T> => object as unknown as ApplyObject<T>;

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
