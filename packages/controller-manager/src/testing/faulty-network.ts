/** A network that fails once: between controllers and the server, at the write with this number, in one of four ways. */
import type { TransportWrapper } from "@drover/client";
import { statusResponse } from "@drover/client/testing";
import { newInternalError } from "@drover/machinery";

/**
 * "before": the process ends when it is about to write; "after": when the server has written; "lost": the answer is
 * lost; "refused": the server fails once.
 */
export type Fault = "before" | "after" | "lost" | "refused";

export interface Network {
  /** How many writes there have been. */
  writes: number;
  /** Whether the first process is gone. */
  hasCrashed: boolean;
  /** What stands between the server and the process with this number, of which only the first crashes. */
  readonly wrapper: (generation: number) => TransportWrapper;
}

/** All the ways. */
export const faults: readonly Fault[] = ["before", "after", "lost", "refused"];

/** Events are beside the point: nobody acts on them. */
const isWrite = (method: string, path: string): boolean => method !== "GET" && !path.includes("/events");

/** Fails at write `at`, counted from 0; never without a fault. */
export function faultyNetwork(fault: Fault | undefined, at: number): Network {
  const state: Network = {
    writes: 0,
    hasCrashed: false,
    wrapper: (generation) => (next) => async (request) => {
      if (generation === 0 && state.hasCrashed) throw new Error("the process is gone");
      if (!isWrite(request.method, request.path) || state.writes++ !== at || fault === undefined) return next(request);
      if (fault === "refused") return statusResponse(newInternalError("etcd is away"));
      if (fault === "before") {
        state.hasCrashed = true;
        throw new Error("the process is gone");
      }
      await next(request);
      state.hasCrashed = fault === "after";
      throw new Error("the connection was reset");
    },
  };
  return state;
}
