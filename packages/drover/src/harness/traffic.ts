/**
 * Everything one life of the operator says to the server: counted, and disturbed where a test wants it.
 *
 *     operator → transport → unknown outcomes → retries → life, faults, audit → server
 */
import { retryRequests, TransportError, wrap, writeOutcome } from "@drover/client";
import { requestInfo } from "@drover/machinery";
import type { HttpBody, HttpRequest, HttpResponse, RequestInfo, Runtime, Transport } from "@drover/machinery";
import { sendFaulty } from "./harness-fault.ts";
import type { FaultPlan } from "./harness-fault.ts";
import type { WriteAudit } from "./write-audit.ts";

export interface TrafficOptions {
  readonly runtime: Pick<Runtime, "clock" | "random" | "log">;
  readonly server: Transport;
  readonly faults: FaultPlan;
  /** Awaited before each request is sent: an operator that writes for ever must not keep the test from noticing. */
  readonly turn: () => Promise<void>;
}

/** How many requests there are at one moment. */
export interface OpenRequests {
  /** The calls the operator waits for, as "PATCH /api/v1/…". */
  readonly asked: readonly string[];
  /** How many of them the server is working on; the others wait until they are sent again. */
  readonly atServer: number;
}

/** Guarantees: after `end` not a request passes, and none that is under way is answered. */
export class Traffic {
  readonly transport: Transport;
  /** While it is set, writes go through it. */
  audit: WriteAudit | undefined;
  readonly #options: TrafficOptions;
  readonly #asked = new Set<HttpRequest>();
  readonly #watches = new Set<AbortController>();
  #atServer = 0;
  #moves = 0;
  #heard = 0;
  #crash: { left: number; readonly onCrash: () => void } | undefined;
  #isOver = false;

  constructor(options: TrafficOptions) {
    const {
      runtime: { clock, random, log },
    } = options;
    this.#options = options;
    const sent = wrap((request) => this.#send(request), writeOutcome(), retryRequests({ clock, random: random.stream("retry"), log }));
    this.transport = async (request) => {
      this.#asked.add(request);
      try {
        return await sent(request);
      } finally {
        this.#asked.delete(request);
      }
    };
  }

  /** Grows with every request and answer, but for those of caches: these come with time, whether or not anything happens. */
  get moves(): number {
    return this.#moves;
  }

  /** Grows with every piece of a watch, and with lists. */
  get heard(): number {
    return this.#heard;
  }

  get open(): OpenRequests {
    return { asked: Array.from(this.#asked, ({ method, path }) => `${method} ${path}`), atServer: this.#atServer };
  }

  /** Every watch breaks off, as when a proxy restarts. */
  cutWatches(): void {
    for (const watch of this.#watches) watch.abort();
  }

  /** When so many more requests were done, the last of them is not answered, and nothing is ever after. */
  crashAfter(requests: number, onCrash: () => void): void {
    if (!Number.isSafeInteger(requests) || requests < 1)
      throw new RangeError(`crashAfter: a whole number of requests above 0 is needed, not ${requests}`);
    this.#crash = { left: requests, onCrash };
  }

  end(): void {
    this.#isOver = true;
    this.cutWatches();
  }

  async #send(request: HttpRequest): Promise<HttpResponse> {
    const info = requestInfo(request.method, request.path);
    this.#count(info);
    this.#atServer++;
    try {
      await this.#options.turn();
      this.#requireLife(request);
      if (info.verb === "watch") return await this.#watch(request, info);
      const response = await this.#answer(request, info);
      this.#countToCrash();
      this.#requireLife(request);
      return response;
    } finally {
      this.#atServer--;
      this.#count(info);
    }
  }

  #count({ verb }: RequestInfo): void {
    if (verb === "list" || verb === "watch") this.#heard++;
    else this.#moves++;
  }

  async #answer(request: HttpRequest, info: RequestInfo): Promise<HttpResponse> {
    const {
      faults,
      server,
      runtime: { clock },
    } = this.#options;
    const fault = faults.take(info);
    if (fault === undefined) return this.audit === undefined ? await server(request) : await this.audit.send(request, info, server);
    // A fault may wait for the clock, which the server does not.
    this.#atServer--;
    try {
      return await sendFaulty(fault, info, request, { clock, next: server });
    } finally {
      this.#atServer++;
    }
  }

  async #watch(request: HttpRequest, info: RequestInfo): Promise<HttpResponse> {
    const cut = new AbortController();
    const signal = request.signal === undefined ? cut.signal : AbortSignal.any([request.signal, cut.signal]);
    const response = await this.#answer({ ...request, signal }, info);
    if (typeof response.body === "string" || response.body instanceof Uint8Array) return response;
    this.#watches.add(cut);
    return { ...response, body: this.#pieces(response.body, cut, request) };
  }

  async *#pieces(
    body: Exclude<HttpBody, string | Uint8Array>,
    cut: AbortController,
    request: HttpRequest,
  ): AsyncGenerator<string | Uint8Array, void, undefined> {
    try {
      for await (const piece of body) {
        if (cut.signal.aborted) break;
        this.#heard++;
        yield piece;
      }
    } catch (error) {
      if (!cut.signal.aborted) throw error;
    } finally {
      this.#watches.delete(cut);
    }
    if (cut.signal.aborted)
      throw new TransportError(`${request.method} ${request.path}: the harness cut the watch`, {
        reason: "reset",
        sent: "maybe",
        code: "ECONNRESET",
      });
  }

  #countToCrash(): void {
    const crash = this.#crash;
    if (crash === undefined || --crash.left > 0) return;
    this.#crash = undefined;
    this.end();
    crash.onCrash();
  }

  #requireLife({ method, path }: HttpRequest): void {
    if (this.#isOver) throw new TransportError(`${method} ${path}: this life of the operator is over`, { reason: "closed", sent: "no" });
  }
}
