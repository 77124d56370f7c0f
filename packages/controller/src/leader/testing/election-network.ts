/**
 * The network between one process and the server: slow or lost requests and responses, and slow connections. A request that was sent
 * arrives, whatever happens to its sender.
 */
import { TransportError, isSafeRequest } from "@drover/client";
import type { Clock, HttpRequest, HttpResponse, Random, Transport } from "@drover/machinery";
import type { MachineClock } from "./machine-clock.ts";

/** Faults of the network; may change at run time. */
export interface Weather {
  /** Which requests never arrive. */
  cut: "none" | "all" | "reads" | "writes";
  /** Fraction of responses that are lost. */
  answersLost: number;
  /** Maximum latency of a request, and of its response. */
  delayMaxMs: number;
}

export interface ElectionNetworkOptions {
  readonly truth: Clock;
  readonly machine: MachineClock;
  readonly random: Random;
  readonly weather: Weather;
  readonly handle: (request: HttpRequest) => HttpResponse;
  /** Called when the first byte of a request is sent. */
  readonly onSent: (request: HttpRequest) => void;
}

/** Returns a transport over this network. */
export function electionNetwork({ truth, machine, random, weather, handle, onSent }: ElectionNetworkOptions): Transport {
  return (request) =>
    new Promise((resolve, reject) => {
      const { signal } = request;
      const abort = (): void => reject(signal?.reason);
      if (signal?.aborted === true) return abort();
      signal?.addEventListener("abort", abort, { once: true });
      const delay = (): number => random.int(weather.delayMaxMs + 1);
      const fail = (): void => reject(new TransportError("the connection was reset", { reason: "reset", sent: "maybe" }));
      // Half of the losses are noticed, the other half is silence.
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
