/**
 * All requests of one life of the operator: counted, and disturbed on request of the test.
 *
 *     operator → transport → unknown outcomes → retries → life, faults, audit → server
 */
import { retryRequests, TransportError, wrap, writeOutcome } from "@drover/client";
import { requestInfo } from "@drover/machinery";
import type { HttpBody, HttpRequest, HttpResponse, RequestInfo, Runtime, Transport } from "@drover/machinery";
import { sendFaulty } from "./harness-fault.ts";
import type { FaultPlan } from "./harness-fault.ts";
import type { WriteAudit } from "./write-audit.ts";

/** Options of `Traffic`. */
export interface TrafficOptions {
  readonly runtime: Pick<Runtime, "clock" | "random" | "log">;
  readonly server: Transport;
  readonly faults: FaultPlan;
  /** Awaited before each request: lets the test notice an operator that writes forever. */
  readonly turn: () => Promise<void>;
  /** Called for every request that changes something: "POST /api/v1/…". @default not reported */
  readonly onWrite?: (request: string) => void;
}

/** Currently open requests. */
export interface OpenRequests {
  /** Calls that the operator waits for, as "PATCH /api/v1/…". */
  readonly asked: readonly string[];
  /** How many of them the server is processing; the others wait for a retry. */
  readonly atServer: number;
}

/** Guarantees: after `end` no request passes, and no open one is answered. */
export class Traffic {
  readonly transport: Transport;
  /** If set, writes go through it. */
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

  /** Counts requests and answers, except those of caches, which also occur without changes. */
  get moves(): number {
    return this.#moves;
  }

  /** Counts watch data and lists. */
  get heard(): number {
    return this.#heard;
  }

  get open(): OpenRequests {
    return { asked: Array.from(this.#asked, ({ method, path }) => `${method} ${path}`), atServer: this.#atServer };
  }

  /** Whether `end` was called. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Closes every watch, like a restarting proxy. */
  cutWatches(): void {
    for (const watch of this.#watches) watch.abort();
  }

  /** After this many more requests, the last one and all later ones are not answered. */
  crashAfter(requests: number, onCrash: () => void): void {
    if (!Number.isSafeInteger(requests) || requests < 1)
      throw new RangeError(`crashAfter: requests must be a positive integer, not ${requests}`);
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
    if (isWrite(request, info)) this.#options.onWrite?.(`${request.method} ${info.path}`);
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
    // A fault may wait for the clock; the server never does.
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

/** Reviews only ask. Other requests than reads change something, unless they are dry runs. */
const isWrite = ({ path }: HttpRequest, { verb, resource }: RequestInfo): boolean =>
  !["get", "list", "watch"].includes(verb) && !resource.endsWith("reviews") && !/[?&]dryRun=/.test(path);
