/** Calls one webhook for one request, and tells a refusal from a failed call. */
import { newBadRequest, newInternalError, quoteGo } from "@drover/machinery";
import type { Clock, JsonObject, Log, Status } from "@drover/machinery";
import { StatusError } from "../../status-error.ts";
import { WebhookCallError } from "../../webhook/webhook-client.ts";
import type { WebhookClient } from "../../webhook/webhook-client.ts";
import type { AdmissionRequest } from "../admission.ts";
import { newReview, readReview, ReviewError, typeProblem } from "./admission-review.ts";
import type { ReviewResponse } from "./admission-review.ts";
import type { WebhookInvocation } from "./matched-webhook.ts";
import type { WebhookMetrics } from "./webhook-metrics.ts";

export interface WebhookCallServices {
  readonly client: WebhookClient;
  readonly clock: Clock;
  readonly uid: () => string;
  readonly log: Log;
  readonly metrics: WebhookMetrics;
}

/** A call that failed; `failurePolicy` decides what that means. */
export class CallingWebhookError extends Error {
  override readonly name = "CallingWebhookError";
  readonly code: number;
  readonly isCanceled: boolean;

  constructor(webhook: string, reason: string, { code, isCanceled = false }: { readonly code: number; readonly isCanceled?: boolean }) {
    super(`failed calling webhook ${quoteGo(webhook)}: ${reason}`);
    this.code = code;
    this.isCanceled = isCanceled;
  }
}

/** The webhook refused the request. */
export class WebhookRejection extends StatusError {}

/** Calls a webhook and returns its response. Rejects with a `CallingWebhookError`, a `WebhookRejection` or another `StatusError`. */
export async function reviewedBy(
  { client, uid }: WebhookCallServices,
  invocation: WebhookInvocation,
  request: AdmissionRequest,
  { isMutating }: { readonly isMutating: boolean },
): Promise<ReviewResponse> {
  const { hook } = invocation.webhook;
  if (request.dryRun && hook.sideEffects !== "None" && hook.sideEffects !== "NoneOnDryRun")
    throw new StatusError(newBadRequest(`admission webhook ${quoteGo(hook.name)} does not support dry run`));
  const review = await newReview(invocation, request, uid());
  if (review === undefined) {
    const why = "could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)";
    throw new CallingWebhookError(hook.name, why, { code: 400 });
  }
  const timeoutMs = Math.min((hook.timeoutSeconds ?? 10) * 1000, request.remainingMs?.() ?? Infinity);
  const value = await calling(hook.name, () =>
    client.post({ clientConfig: hook.clientConfig, review: review.kind, body: review.body, timeoutMs, signal: request.signal }),
  );
  const problem = typeProblem(value);
  if (problem !== undefined) throw new CallingWebhookError(hook.name, `failed to call webhook: ${problem}`, { code: 503 });
  const response = understood(hook.name, () => readReview(value, review, { isMutating }));
  for (const [key, text] of response.auditAnnotations) request.annotate(`${hook.name}/${key}`, text);
  for (const warning of response.warnings) request.warn(warning);
  if (!response.allowed) throw new WebhookRejection(refusal(hook.name, response.status));
  return response;
}

async function calling(name: string, call: () => Promise<JsonObject>): Promise<JsonObject> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof WebhookCallError)) throw error;
    const { message, isCanceled, isUnsent, status } = error;
    const failed = isUnsent ? "could not get REST client" : "failed to call webhook";
    throw new CallingWebhookError(name, `${failed}: ${message}`, { code: status.code ?? 0, isCanceled });
  }
}

function understood(name: string, read: () => ReviewResponse): ReviewResponse {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ReviewError)) throw error;
    throw new CallingWebhookError(name, `received invalid webhook response: ${error.message}`, { code: 503 });
  }
}

/** The Status of a refusal: that of the webhook, with its name in the message and at least the code 400. */
function refusal(name: string, given: JsonObject | undefined): Status {
  const { code, status, message, reason, details } = (given ?? {}) as Partial<Status>;
  const denied = `admission webhook ${quoteGo(name)} denied the request`;
  const why = message !== undefined && message !== "" ? message : (reason ?? "");
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: status === undefined || status === "Success" ? "Failure" : status,
    message: why === "" ? `${denied} without explanation` : `${denied}: ${why}`,
    ...(reason === undefined || reason === "" ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    code: typeof code === "number" && code >= 400 ? code : 400,
  };
}

/** What a failed call means for the request. */
export type FailedCall = { readonly kind: "ignored"; readonly isCanceled: boolean } | { readonly kind: "refused"; readonly error: unknown };

/** Counts a call that ended with an error, and decides by the failure policy. */
export function judgeFailure(
  { metrics, log }: WebhookCallServices,
  { webhook: { hook } }: WebhookInvocation,
  { operation }: AdmissionRequest,
  { error, seconds, type }: { readonly error: unknown; readonly seconds: number; readonly type: "admit" | "validating" },
): FailedCall {
  const call = { name: hook.name, type, operation, seconds };
  if (error instanceof WebhookRejection) {
    metrics.called({ ...call, code: error.status.code ?? 0, rejection: "no_error" });
    return { kind: "refused", error };
  }
  if (!(error instanceof CallingWebhookError)) {
    metrics.called({ ...call, code: 0, rejection: "apiserver_internal_error" });
    return { kind: "refused", error };
  }
  const { code, isCanceled, message } = error;
  const isIgnored = hook.failurePolicy === "Ignore";
  metrics.called({ ...call, code, rejection: isIgnored || isCanceled ? undefined : "calling_webhook_error" });
  if (!isIgnored) return { kind: "refused", error: new StatusError(newInternalError(message)) };
  if (!isCanceled) {
    log.warn("webhook call failed, request continues", { webhook: hook.name, error });
    metrics.failedOpen(hook.name, type);
  }
  return { kind: "ignored", isCanceled };
}
