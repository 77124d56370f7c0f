/**
 * Metrics of requests, with the names that dashboards of Kubernetes programs expect.
 */
import type { Clock, HttpBody, HttpRequest, Metrics } from "@drover/machinery";
import { byteLength, restClientDurationBuckets, restClientSizeBuckets } from "@drover/machinery";
import { attemptCounter } from "./attempt-counter.ts";
import { isStream } from "./request-nature.ts";
import type { TransportWrapper } from "./wrapper.ts";

export interface RequestMetricsOptions {
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** Label of the server: "example.com:6443". */
  readonly host: string;
  /**
   * Also records durations, sizes and retries. Off as in controller-runtime, because every verb and host adds a dozen time
   * series. @default false
   */
  readonly detailed?: boolean;
}

/** Counts every attempt in `rest_client_requests_total`, with the code "<error>" if there was no response. */
export function requestMetrics(options: RequestMetricsOptions): TransportWrapper {
  const { clock, metrics, host, detailed = false } = options;
  const total = metrics.counter({
    name: "rest_client_requests_total",
    help: "Number of HTTP requests, by status code, method, and host.",
    labels: ["code", "method", "host"],
  });
  const details = detailed ? detailsOf(options) : undefined;
  return (next) => async (request) => {
    const started = clock.monotonic();
    const count = (code: string): void => {
      total.add(1, { code, method: request.method, host });
      details?.attempted(request, code, (clock.monotonic() - started) / 1000);
    };
    try {
      const response = await next(request);
      count(String(response.status));
      return details === undefined || isStream(request) ? response : { ...response, body: details.measured(response.body, request) };
    } catch (error) {
      count("<error>");
      throw error;
    }
  };
}

function detailsOf({ metrics, host }: RequestMetricsOptions): {
  attempted: (request: HttpRequest, code: string, seconds: number) => void;
  measured: (body: HttpBody, request: HttpRequest) => HttpBody;
} {
  const attemptOf = attemptCounter();
  const labels = ["verb", "host"];
  const duration = metrics.histogram({
    name: "rest_client_request_duration_seconds",
    help: "Request latency in seconds, by verb and host.",
    labels,
    buckets: restClientDurationBuckets,
  });
  const requestSize = metrics.histogram({
    name: "rest_client_request_size_bytes",
    help: "Request size in bytes, by verb and host.",
    labels,
    buckets: restClientSizeBuckets,
  });
  const responseSize = metrics.histogram({
    name: "rest_client_response_size_bytes",
    help: "Response size in bytes, by verb and host.",
    labels,
    buckets: restClientSizeBuckets,
  });
  const retries = metrics.counter({
    name: "rest_client_request_retries_total",
    help: "Number of request retries, by status code, verb, and host.",
    labels: ["code", "verb", "host"],
  });
  const attempted = (request: HttpRequest, code: string, seconds: number): void => {
    const verb = request.method;
    duration.observe(seconds, { verb, host });
    if (attemptOf(request) > 1) retries.add(1, { code, verb, host });
    if (typeof request.body === "string" || request.body instanceof Uint8Array) requestSize.observe(sizeOf(request.body), { verb, host });
  };
  const measured = (body: HttpBody, { method }: HttpRequest): HttpBody => {
    const observe = (bytes: number): void => responseSize.observe(bytes, { verb: method, host });
    if (typeof body !== "string" && !(body instanceof Uint8Array)) return counted(body, observe);
    observe(sizeOf(body));
    return body;
  };
  return { attempted, measured };
}

const sizeOf = (part: string | Uint8Array): number => (typeof part === "string" ? byteLength(part) : part.length);

/** Passes a body on and reports its size when it has been read completely. */
function counted(body: Exclude<HttpBody, string | Uint8Array>, observe: (bytes: number) => void): Exclude<HttpBody, string | Uint8Array> {
  return {
    [Symbol.asyncIterator]: () => {
      const iterator = body[Symbol.asyncIterator]();
      let bytes = 0;
      return {
        next: async () => {
          const result = await iterator.next();
          if (result.done === true) observe(bytes);
          else bytes += sizeOf(result.value);
          return result;
        },
        return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
      };
    },
  };
}
