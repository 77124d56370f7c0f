/** Context for tests that call a handler without a controller. */
import type { Client } from "@drover/client";
import { testRuntime } from "@drover/machinery/testing";
import type { TestRuntime } from "@drover/machinery/testing";
import type { HandlerContext } from "../shared-handler.ts";

/** Returns a context of the run "run-1", with causes, signal and log as given. */
export function handlerContext(given: Partial<HandlerContext> & { readonly runtime?: TestRuntime } = {}): HandlerContext {
  const { runtime = testRuntime(), ...rest } = given;
  const signal = new AbortController().signal;
  return {
    run: "run-1",
    causes: [],
    causeCount: 0,
    attempts: 0,
    priority: 0,
    signal,
    draining: signal,
    client: {} as Client,
    log: runtime.log,
    ...rest,
  };
}
