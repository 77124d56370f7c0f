/** Names the requests that block the event loop. Streams of watches are not watched: they write one line at a time. */
import { budget, createMetrics, LoopWatchdog, requestInfo, ResourcePathError } from "@drover/machinery";
import type { Clock, HttpRequest, HttpResponse, Log, LogFields, Metrics, Transport } from "@drover/machinery";
import { firstHeader } from "../plain-request.ts";

/** Longer blocks delay watches and leases noticeably. */
const blockMs = budget({
  name: "apiserver/event-loop",
  limit: 50,
  unit: "milliseconds",
  atLimit: "The request goes on; a log line, at most one a minute, names it, and `drover_event_loop_blocked_total` counts it.",
  uncounted: "`drover_event_loop_blocked_total` counts it.",
});

export interface RequestWatchOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** @default not counted */
  readonly metrics?: Metrics;
}

/** Guarantees: no timer while no request is served, except for one heartbeat after the last. */
export class RequestWatch {
  readonly #clock: Clock;
  readonly #active = new Set<HttpRequest>();
  readonly #watchdog: LoopWatchdog<HttpRequest>;

  constructor({ clock, log, metrics = createMetrics() }: RequestWatchOptions) {
    this.#clock = clock;
    this.#watchdog = new LoopWatchdog({
      clock,
      blocked: LoopWatchdog.counter(metrics).with({ controller: "apiserver" }),
      warningMs: blockMs.limit,
      active: () => this.#active,
      fieldsOf,
      nameOf: (request) => Object.values(fieldsOf(request)).join(" "),
      warn: (fields) => log.info("request blocked the event loop: other requests, watches and probes had to wait", fields),
    });
  }

  /** Passes a request to the transport and measures it until its response begins. */
  async serve(transport: Transport, request: HttpRequest): Promise<HttpResponse> {
    const began = this.#clock.monotonic();
    this.#active.add(request);
    this.#watchdog.began(began);
    try {
      const answer = transport(request);
      this.#watchdog.stretch(request, began, this.#clock.monotonic());
      return await answer;
    } finally {
      this.#active.delete(request);
      this.#watchdog.ended(request, this.#clock.monotonic());
    }
  }

  close(): void {
    this.#watchdog.close();
  }
}

/** Verb, resource and client, as in an audit log; the client chooses the last, so it is cut. */
function fieldsOf({ method, path, headers }: HttpRequest): LogFields {
  const userAgent = firstHeader(headers, "user-agent").slice(0, 100);
  try {
    const { verb, isResourceRequest, apiGroup, resource, subresource, namespace, name, path: place } = requestInfo(method, path);
    if (!isResourceRequest) return { verb, path: place.slice(0, 200), userAgent };
    const plural = `${resource}${subresource === "" ? "" : `/${subresource}`}${apiGroup === "" ? "" : `.${apiGroup}`}`;
    return { verb, resource: plural, object: [namespace, name].filter((part) => part !== "").join("/"), userAgent };
  } catch (error) {
    if (error instanceof ResourcePathError) return { method, userAgent };
    throw error;
  }
}
