/**
 * Serves webhooks as one request handler without sockets: POST at the path of each webhook and at /convert, GET at /healthz and /readyz.
 *
 *     API server → ListenTls → createWebhookHandler → answerAdmission, convertAll
 */
import { budget, countExceeded, encodeJson, errorText, isInstanceOf, parseDuration } from "@drover/machinery";
import type { Clock, HttpRequest, HttpResponse, Log, Metrics, Transport } from "@drover/machinery";
import type { HealthChecks } from "../serving/health-check.ts";
import { createProbeHandler } from "../serving/probe-handler.ts";
import { readAdmissionReview } from "./admission-review.ts";
import { answerAdmission } from "./answer-admission.ts";
import { convertAll, conversionReviewText, readConversionReview } from "./conversion-review.ts";
import { RecentReviews } from "./recent-reviews.ts";
import { readReviewBody, reviewBytes } from "./review-body.ts";
import { ReviewFormatError } from "./review-format-error.ts";
import type { AdmissionWebhook, ConversionWebhook, Webhooks } from "./webhook.ts";
import { conversionPath } from "./webhook-configurations.ts";
import { webhookMetrics } from "./webhook-metrics.ts";
import type { WebhookMetrics } from "./webhook-metrics.ts";

/** Options of `createWebhookHandler`. */
export interface WebhookHandlerOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Checks behind /readyz. @default none: always ready */
  readonly ready?: HealthChecks;
}

const openReviews = budget({
  name: "controller/webhook-open-reviews",
  limit: 1000,
  unit: "items",
  atLimit: "Further reviews are answered with 429 and Retry-After, so that the API server repeats them within its timeout.",
});
const openBytes = budget({
  name: "controller/webhook-open-bytes",
  limit: 64 * 2 ** 20,
  unit: "bytes",
  atLimit: "Further reviews are answered with 429 and Retry-After, so that the API server repeats them within its timeout.",
});

/** What the API server sends as `timeout` when a configuration names none, and the most that it can send. */
const timeouts = { defaultMs: 10_000, maxMs: 30_000 } as const;

/**
 * Returns the handler. It answers every request: reviews with a review that has their uid, anything else with an HTTP error. Throws if two
 * webhooks have the same path, or one has a path of the handler itself.
 */
export function createWebhookHandler({ admission, conversions }: Webhooks, options: WebhookHandlerOptions): Transport {
  const { log, ready = new Map() } = options;
  const load = new ReviewLoad();
  const handlers: Record<string, Transport> = {};
  for (const webhook of admission) {
    if (Object.hasOwn(handlers, webhook.path) || webhook.path === conversionPath)
      throw new TypeError(`cannot serve webhook ${webhook.name} at ${webhook.path}: the path is taken; give it another path`);
    const metrics = webhookMetrics(options.metrics, webhook.path, "admission");
    handlers[webhook.path] = reviewPath({
      ...options,
      metrics,
      registry: options.metrics,
      load,
      answer: admissionAnswer(webhook, options, metrics),
    });
  }
  if (conversions.length > 0) {
    const metrics = webhookMetrics(options.metrics, conversionPath, "conversion");
    const answer = conversionAnswer(conversions, options, metrics);
    handlers[conversionPath] = reviewPath({ ...options, metrics, registry: options.metrics, load, answer });
  }
  return createProbeHandler({ health: new Map(), ready, handlers, log });
}

/** Returns the response to a body as JSON. Throws a `ReviewFormatError`, or the reason of the signal. */
type ReviewAnswer = (body: string, request: HttpRequest) => Promise<string>;

function admissionAnswer(webhook: AdmissionWebhook, { clock, log }: WebhookHandlerOptions, metrics: WebhookMetrics): ReviewAnswer {
  const recent = new RecentReviews(clock);
  return (body, { path, signal }) => {
    const review = readAdmissionReview(body);
    const { uid, name, namespace, operation, resource, subresource, user } = review.request;
    const reviewLog = log.with({
      webhook: webhook.name,
      uid,
      operation,
      resource: `${resource.resource}${subresource === "" ? "" : `/${subresource}`}`,
      object: namespace === "" ? name : `${namespace}/${name}`,
      user: user.username,
    });
    return recent.answer(uid, body, () =>
      answerAdmission(review, {
        webhook,
        clock,
        log: reviewLog,
        timeoutMs: handlerTimeoutMs(path),
        ...(signal === undefined ? {} : { signal }),
        onFailure: () => metrics.panics.add(),
      }),
    );
  };
}

