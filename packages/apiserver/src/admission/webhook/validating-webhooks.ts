/**
 * ValidatingAdmissionWebhook: calls the matching webhooks at the same time and waits for all of them.
 *
 *     StoredIndex → webhooks → matchWebhook → reviewedBy (all at once) → the error that came first
 */
import { newFailure } from "@drover/machinery";
import type { StoredIndex } from "../../registry/stored-index.ts";
import { StatusError } from "../../status-error.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../admission.ts";
import { isExemptConfiguration } from "../match/match-target.ts";
import { matchWebhook } from "./matched-webhook.ts";
import type { WebhookInvocation } from "./matched-webhook.ts";
import type { WebhookServices } from "./mutating-webhooks.ts";
import type { RegisteredWebhook } from "./registered-webhook.ts";
import { judgeFailure, reviewedBy } from "./webhook-outcome.ts";

export function validatingWebhooks(index: StoredIndex<readonly RegisteredWebhook[]>, services: WebhookServices): AdmissionPlugin {
  const dispatch = async (webhooks: readonly RegisteredWebhook[], request: AdmissionRequest): Promise<void> => {
    const invocations: WebhookInvocation[] = [];
    for (const webhook of webhooks) {
      const invocation = await matchWebhook(webhook, request, services, "validating");
      if (invocation !== undefined) invocations.push(invocation);
    }
    if (invocations.length === 0) return;
    throwIfOver(request);
    const errors: unknown[] = [];
    await Promise.all(
      invocations.map(async (invocation, at) => {
        const error = await refusalOf(services, invocation, request, at);
        if (error !== undefined) errors.push(error);
      }),
    );
    if (errors.length > 0) throw errors[0];
    // A failure that is ignored must not let a write through that nobody waits for.
    throwIfOver(request);
  };
  return {
    name: "ValidatingAdmissionWebhook",
    validate: (request) => {
      if (isExemptConfiguration(request.resource)) return undefined;
      const webhooks = index.current();
      if (!(webhooks instanceof Promise)) return webhooks.length === 0 ? undefined : dispatch(webhooks, request);
      return webhooks.then((loaded) => dispatch(loaded, request));
    },
  };
}

/** Calls a webhook and returns what refuses the request; undefined if it may go on. */
async function refusalOf(
  services: WebhookServices,
  invocation: WebhookInvocation,
  request: AdmissionRequest,
  at: number,
): Promise<unknown> {
  const { clock, metrics } = services;
  const { name } = invocation.webhook.hook;
  const began = clock.monotonic();
  const seconds = (): number => (clock.monotonic() - began) / 1000;
  try {
    await reviewedBy(services, invocation, request, { isMutating: false });
    metrics.called({ name, type: "validating", operation: request.operation, seconds: seconds(), code: 200, rejection: undefined });
    return undefined;
  } catch (error) {
    const failed = judgeFailure(services, invocation, request, { error, seconds: seconds(), type: "validating" });
    if (failed.kind === "refused") return failed.error;
    if (!failed.isCanceled) request.annotate(`failed-open.validating.webhook.admission.k8s.io/round_0_index_${at}`, name);
    return undefined;
  }
}

/** Throws a 504 when the client has left or its timeout has expired. */
function throwIfOver({ signal }: AdmissionRequest): void {
  if (signal?.aborted === true)
    throw new StatusError(newFailure(504, "Timeout", "Timeout: request did not complete within requested timeout", {}));
}
