/**
 * MutatingAdmissionWebhook: calls the matching webhooks one after the other, each with the object as the one before has left it.
 *
 *     StoredIndex → webhooks → matchWebhook → reviewedBy → JSON patch → decoded again → next webhook
 */
import {
  applyJsonPatch,
  decodeJson,
  decodeManagedFields,
  deepCopy,
  encodeJson,
  isJsonObject,
  jsonEqual,
  JsonError,
  JsonPatchError,
  ManagedFieldsError,
  newFailure,
  newInternalError,
  parseJsonPatch,
  quoteGo,
  semanticEqual,
} from "@drover/machinery";
import type { JsonObject, JsonPatchOperation, JsonValue } from "@drover/machinery";
import { DecodeError } from "../../codec/codec.ts";
import { convertObject } from "../../registry/convert-object.ts";
import type { StoredIndex } from "../../registry/stored-index.ts";
import { StatusError } from "../../status-error.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../admission.ts";
import { isExemptConfiguration } from "../match/match-target.ts";
import type { ReviewResponse } from "./admission-review.ts";
import { isConverted, matchWebhook, objectsIn } from "./matched-webhook.ts";
import type { WebhookInvocation, WebhookMatchServices } from "./matched-webhook.ts";
import type { RegisteredWebhook } from "./registered-webhook.ts";
import { CallingWebhookError, judgeFailure, reviewedBy } from "./webhook-outcome.ts";
import type { WebhookCallServices } from "./webhook-outcome.ts";

export type WebhookServices = WebhookMatchServices & WebhookCallServices;

/** What the plug-in remembers of a request between its two rounds. */
interface Rounds {
  /** Webhooks called so far that want to be called again after a later change. */
  readonly reinvocable: Set<string>;
  /** Those of them that a later change concerns. */
  readonly due: Set<string>;
  /** The object after the first round. */
  output: JsonObject | undefined;
}

export function mutatingWebhooks(index: StoredIndex<readonly RegisteredWebhook[]>, services: WebhookServices): AdmissionPlugin {
  const rounds = new WeakMap<AdmissionRequest, Rounds>();
  const dispatch = async (webhooks: readonly RegisteredWebhook[], request: AdmissionRequest): Promise<void> => {
    const known = rounds.get(request) ?? { reinvocable: new Set(), due: new Set(), output: undefined };
    rounds.set(request, known);
    // Plug-ins of the server have changed the object after the webhooks did.
    if (request.round > 0 && !semanticEqual(known.output, request.object)) makeDue(known);
    for (const [at, webhook] of webhooks.entries()) {
      const invocation = await matchWebhook(webhook, request, services, "admit");
      if (invocation === undefined || (request.round > 0 && !known.due.has(webhook.id))) continue;
      if (await called(services, invocation, request, at)) {
        makeDue(known);
        request.wantsReinvocation = true;
      }
      if (webhook.hook.reinvocationPolicy === "IfNeeded") known.reinvocable.add(webhook.id);
    }
    if (request.wantsReinvocation && request.round === 0 && request.object !== undefined) known.output = deepCopy(request.object);
  };
  return {
    name: "MutatingAdmissionWebhook",
    mutate: (request) => {
      if (isExemptConfiguration(request.resource)) return undefined;
      const webhooks = index.current();
      if (!(webhooks instanceof Promise)) return webhooks.length === 0 ? undefined : dispatch(webhooks, request);
      return webhooks.then((loaded) => dispatch(loaded, request));
    },
  };
}

function makeDue({ reinvocable, due }: Rounds): void {
  for (const id of reinvocable) due.add(id);
  reinvocable.clear();
}

