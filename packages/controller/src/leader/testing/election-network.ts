/**
 * The way of one process to the server, with everything networks do: requests and answers that are slow or never come, and connections
 * that take a while. A request that left arrives, whatever becomes of who sent it.
 */
import { TransportError, isSafeRequest } from "@drover/client";
import type { Clock, HttpRequest, HttpResponse, Random, Transport } from "@drover/machinery";
import type { MachineClock } from "./machine-clock.ts";

/** How bad it is; changed while it runs. */
export interface Weather {
  /** Which requests never arrive. */
  cut: "none" | "all" | "reads" | "writes";
  /** How many, of 1, of the answers are lost. */
  answersLost: number;
  /** The longest a request takes, and again its answer. */
  delayMaxMs: number;
}

export interface ElectionNetworkOptions {
  readonly truth: Clock;
  readonly machine: MachineClock;
  readonly random: Random;
  readonly weather: Weather;
  readonly handle: (request: HttpRequest) => HttpResponse;
  /** Called when the first byte of a request leaves. */
  readonly onSent: (request: HttpRequest) => void;
}

/** A transport over this network. */
export function electionNetwork({ truth, machine, random, weather, handle, onSent }: ElectionNetworkOptions): Transport {
  return (request) =>
    new Promise((resolve, reject) => {
      const { signal } = request;
      const abort = (): void => reject(signal?.reason);
      if (signal?.aborted === true) return abort();
      signal?.addEventListener("abort", abort, { once: true });
      const delay = (): number => random.int(weather.delayMaxMs + 1);
      const fail = (): void => reject(new TransportError("the connection was reset", { reason: "reset", sent: "maybe" }));
      // Half of what is lost is noticed, the other half is silence.
      const lose = (): void => {
        if (random.int(2) === 0) truth.timer(delay(), () => machine.deliver(fail));
      };
      const arrive = (): void => {
        const response = handle(request);
        if (random.next() < weather.answersLost) return lose();
        truth.timer(delay(), () => machine.deliver(() => resolve(response)));
      };
      const send = (): void => {
        if (signal?.aborted === true) return;
        try {
          request.onSent?.("maybe");
        } catch (error) {
          return reject(error);
        }
        onSent(request);
        if (isCut(weather, request)) lose();
        else truth.timer(delay(), arrive);
      };
      request.onSent?.("no");
      if (random.int(4) === 0) truth.timer(delay(), () => machine.deliver(send));
      else send();
    });
}

function isCut({ cut }: Weather, request: HttpRequest): boolean {
  return cut === "all" || cut === (isSafeRequest(request) ? "reads" : "writes");
}
