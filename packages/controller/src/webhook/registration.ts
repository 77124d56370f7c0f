/**
 * Tells the API server about the webhooks of a program: configurations, policies, and the conversion clause of definitions, with the CA
 * bundle. Repairs what is changed by hand.
 *
 *     Webhooks, CA bundle → WebhookRegistration → API server
 */
import {
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from "@drover/api/admissionregistration/v1";
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import type { ApplyObject, Client } from "@drover/client";
import { encodeJson, isNotFound, jsonEqual } from "@drover/machinery";
import type { Clock, JsonPatchOperation, JsonValue, Kind, KubeObject, Log } from "@drover/machinery";
import { certificatesIn } from "./certificates-state.ts";
import type { Webhooks, WebhookTarget } from "./webhook.ts";
import { conversionClause, webhookConfigurations } from "./webhook-configurations.ts";

export interface WebhookRegistrationOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Log;
  readonly webhooks: Webhooks;
  readonly mode: "apply" | "inject" | "off";
  /** Name of the configurations. */
  readonly name: string;
  /** Namespace of the program. */
  readonly ownNamespace: string;
}

/** What to register. */
export interface RegisteredServer {
  readonly target: WebhookTarget;
  /** In PEM; undefined if others inject it. */
  readonly caBundle?: string;
}

/** When the replica started that wrote an object, in milliseconds since 1970. */
export const startedAnnotation = "webhooks.drover.dev/replica-started";
/** How long a replica leaves alone what a replica has written that started later: during a rollout the old must not undo the new. */
const yieldsMs = 600_000;
const requestTimeoutMs = 10_000;

type ConfigurationKind = Kind<MutatingWebhookConfiguration, "Cluster", never> | Kind<ValidatingWebhookConfiguration, "Cluster", never>;

/** Keeps the API server's view of the webhooks equal to the declared one. Call `sync` every few seconds. */
export class WebhookRegistration {
  readonly #options: WebhookRegistrationOptions;
  readonly #startedMs: number;
  /** By kind and name: what was applied, and the version that this gave. */
  readonly #applied = new Map<string, { readonly text: string; readonly resourceVersion: string | undefined }>();
  /** By kind and name: since when a later replica's object differs. */
  readonly #yieldingSince = new Map<string, number>();
  #hasRemoved = false;

  constructor(options: WebhookRegistrationOptions) {
    this.#options = options;
    this.#startedMs = options.clock.now();
  }