/** Calls a webhook and applies its patch. Returns whether that changed the object. Throws what refuses the request. */
async function called(services: WebhookServices, invocation: WebhookInvocation, request: AdmissionRequest, at: number): Promise<boolean> {
  const { clock, metrics } = services;
  const {
    configuration,
    hook: { name },
  } = invocation.webhook;
  const began = clock.monotonic();
  const seconds = (): number => (clock.monotonic() - began) / 1000;
  const key = `round_${request.round}_index_${at}`;
  const note = (mutated: boolean): void =>
    request.annotate(`mutation.webhook.admission.k8s.io/${key}`, encodeJson({ configuration, webhook: name, mutated }));
  try {
    const response = await reviewedBy(services, invocation, request, { isMutating: true });
    const operations = operationsOf(name, response);
    const changed = operations.length > 0 && (await applied(invocation, request, operations));
    if (operations.length > 0) {
      const patch = { configuration, webhook: name, patch: operations as unknown as JsonValue, patchType: "JSONPatch" };
      request.annotate(`patch.webhook.admission.k8s.io/${key}`, encodeJson(patch));
    }
    metrics.called({ name, type: "admit", operation: request.operation, seconds: seconds(), code: 200, rejection: undefined });
    note(changed);
    return changed;
  } catch (error) {
    note(false);
    const failed = judgeFailure(services, invocation, request, { error, seconds: seconds(), type: "admit" });
    if (failed.kind === "refused") throw failed.error;
    if (!failed.isCanceled) request.annotate(`failed-open.mutation.webhook.admission.k8s.io/${key}`, name);
    if (request.signal?.aborted === true)
      throw new StatusError(newFailure(504, "Timeout", "Timeout: request did not complete within requested timeout", {}));
    return false;
  }
}

/** Returns the operations of a patch. Throws a `CallingWebhookError`. */
function operationsOf(name: string, { patch, patchType }: ReviewResponse): readonly JsonPatchOperation[] {
  if (patch === "") return [];
  const failed = (reason: string): CallingWebhookError => new CallingWebhookError(name, reason, { code: 503 });
  try {
    const { operations } = parseJsonPatch(decodeJson(patch));
    if (operations.length > 0 && patchType !== "JSONPatch") throw failed(`unsupported patch type ${quoteGo(patchType)}`);
    return operations;
  } catch (error) {
    if (error instanceof JsonError) throw failed(`received undecodable patch in webhook response: ${error.detail}`);
    if (error instanceof JsonPatchError) throw failed(`received undecodable patch in webhook response: ${error.message}`);
    throw error;
  }
}

/** Replaces the object of the request by the patched one, decoded again. Returns whether it differs. Throws a 500. */
async function applied(
  invocation: WebhookInvocation,
  request: AdmissionRequest,
  operations: readonly JsonPatchOperation[],
): Promise<boolean> {
  const { resource, webhook } = invocation;
  const { object: target } = request;
  const { object } = await objectsIn(resource, request);
  if (target === undefined || object === undefined)
    throw internal(
      `admission webhook ${quoteGo(webhook.hook.name)} attempted to modify the object, which is not supported for this operation`,
    );
  const converts = isConverted(resource, request);
  const decoded = patched(object, operations, converts ? resource.codec : request.codec);
  keepManagedFields(object, decoded, request);
  if (semanticEqual(object, decoded)) return false;
  const settled = converts ? await convertObject(decoded, resource, request.resource) : decoded;
  for (const member of Object.keys(target)) delete target[member];
  Object.assign(target, settled);
  return true;
}

/** Restores managed fields that a patch has made invalid, with a warning. */
function keepManagedFields(before: JsonObject, after: JsonObject, request: AdmissionRequest): void {
  const [old, given] = [fieldsOf(before), fieldsOf(after)];
  if (jsonEqual(old ?? null, given ?? null)) return;
  try {
    decodeManagedFields(given);
  } catch (error) {
    if (!(error instanceof ManagedFieldsError)) throw error;
    const { metadata } = after;
    if (isJsonObject(metadata)) {
      if (old === undefined) delete metadata["managedFields"];
      else metadata["managedFields"] = old;
    }
    request.warn(
      `.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ${error.message}`,
    );
  }
}

const fieldsOf = ({ metadata }: JsonObject): JsonValue | undefined => (isJsonObject(metadata) ? metadata["managedFields"] : undefined);

function patched(object: JsonObject, operations: readonly JsonPatchOperation[], codec: AdmissionRequest["codec"]): JsonObject {
  try {
    const value = applyJsonPatch(object, operations);
    if (!isJsonObject(value)) throw internal("json: cannot unmarshal the patched value into an object");
    return codec.decodeValue(value).object;
  } catch (error) {
    if (error instanceof JsonPatchError) throw internal(error.message);
    if (!(error instanceof DecodeError)) throw error;
    const message = error.message.replace(/^\S+ in version "[^"]*" cannot be handled as a \S+: /, "");
    // A patch may not change the kind.
    throw message.endsWith("unknown conversion") ? new StatusError(newFailure(500, "", message)) : internal(message);
  }
}

const internal = (message: string): StatusError => new StatusError(newInternalError(message));
