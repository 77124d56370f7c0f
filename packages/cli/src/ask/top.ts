/**
 * `drover top`: the state of an operator, redrawn every second; without a terminal, once.
 *
 *     status, queue → runRates → topLines → Terminal
 */
import type { DebugQueue, DebugStatus } from "@drover/controller";
import { errorText, sleep } from "@drover/machinery";
import type { Clock } from "@drover/machinery";
import { CommandError, isCommandError } from "../command-error.ts";
import { jsonLine } from "../terminal-text.ts";
import { askEndpoint } from "./ask-endpoint.ts";
import type { Endpoint } from "./endpoint.ts";
import { runRates } from "./run-rates.ts";
import type { Terminal } from "./terminal.ts";
import { frame, topLines } from "./top-screen.ts";
import type { TopView } from "./top-screen.ts";

/** Output and surroundings of `drover top`. */
export interface TopPlace {
  readonly write: (text: string) => void;
  readonly clock: Clock;
  /** Undefined if the output is no terminal. */
  readonly terminal: Terminal | undefined;
  readonly signal: AbortSignal;
}

const everyMs = 1000;
/** Keys to ask for: more than fit on a screen. */
const keysMax = 200;

/** Resolves with the exit code 0 when the user ends it. Rejects with a `CommandError` if the first question is not answered. */
export async function top(endpoint: Endpoint, { json }: { readonly json: boolean }, place: TopPlace): Promise<number> {
  const { write, clock, terminal, signal } = place;
  const first = await asked(endpoint, signal);
  if (terminal !== undefined && !json) {
    await screen(endpoint, first, { ...place, terminal });
    return 0;
  }
  // Rates need two answers.
  await sleep(clock, everyMs, { signal }).catch((error: unknown) => {
    throw new CommandError("interrupted before the second answer", { cause: error });
  });
  const view = after(first, await asked(endpoint, signal));
  write(json ? `${jsonLine(view)}\n` : topLines(view).slice(1).join("\n").concat("\n"));
  return 0;
}

async function asked(endpoint: Endpoint, signal: AbortSignal): Promise<TopView> {
  const [status, queue] = await Promise.all([
    askEndpoint(endpoint, "/debug/drover/status", signal) as Promise<DebugStatus>,
    askEndpoint(endpoint, `/debug/drover/queue?limit=${keysMax}`, signal) as Promise<DebugQueue>,
  ]);
  return { status, queue, rates: [] };
}

const after = (earlier: TopView, later: TopView): TopView => ({ ...later, rates: runRates(earlier.status, later.status) });

/** Runs until the user presses q or Ctrl-C, or the signal aborts. An operator that does not answer is asked again. */
async function screen(
  endpoint: Endpoint,
  first: TopView,
  { clock, terminal, signal }: TopPlace & { readonly terminal: Terminal },
): Promise<void> {
  const quit = new AbortController();
  const ending = AbortSignal.any([signal, quit.signal]);
  let view = first;
  const draw = (): void => terminal.write(frame(topLines(view), terminal.size()));
  const giveBack = terminal.take({
    key: (text) => {
      if (text === "q" || text === "Q" || text.includes("\u0003")) quit.abort();
    },
    resize: draw,
  });
  try {
    for (;;) {
      draw();
      await sleep(clock, everyMs, { signal: ending });
      view = await next(endpoint, view, ending);
    }
  } catch (error) {
    if (!ending.aborted) throw error;
  } finally {
    giveBack();
  }
}

async function next(endpoint: Endpoint, view: TopView, signal: AbortSignal): Promise<TopView> {
  try {
    return after(view, await asked(endpoint, signal));
  } catch (error) {
    signal.throwIfAborted();
    if (!isCommandError(error)) throw error;
    return { ...view, problem: errorText(error).split("\n", 1)[0] ?? "" };
  }
}
