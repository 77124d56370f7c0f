/**
 * The network between one life of a process and the server. Each message takes time, and each request may meet a fault.
 *
 *     request → way there → server → way back → response        watch → events in order, each with its own delay
 *
 * A request that was sent reaches the server even if the process dies meanwhile, as a real one does.
 */
import { TransportError } from "@drover/client";
import { statusResponse } from "@drover/client/testing";
import {
  errorText,
  isError,
  newConflict,
  newInternalError,
  newServerTimeout,
  newServiceUnavailable,
  newTooManyRequests,
  requestInfo,
} from "@drover/machinery";
import type { HttpRequest, HttpResponse, RequestInfo, Transport } from "@drover/machinery";
import { faultsOf, faultWeights } from "../plan/fault.ts";
import type { Fault, Profile, RequestClass } from "../plan/fault.ts";
import type { Decisions } from "../plan/decisions.ts";
import type { Life } from "./life.ts";
import { Pipe } from "./pipe.ts";
import type { Timeline } from "./timeline.ts";
import type { Trace } from "./trace.ts";

/** Options of `networkOf`. */
export interface NetworkOptions {
  readonly life: Life;
  readonly timeline: Timeline;
  readonly server: Transport;
  readonly decide: Decisions["choose"];
  /** Rates of faults at present. */
  readonly profile: () => Profile;
  readonly trace: Trace;
  /** Ends the life, which starts again later. */
  readonly crash: (life: Life) => void;
  /** Called for a request that nothing in the simulation caused. */
  readonly onStray: (request: string) => void;
}

const hopMs = 1;
/** Delays of a message beyond a hop, in milliseconds; choice 0 is none. */
const delays: readonly number[] = [0, 3, 20, 150, 2500];
const delayShares: readonly number[] = [0.4, 0.3, 0.2, 0.1];
const eventDelays: readonly number[] = [0, 200, 3000, 45_000];
const slowMs = 30_000;
const pauseMs = 40_000;

/** Guarantees: after the death of its life it delivers nothing; events of one watch arrive in order. */
export class Network {
  readonly #options: NetworkOptions;
  readonly #counts = new Map<string, number>();
  readonly #streams = new Set<(why: string) => void>();
  #underWay = 0;

  constructor(options: NetworkOptions) {
    this.#options = options;
  }

  /** Messages that have not arrived, except those of watches that have nothing to deliver. */
  get underWay(): number {
    return this.#underWay;
  }

