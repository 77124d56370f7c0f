/**
 * The transport between one life of a process and the server: requests fail at given rates, watches are cut, and at
 * some request the process dies.
 */
import { statusResponse } from "@drover/client/testing";
import { newConflict, newInternalError, newTimeoutError, newTooManyRequests, sleep } from "@drover/machinery";
import type { Clock, HttpRequest, HttpResponse, Random, Transport } from "@drover/machinery";
import type { FaultRates } from "./plan.ts";
import type { RequestLog } from "./request-log.ts";

export interface FlawedTransportOptions {
  readonly next: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly rates: FaultRates;
  readonly log: RequestLog;
  /** The name of this life in the log. */
  readonly name: string;
  /** Called once, when the process has died. */
  readonly onDeath: () => void;
}

type Flaw = Exclude<keyof FaultRates, "shortWatch">;
const flaws: readonly Flaw[] = ["conflict", "error", "busy", "lost", "timeout"];

/** Guarantees: after a death nothing gets through, neither requests nor events of watches. */
export class FlawedTransport {
  readonly #options: FlawedTransportOptions;
  readonly #watches = new Set<AbortController>();
  #death: { left: number; readonly when: "before" | "after" } | undefined;
  #isDead = false;
  #isSound = false;
  #unsureCreates = 0;
  #stall: Promise<void> = Promise.resolve();

  constructor(options: FlawedTransportOptions) {
    this.#options = options;
  }

  readonly handle: Transport = async (request) => {
    this.#requireLife();
    if (this.#death !== undefined && --this.#death.left <= 0) return await this.#die(request, this.#death.when);
    if (isWatch(request)) return await this.#watch(request);
    const record = this.#options.log.begin(request, this.#options.name);
    const flaw = this.#flawFor(request);
    const response = flaw === undefined ? await this.#options.next(request) : await this.#spoil(flaw, request);
    if (record !== undefined)
      record.outcome = response instanceof Error ? response.message : `${response.status}${flaw === undefined ? "" : ` (${flaw})`}`;
    this.#requireLife();
    if (response instanceof Error) throw response;
    return response;
  };

  /** Pods that were created although the answer was lost. */
  get unsureCreates(): number {
    return this.#unsureCreates;
  }

  /** Dies at the n-th request from now on, unless it dies earlier. */
  dieAt(requests: number, when: "before" | "after"): void {
    this.#death ??= { left: requests, when };
  }

  /** Stops all faults. */
  repair(): void {
    this.#isSound = true;
    this.#death = undefined;
  }

  cutWatches(): void {
    for (const watch of this.#watches) watch.abort(new Error("the watch was cut"));
  }

  stallWatches(ms: number): void {
    this.#stall = sleep(this.#options.clock, ms);
  }

  async #die(request: HttpRequest, when: "before" | "after"): Promise<never> {
    this.#isDead = true;
    const { log, name, next, onDeath } = this.#options;
    const record = log.begin(request, name);
    log.tell(`${name} dies ${when} ${request.method} ${request.path}`);
    if (when === "after") {
      this.#countUnsure(request);
      // The server continues with what it has received.
      const { signal: _signal, ...kept } = request;
      if (!isWatch(request)) await next(kept);
    }
    if (record !== undefined) record.outcome = `died ${when} it`;
    this.cutWatches();
    onDeath();
    throw new Error("the process is gone");
  }

  #requireLife(): void {
    if (this.#isDead) throw new Error("the process is gone");
  }

  async #watch(request: HttpRequest): Promise<HttpResponse> {
    const cut = new AbortController();
    const forward = (): void => cut.abort(request.signal?.reason);
    if (request.signal?.aborted === true) forward();
    request.signal?.addEventListener("abort", forward, { once: true });
    this.#watches.add(cut);
    const response = await this.#options.next({ ...request, signal: cut.signal });
    if (this.#isDead) cut.abort(new Error("the process is gone"));
    const isShort = !this.#isSound && this.#options.random.int(1000) < this.#options.rates.shortWatch;
    const done = (): void => {
      this.#watches.delete(cut);
      request.signal?.removeEventListener("abort", forward);
    };
    if (typeof response.body === "string" || response.body instanceof Uint8Array) {
      done();
      return response;
    }
    return {
      ...response,
      body: followed(response.body, {
        chunksMax: isShort ? this.#options.random.int(5) : Infinity,
        done,
        isOver: () => this.#isDead,
        stall: () => this.#stall,
      }),
    };
  }

  #flawFor({ method }: HttpRequest): Flaw | undefined {
    if (this.#isSound) return undefined;
    const { random, rates } = this.#options;
    let draw = random.int(1000);
    const flaw = flaws.find((each) => {
      draw -= rates[each];
      return draw < 0;
    });
    // A conflict means another write: for a create, a delete by uid or a patch without a version it would be false.
    return flaw === "conflict" && method !== "PUT" ? undefined : flaw;
  }

  async #spoil(flaw: Flaw, request: HttpRequest): Promise<HttpResponse | Error> {
    if (flaw === "conflict")
      return statusResponse(
        newConflict(
          { group: "", resource: "things" },
          "x",
          "the object has been modified; please apply your changes to the latest version and try again",
        ),
      );
    if (flaw === "error") return statusResponse(newInternalError("etcd is away"));
    if (flaw === "busy") return statusResponse(newTooManyRequests("please try again later", 1), { headers: { "retry-after": "1" } });
    this.#countUnsure(request);
    await this.#options.next(request);
    return flaw === "lost"
      ? new Error("the connection was reset")
      : statusResponse(newTimeoutError("request did not complete within requested timeout", 0));
  }

  #countUnsure({ method, path }: HttpRequest): void {
    if (method === "POST" && /\/pods(?:\?|$)/.test(path)) this.#unsureCreates++;
  }
}

const isWatch = ({ method, path }: HttpRequest): boolean => method === "GET" && /[?&]watch=(?:1|true)/.test(path);

interface Following {
  /** The stream breaks after this many events. */
  readonly chunksMax: number;
  readonly done: () => void;
  readonly isOver: () => boolean;
  /** Delivers nothing until then. */
  readonly stall: () => Promise<void>;
}

async function* followed(
  body: AsyncIterable<string | Uint8Array>,
  { chunksMax, done, isOver, stall }: Following,
): AsyncGenerator<string | Uint8Array> {
  let chunks = 0;
  try {
    for await (const chunk of body) {
      await stall();
      if (isOver()) throw new Error("the process is gone");
      if (chunks++ >= chunksMax) throw new Error("the connection was reset");
      yield chunk;
    }
  } finally {
    done();
  }
}