  /**
   * Writes what is missing or different. Resolves with whether the API server now trusts every certificate of the bundle, wherever it calls
   * this program. Rejects if the API server refuses or cannot be reached.
   */
  async sync(server: RegisteredServer, signal: AbortSignal): Promise<boolean> {
    const { mode, webhooks } = this.#options;
    if (mode === "off") return true;
    const trusts: boolean[] = [];
    for (const { group, resource } of webhooks.conversions) trusts.push(await this.#syncDefinition(`${resource}.${group}`, server, signal));
    trusts.push(...(mode === "apply" ? await this.#applyAll(server, signal) : await this.#injectAll(server, signal)));
    return trusts.every(Boolean);
  }

  async #applyAll({ target, caBundle }: RegisteredServer, signal: AbortSignal): Promise<boolean[]> {
    const { webhooks, name, ownNamespace } = this.#options;
    const wanted = webhookConfigurations(webhooks, {
      name,
      target,
      ownNamespace,
      ...(caBundle === undefined ? {} : { caBundle }),
    });
    const trusts: boolean[] = [];
    for (const policy of wanted.policies) await this.#apply(ValidatingAdmissionPolicy, policy, signal);
    for (const binding of wanted.bindings) await this.#apply(ValidatingAdmissionPolicyBinding, binding, signal);
    const { mutating, validating } = wanted;
    if (mutating !== undefined) trusts.push(isTrusting(await this.#apply(MutatingWebhookConfiguration, mutating, signal), caBundle));
    if (validating !== undefined) trusts.push(isTrusting(await this.#apply(ValidatingWebhookConfiguration, validating, signal), caBundle));
    if (!this.#hasRemoved) {
      if (mutating === undefined) await this.#removeOld(MutatingWebhookConfiguration, signal);
      if (validating === undefined) await this.#removeOld(ValidatingWebhookConfiguration, signal);
      this.#hasRemoved = true;
    }
    return trusts;
  }

  /** Applies an object unless it is as this replica left it, or a later replica has written it. Returns the stored object. */
  async #apply<T extends KubeObject>(kind: Kind<T, "Cluster">, object: T, signal: AbortSignal): Promise<T> {
    const name = object.metadata.name ?? "";
    const key = `${kind.kind} ${name}`;
    const text = encodeJson(object);
    const known = this.#applied.get(key);
    if (known !== undefined) {
      const stored = await this.#get(kind, name, signal);
      if (stored !== undefined && known.text === text && stored.metadata.resourceVersion === known.resourceVersion) return stored;
      if (stored !== undefined && this.#yields(key, stored)) return stored;
      this.#options.log.info("webhook registration changed, applying it again", { kind: kind.kind, name });
    }
    const { client } = this.#options;
    const metadata = { name, annotations: { [startedAnnotation]: String(this.#startedMs) } };
    const applied = await client.apply(kind, { ...object, metadata } as unknown as ApplyObject<T>, {
      fieldManager: this.#fieldManager,
      force: true,
      signal,
      timeoutMs: requestTimeoutMs,
    });
    this.#applied.set(key, { text, resourceVersion: applied.metadata.resourceVersion });
    this.#yieldingSince.delete(key);
    return applied;
  }

  #yields(key: string, { metadata: { annotations = {} } }: KubeObject): boolean {
    if (!(Number(annotations[startedAnnotation]) > this.#startedMs)) return false;
    const now = this.#options.clock.monotonic();
    const since = this.#yieldingSince.get(key) ?? now;
    this.#yieldingSince.set(key, since);
    return now - since < yieldsMs;
  }

  get #fieldManager(): string {
    return `${this.#options.name}-webhooks`;
  }

  /** Deletes a configuration of an earlier version of this program, which would refuse requests for ever. */
  async #removeOld(kind: ConfigurationKind, signal: AbortSignal): Promise<void> {
    const { client, name, log } = this.#options;
    const stored = await this.#get<KubeObject>(kind, name, signal);
    if (stored?.metadata.annotations?.[startedAnnotation] === undefined) return;
    log.info("deleting the webhook configuration of an earlier version", { kind: kind.kind, name });
    await client.delete<KubeObject, "Cluster">(kind, name, { signal, timeoutMs: requestTimeoutMs });
  }

  async #injectAll({ caBundle }: RegisteredServer, signal: AbortSignal): Promise<boolean[]> {
    if (caBundle === undefined) return [];
    const types = new Set(this.#options.webhooks.admission.map(({ type }) => type));
    const trusts: boolean[] = [];
    if (types.has("mutating")) trusts.push(await this.#inject(MutatingWebhookConfiguration, caBundle, signal));
    if (types.has("validating")) trusts.push(await this.#inject(ValidatingWebhookConfiguration, caBundle, signal));
    return trusts;
  }

  async #inject(kind: ConfigurationKind, caBundle: string, signal: AbortSignal): Promise<boolean> {
    const { name, webhooks, log } = this.#options;
    const stored = await this.#get<Configuration>(kind, name, signal);
    if (stored === undefined) {
      log.warn('cannot inject the CA bundle: the webhook configuration does not exist; apply it, or set registration to "apply"', {
        kind: kind.kind,
        name,
        code: "DRV0613",
      });
      return false;
    }
    const names = new Set(webhooks.admission.map((webhook) => webhook.name));
    const value = btoa(caBundle);
    const body = (stored.webhooks ?? []).flatMap((webhook, index): JsonPatchOperation[] =>
      !names.has(webhook.name) || webhook.clientConfig.caBundle === value
        ? []
        : [
            { op: "test", path: `/webhooks/${index}/name`, value: webhook.name },
            { op: "add", path: `/webhooks/${index}/clientConfig/caBundle`, value },
          ],
    );
    if (body.length > 0) await this.#patch<Configuration>(kind, name, body, signal);
    return true;
  }

  /** A definition that does not exist yet needs no conversion. */
  async #syncDefinition(name: string, { target, caBundle }: RegisteredServer, signal: AbortSignal): Promise<boolean> {
    const stored = await this.#get(CustomResourceDefinition, name, signal);
    if (stored === undefined) return true;
    const { conversion } = stored.spec;
    const bundle = conversion?.webhook?.clientConfig?.caBundle;
    if (this.#options.mode === "inject") {
      if (caBundle === undefined || bundle === btoa(caBundle)) return true;
      if (conversion?.webhook?.clientConfig === undefined) return false;
      const value = btoa(caBundle);
      await this.#patch(
        CustomResourceDefinition,
        name,
        [{ op: "add", path: "/spec/conversion/webhook/clientConfig/caBundle", value }],
        signal,
      );
      return true;
    }
    const clause = conversionClause(target, caBundle);
    if (caBundle === undefined && bundle !== undefined) clause.webhook.clientConfig.caBundle = bundle;
    const value = clause as unknown as JsonValue;
    if (jsonEqual(conversion ?? null, value)) return true;
    this.#options.log.info("writing the conversion clause of a definition", { definition: name });
    await this.#patch(CustomResourceDefinition, name, [{ op: "add", path: "/spec/conversion", value }], signal);
    return true;
  }

  async #patch<T extends KubeObject>(
    kind: Kind<T, "Cluster">,
    name: string,
    body: readonly JsonPatchOperation[],
    signal: AbortSignal,
  ): Promise<void> {
    const fieldManager = this.#fieldManager;
    await this.#options.client.patch(kind, name, { type: "json", body }, { fieldManager, signal, timeoutMs: requestTimeoutMs });
  }

  async #get<T extends KubeObject>(kind: Kind<T, "Cluster">, name: string, signal: AbortSignal): Promise<T | undefined> {
    try {
      return await this.#options.client.get(kind, name, { signal, timeoutMs: requestTimeoutMs });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}

/** What both configurations have in common. */
interface Configuration extends KubeObject {
  readonly webhooks?: readonly { readonly name: string; readonly clientConfig: { readonly caBundle?: string } }[];
}

/** Whether the API server has every certificate of the bundle for every webhook. */
function isTrusting({ webhooks = [] }: Configuration, caBundle: string | undefined): boolean {
  if (caBundle === undefined) return true;
  const wanted = certificatesIn(caBundle);
  return webhooks.every(({ clientConfig }) => {
    const known = new Set(certificatesIn(decoded(clientConfig.caBundle ?? "")));
    return wanted.every((certificate) => known.has(certificate));
  });
}

function decoded(base64: string): string {
  try {
    return atob(base64);
  } catch {
    return "";
  }
}