  /** Breaks all watches, like a server that restarts. */
  cutStreams(why: string): void {
    for (const cut of this.#streams) cut(why);
  }

  readonly transport: Transport = (request) => {
    const { life, timeline, onStray, trace } = this.#options;
    // A dead process waits for ever.
    if (life.isDead) return new Promise(() => undefined);
    const info = requestInfo(request.method, request.path);
    const attempt = `${info.verb} ${info.resource === "" ? info.path : info.resource}${info.name === "" ? "" : `/${info.name}`}${info.subresource === "" ? "" : `/${info.subresource}`}`;
    if (!timeline.isStepping) onStray(`${life.name}: ${attempt}`);
    const id = this.#identify(`${life.name} ${attempt}`);
    const fault = this.#faultOf(id, info);
    const sent = trace.request({ life, request, info, id, fault });
    return new Promise<HttpResponse>((resolve, reject) => {
      this.#underWay++;
      let isSettled = false;
      const settle = (finish: () => void): void => {
        if (isSettled) return;
        isSettled = true;
        this.#underWay--;
        finish();
      };
      const fail = (error: unknown): void => settle(() => reject(error));
      const { signal } = request;
      if (signal?.aborted === true) return fail(signal.reason);
      signal?.addEventListener("abort", () => fail(signal.reason), { once: true });
      this.#send({ request, info, id, fault }, (outcome) => {
        sent(outcome);
        if (outcome instanceof Error) fail(outcome);
        else settle(() => resolve(outcome));
      });
    });
  };

  #send(call: Call, answer: (outcome: HttpResponse | Error) => void): void {
    const { life, timeline, crash, server } = this.#options;
    const { request, info, id, fault } = call;
    const { method, path } = request;
    if (fault === "crash-before") return crash(life);
    if (fault === "refused") {
      this.#back(id, life, () => answer(lost(`${method} ${path}: connection refused`, "no", "refused")));
      return;
    }
    if (fault === "pause") life.pausedUntilMs = timeline.elapsedMs + pauseMs;
    timeline.after(hopMs + this.#delay(`${id} way there`), undefined, () => {
      const refusal = refusals[fault]?.(info);
      if (refusal !== undefined) {
        this.#back(id, life, () => answer(refusal));
        return;
      }
      const { signal, ...kept } = request;
      if (signal?.aborted === true && !life.isDead) return;
      if (info.verb === "watch") {
        void this.#watch(call, answer);
        return;
      }
      server(kept).then(
        (response) => {
          if (fault === "crash-after") return crash(life);
          if (fault === "lost") return this.#back(id, life, () => answer(lost(`${method} ${path}: connection reset`, "maybe", "reset")));
          const late = fault === "lost-late" ? statusResponse(newServerTimeout(groupResource(info), info.verb, 0)) : response;
          return this.#back(id, life, () => answer(late), fault === "slow" ? slowMs : 0);
        },
        (error: unknown) => answer(isError(error) ? error : new Error(errorText(error))),
      );
    });
  }

  async #watch({ request, info, id, fault }: Call, answer: (outcome: HttpResponse | Error) => void): Promise<void> {
    const { life, timeline, server, decide, profile, trace } = this.#options;
    const stop = new AbortController();
    const response = await server({ ...request, signal: stop.signal });
    const { body } = response;
    if (fault === "lost" || fault === "crash-after") {
      stop.abort();
      return this.#back(id, life, () => answer(lost(`${request.method} ${request.path}: connection reset`, "maybe", "reset")));
    }
    if (typeof body === "string" || body instanceof Uint8Array) return this.#back(id, life, () => answer(response));
    const pipe = new Pipe(() => close());
    const close = (failure?: { readonly error?: unknown }): void => {
      this.#streams.delete(cut);
      stop.abort();
      if (failure !== undefined) pipe.end(failure);
    };
    const cut = (why: string): void => {
      this.#streams.delete(cut);
      stop.abort();
      this.#deliver(life, () => pipe.end({ error: lost(`${request.method} ${request.path}: ${why}`, "maybe", "reset") }));
    };
    this.#streams.add(cut);
    request.signal?.addEventListener("abort", () => close({ error: request.signal?.reason }), { once: true });
    this.#back(id, life, () => answer({ ...response, body: pipe }));
    let lastMs = 0;
    let count = 0;
    try {
      for await (const piece of body) {
        if (life.isDead) break;
        const event = `${id} event ${++count}`;
        const rate = profile().stale;
        const choice = decide(event, [rate * 0.4, rate * 0.3, rate * 0.1, rate * 0.2]);
        if (choice === 4) {
          trace.note(life, `the watch of ${info.resource} breaks`);
          cut("connection reset");
          break;
        }
        const delayMs = eventDelays[choice] ?? 0;
        lastMs = Math.max(lastMs, timeline.elapsedMs + hopMs + delayMs);
        if (delayMs > 0) trace.note(life, `events of ${info.resource} arrive ${delayMs} ms late`);
        this.#underWay++;
        timeline.at(lastMs, undefined, () => {
          this.#underWay--;
          if (life.isDead) return;
          this.#deliver(life, () => {
            trace.event({ life, info, id: event, piece });
            pipe.push(piece);
          });
        });
      }
      if (!stop.signal.aborted) this.#deliver(life, () => close({}));
    } catch (error) {
      if (!stop.signal.aborted) this.#deliver(life, () => close({ error }));
    }
  }

  /** Brings an answer to the process. */
  #back(id: string, life: Life, arrive: () => void, extraMs = 0): void {
    const { timeline } = this.#options;
    timeline.after(hopMs + extraMs + this.#delay(`${id} way back`), life, arrive);
  }

  /** Hands something to the process in a task of its own, which waits while the process is paused. */
  #deliver(life: Life, arrive: () => void): void {
    this.#underWay++;
    const { timeline } = this.#options;
    timeline.after(0, life, () => {
      this.#underWay--;
      arrive();
    });
  }

  #delay(point: string): number {
    const { decide, profile } = this.#options;
    const { delayed } = profile();
    return (
      delays[
        decide(
          point,
          delayShares.map((share) => share * delayed),
        )
      ] ?? 0
    );
  }

  #identify(attempt: string): string {
    const count = (this.#counts.get(attempt) ?? 0) + 1;
    this.#counts.set(attempt, count);
    return `${attempt} #${count}`;
  }

  #faultOf(id: string, info: RequestInfo): Fault {
    const { decide, profile } = this.#options;
    const kind = classOf(info);
    const choice = decide(id, faultWeights(profile(), kind));
    return choice === 0 ? "none" : (faultsOf[kind][choice - 1] ?? "none");
  }
}

interface Call {
  readonly request: HttpRequest;
  readonly info: RequestInfo;
  readonly id: string;
  readonly fault: Fault;
}

const classOf = ({ verb }: RequestInfo): RequestClass =>
  verb === "get" || verb === "list" || verb === "watch" ? "read" : verb === "update" ? "update" : "write";

const groupResource = ({ apiGroup: group, resource }: RequestInfo): { readonly group: string; readonly resource: string } => ({
  group,
  resource,
});

const lost = (message: string, sent: "no" | "maybe", reason: "refused" | "reset"): TransportError =>
  new TransportError(message, { reason, sent, code: reason === "refused" ? "ECONNREFUSED" : "ECONNRESET" });

const why = "injected by the simulation";

/** Answers of a server that does nothing; other faults have none. */
const refusals: Readonly<Partial<Record<Fault, (info: RequestInfo) => HttpResponse>>> = {
  error: () => statusResponse(newInternalError(why)),
  busy: () => statusResponse(newTooManyRequests(why, 1), { headers: { "retry-after": "1" } }),
  unavailable: () => statusResponse(newServiceUnavailable(why)),
  "timed-out": (info) => statusResponse(newServerTimeout(groupResource(info), info.verb, 0)),
  conflict: (info) => statusResponse(newConflict(groupResource(info), info.name, `the object has been modified; ${why}`)),
};
