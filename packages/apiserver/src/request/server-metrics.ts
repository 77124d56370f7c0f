/** What the server says about itself at `/metrics`, under the names of kube-apiserver. */
import { createMetrics, prometheusText, requestInfo } from "@drover/machinery";
import type { Clock, Counter, Histogram, HttpRequest, HttpResponse, MetricsRegistry, RequestInfo } from "@drover/machinery";

const labels = ["verb", "group", "version", "resource", "subresource"] as const;

export class ServerMetrics {
  readonly #clock: Clock;
  readonly #registry: MetricsRegistry = createMetrics();
  readonly #requests: Counter;
  readonly #durations: Histogram;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#requests = this.#registry.counter({ name: "apiserver_request_total", help: "Requests, by what they were about and how they were answered.", labels: [...labels, "code"] });
    this.#durations = this.#registry.histogram({
      name: "apiserver_request_duration_seconds", help: "How long requests took that are no streams.", labels: [...labels],
      buckets: [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60],
    });
  }

  begin(): number {
    return this.#clock.monotonic();
  }

  end(began: number, request: HttpRequest, { status }: HttpResponse): void {
    const { verb, apiGroup, apiVersion, resource, subresource } = readable(request);
    // Paths and methods are the client's to choose; what is no resource is counted together.
    const about = { verb: (verb || "other").toUpperCase().slice(0, 16), group: resource === "" ? "" : apiGroup, version: resource === "" ? "" : apiVersion, resource, subresource };
    this.#requests.add(1, { ...about, code: String(status) });
    if (verb !== "watch") this.#durations.observe((this.#clock.monotonic() - began) / 1000, about);
  }

  text(): string {
    return prometheusText(this.#registry);
  }
}

const nothing: Pick<RequestInfo, "verb" | "apiGroup" | "apiVersion" | "resource" | "subresource"> = { verb: "other", apiGroup: "", apiVersion: "", resource: "", subresource: "" };

function readable({ method, path }: HttpRequest): typeof nothing {
  try {
    const info = requestInfo(method, path);
    return info.isResourceRequest ? info : nothing;
  } catch {
    return nothing;
  }
}
