/** Finds out whether a webhook is called for a request, and in which version. */
import { newForbidden, newInternalError, SelectorError } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import type { Authorizer } from "../../access/authorizer.ts";
import { convertObject } from "../../registry/convert-object.ts";
import type { Registry } from "../../registry/registry.ts";
import type { Resource } from "../../registry/resource.ts";
import { StatusError } from "../../status-error.ts";
import type { AdmissionRequest } from "../admission.ts";
import { AccessChecks } from "../cel/access-checks.ts";
import { bindingsOf, kindAt } from "../cel/admission-input.ts";
import { matchConditions } from "../cel/match-conditions.ts";
import { matchTarget } from "../match/match-target.ts";
import { matchedResource } from "../match/rule-match.ts";
import { matchesObjectSelector } from "../match/selector-match.ts";
import type { NamespaceMatch, RequestSelectors } from "../match/selector-match.ts";
import type { RegisteredWebhook } from "./registered-webhook.ts";
import type { WebhookMetrics } from "./webhook-metrics.ts";

export interface WebhookMatchServices {
  readonly registry: Registry;
  readonly authorizer: Authorizer;
  readonly namespaces: NamespaceMatch;
  readonly metrics: WebhookMetrics;
}

/** A webhook to call, and the version it gets objects in. */
export interface WebhookInvocation {
  readonly webhook: RegisteredWebhook;
  readonly resource: Resource;
}

/** Returns the invocation; undefined if the webhook is not called. Throws a `StatusError` if that cannot be decided. */
export async function matchWebhook(
  webhook: RegisteredWebhook,
  request: AdmissionRequest,
  { registry, authorizer, namespaces, metrics }: WebhookMatchServices,
  type: "admit" | "validating",
): Promise<WebhookInvocation | undefined> {
  const { hook } = webhook;
  const target = matchTarget(request);
  const resource = matchedResource(hook.rules ?? [], hook.matchPolicy, target, registry);
  if (resource === undefined) return undefined;
  const selectors = selectorsOf(webhook);
  if (!matchesObjectSelector(selectors.object, request)) return undefined;
  if (!(await namespaces.matches(selectors.namespace, target, request.object))) return undefined;
  if ((hook.matchConditions ?? []).length > 0) {
    const { failurePolicy = "Fail" } = hook;
    const checks = new AccessChecks(authorizer);
    const bindings = bindingsOf({ admission: request, resource, ...(await objectsIn(resource, request)) }, { checks });
    const outcome = await matchConditions(webhook.conditions(), bindings, { failurePolicy });
    if ("error" in outcome) {
      const { group, plural } = request.resource.kind;
      throw new StatusError(newForbidden({ group, resource: plural }, request.name, outcome.error));
    }
    if (!outcome.matches) {
      metrics.excluded(hook.name, type, request.operation);
      return undefined;
    }
  }
  return { webhook, resource };
}

function selectorsOf(webhook: RegisteredWebhook): RequestSelectors {
  try {
    return webhook.selectors();
  } catch (error) {
    throw error instanceof SelectorError ? new StatusError(newInternalError(error.message)) : error;
  }
}

/** The objects of a request. */
export interface RequestObjects {
  readonly object: JsonObject | undefined;
  readonly old: JsonObject | undefined;
}

/** Returns the objects of a request in the version of `resource`. Throws a 500 if a webhook cannot convert them. */
export async function objectsIn(resource: Resource, request: AdmissionRequest): Promise<RequestObjects> {
  const { object, old } = request;
  if (!isConverted(resource, request)) return { object, old };
  const convert = (each: JsonObject | undefined): JsonObject | Promise<JsonObject> | undefined =>
    each === undefined ? undefined : convertObject(each, request.resource, resource);
  try {
    return { old: await convert(old), object: await convert(object) };
  } catch (error) {
    throw error instanceof StatusError ? new StatusError(newInternalError(error.message)) : error;
  }
}

/** Whether objects must be converted for a webhook. The body of `scale`, `eviction` and others is the same in every version. */
export const isConverted = (resource: Resource, { resource: requested, subresource }: AdmissionRequest): boolean =>
  resource !== requested && kindAt(resource, subresource).kind === resource.kind.kind;
