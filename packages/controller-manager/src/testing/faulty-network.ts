/** A network between controllers and the server that fails once, at the n-th write, in one of four ways. */
import type { TransportWrapper } from "@drover/client";
import { statusResponse } from "@drover/client/testing";
import { newInternalError } from "@drover/machinery";

/**
 * "before": the process ends before it sends the write; "after": after the server has written; "lost": the answer is
 * lost; "refused": the server answers with an error.
 */
export type Fault = "before" | "after" | "lost" | "refused";

export interface Network {
  /** Number of writes so far. */
  writes: number;
  /** Whether the first process has crashed. */
  hasCrashed: boolean;
  /** The wrapper for the n-th process, of which only the first crashes. */
  readonly wrapper: (generation: number) => TransportWrapper;
}

/** All faults. */
export const faults: readonly Fault[] = ["before", "after", "lost", "refused"];

/** Events are ignored: no controller reads them. */
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
