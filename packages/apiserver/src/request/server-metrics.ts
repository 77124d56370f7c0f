/** Metrics of the server at `/metrics`, under kube-apiserver's names. */
import { createMetrics, prometheusText } from "@drover/machinery";
import type { Clock, Counter, Histogram, MetricsRegistry, RequestInfo } from "@drover/machinery";
import type { Registry } from "../registry/registry.ts";

const labels = ["verb", "group", "version", "resource", "subresource"] as const;

interface Families {
  readonly metrics: MetricsRegistry;
  readonly requests: Counter;
  readonly durations: Histogram;
}

export class ServerMetrics {
  readonly #clock: Clock;
  readonly #registry: Registry;
  /** Created on the first request. */
  #made: Families | undefined;

  constructor(clock: Clock, registry: Registry) {
    this.#clock = clock;
    this.#registry = registry;
  }

  begin(): number {
    return this.#clock.monotonic();
  }

  end(began: number, info: RequestInfo, status: number): void {
    const { verb, apiGroup: group, apiVersion: version, resource, subresource } = this.#counted(info);
    const about = { verb: (verb || "other").toUpperCase(), group, version, resource, subresource };
    const { requests, durations } = this.#families;
    requests.add(1, { ...about, code: String(status) });
    if (verb !== "watch") durations.observe((this.#clock.monotonic() - began) / 1000, about);
  }

  /** Clients choose paths and methods, so requests for anything that is not served share one label set. */
  #counted(info: RequestInfo): Counted {
    const found = this.#registry.find({ group: info.apiGroup, version: info.apiVersion, resource: info.resource });
    if (found === undefined) return nothing;
    return Object.hasOwn(found.kind.subresources, info.subresource) ? info : { ...info, subresource: "" };
  }

  get #families(): Families {
    return (this.#made ??= makeFamilies());
  }

  text(): string {
    return prometheusText(this.#families.metrics);
  }
}

function makeFamilies(): Families {
  const metrics = createMetrics();
  const requests = metrics.counter({
    name: "apiserver_request_total",
    help: "Number of requests by verb, resource and response code.",
    labels: [...labels, "code"],
  });
  const durations = metrics.histogram({
    name: "apiserver_request_duration_seconds",
    help: "Request latency in seconds; watches are not counted.",
    labels: [...labels],
    buckets: [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60],
  });
  return { metrics, requests, durations };
}

type Counted = Pick<RequestInfo, "verb" | "apiGroup" | "apiVersion" | "resource" | "subresource">;

const nothing: Counted = { verb: "other", apiGroup: "", apiVersion: "", resource: "", subresource: "" };