function conversionAnswer(webhooks: readonly ConversionWebhook[], { log }: WebhookHandlerOptions, metrics: WebhookMetrics): ReviewAnswer {
  return (body) => {
    const request = readConversionReview(body);
    const outcome = convertAll(request, webhooks);
    if ("failure" in outcome) {
      metrics.panics.add();
      log.error("conversion failed", { code: "DRV0609", webhook: conversionPath, uid: request.uid, error: outcome.failure });
    }
    return Promise.resolve(conversionReviewText(request.uid, outcome));
  };
}

/** The API server waits for `timeout`; the answer must be on its way before. */
function handlerTimeoutMs(path: string): number {
  const given = new URLSearchParams(path.split("?")[1] ?? "").get("timeout") ?? "";
  const waitsMs = Math.min(given === "" ? timeouts.defaultMs : durationOr(given, timeouts.defaultMs), timeouts.maxMs);
  return waitsMs - Math.min(500, waitsMs * 0.2);
}

function durationOr(text: string, otherwiseMs: number): number {
  try {
    const ms = parseDuration(text);
    return ms > 0 ? ms : otherwiseMs;
  } catch {
    return otherwiseMs;
  }
}

/** Reviews that are being answered, on all paths. */
class ReviewLoad {
  #count = 0;
  #bytes = 0;

  /** Counts the limit that does not allow another review, and returns whether there is one. One review is always allowed. */
  isFull(metrics: Metrics): boolean {
    const [hasMany, isLarge] = [this.#count >= openReviews.limit, this.#bytes >= openBytes.limit];
    if (hasMany) countExceeded(metrics, openReviews);
    else if (isLarge) countExceeded(metrics, openBytes);
    return hasMany || isLarge;
  }

  async hold<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    this.#count++;
    this.#bytes += bytes;
    try {
      return await work();
    } finally {
      this.#count--;
      this.#bytes -= bytes;
    }
  }
}

interface ReviewPathOptions extends Pick<WebhookHandlerOptions, "clock" | "log"> {
  readonly metrics: WebhookMetrics;
  readonly registry: Metrics;
  readonly load: ReviewLoad;
  readonly answer: ReviewAnswer;
}

function reviewPath(options: ReviewPathOptions): Transport {
  const { metrics, clock } = options;
  return async (request) => {
    const startedMs = clock.monotonic();
    metrics.inFlight.add(1);
    try {
      const response = await respond(request, options);
      metrics.answered(response.status);
      return response;
    } finally {
      metrics.inFlight.add(-1);
      metrics.latency.observe((clock.monotonic() - startedMs) / 1000);
    }
  };
}

async function respond(request: HttpRequest, { answer, load, log, registry }: ReviewPathOptions): Promise<HttpResponse> {
  if (request.method !== "POST") return { ...failure(405, "reviews are sent with POST"), headers: { ...jsonHeaders, allow: "POST" } };
  const type = request.headers["content-type"] ?? "";
  if (mediaTypeOf(type) !== "application/json")
    return failure(415, `the content type is ${JSON.stringify(type)}, and must be application/json`);
  if (load.isFull(registry))
    return { ...failure(429, "too many reviews are open; try again"), headers: { ...jsonHeaders, "retry-after": "1" } };
  try {
    return await load.hold(Number(request.headers["content-length"]) || 0, async () => {
      const body = await readReviewBody(request);
      if (body === undefined) {
        countExceeded(registry, reviewBytes);
        return failure(413, `the review has more than ${reviewBytes.limit} bytes`);
      }
      if (body.trim() === "") return failure(400, "the body is empty");
      return { status: 200, headers: jsonHeaders, body: await answer(body, request) };
    });
  } catch (error) {
    if (request.signal?.aborted === true) throw error;
    const [uid, apiVersion] = isInstanceOf(error, ReviewFormatError) ? [error.uid, error.apiVersion] : [];
    log.info("request is not a review", { path: request.path.split("?")[0], error });
    return failure(400, errorText(error), { uid, apiVersion });
  }
}

const jsonHeaders = { "content-type": "application/json", "x-content-type-options": "nosniff" } as const;

const mediaTypeOf = (contentType: string | readonly string[]): string =>
  (typeof contentType === "string" ? contentType : (contentType[0] ?? "")).split(";")[0]?.trim().toLowerCase() ?? "";

/** An HTTP error with a review as its body, as controller-runtime writes one. */
function failure(
  code: number,
  message: string,
  { uid = "", apiVersion = "admission.k8s.io/v1" }: { readonly uid?: string | undefined; readonly apiVersion?: string | undefined } = {},
): HttpResponse {
  const status = { metadata: {}, status: "Failure", message, code };
  const review = apiVersion.startsWith("admission.k8s.io/")
    ? { kind: "AdmissionReview", apiVersion, response: { uid, allowed: false, status } }
    : { kind: "ConversionReview", apiVersion, response: { uid, convertedObjects: [], result: status } };
  return { status: code, headers: jsonHeaders, body: encodeJson(review) };
}
