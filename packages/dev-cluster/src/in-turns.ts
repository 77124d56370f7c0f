/**
 * Keeps programs in the server's process from holding its event loop. Requests in the same process need no socket, so controllers that
 * answer each other's events would go on for hundreds of milliseconds, and no request from outside would be answered meanwhile.
 *
 *     controllers → inTurns(…)(server.handle) → server
 */
import type { TransportWrapper } from "@drover/client";

/** Options of `inTurns`. */
export interface InTurnsOptions {
  readonly holdMs: number;
  /** @default never */
  readonly giveWay?: () => boolean;
}

/**
 * Requests that are answered side by side within one turn. Many would all begin before the first has cost its time; with four, a
 * Deployment of 500 replicas takes a third more processor time, because watches and queues have less to merge.
 */
const sideBySide = 16;

/** How often `giveWay` is asked again. */
const askAgainMs = 2;

/**
 * Starts requests until they and their consequences have taken `holdMs` of one turn of the event loop; the others wait for the next.
 * None starts while `giveWay` says that others should be answered first. All transports that it wraps share the turns.
 */
export function inTurns({ holdMs, giveWay = () => false }: InTurnsOptions): TransportWrapper {
  const waiting: (() => void)[] = [];
  /** Undefined before the first request of a turn. `open` counts those that have begun in it and have no response. */
  let turn: { readonly startedMs: number; open: number } | undefined;
  const startTurn = (): { readonly startedMs: number; open: number } => {
    setImmediate(() => {
      turn = undefined;
      startWaiting();
    });
    return { startedMs: performance.now(), open: 0 };
  };
  let isGivingWay = false;
  const startWaiting = (): void => {
    if (isGivingWay) return;
    while (waiting.length > 0) {
      if (giveWay()) {
        isGivingWay = true;
        void wayGiven(giveWay).then(() => {
          isGivingWay = false;
          startWaiting();
        });
        return;
      }
      turn ??= startTurn();
      if (turn.open >= sideBySide || performance.now() - turn.startedMs > holdMs) return;
      waiting.shift()?.();
    }
  };
  return (transport) => async (request) => {
    await new Promise<void>((resolve) => {
      waiting.push(() => {
        if (turn !== undefined) turn.open++;
        resolve();
      });
      startWaiting();
    });
    const own = turn;
    try {
      return await transport(request);
    } finally {
      if (own !== undefined) own.open--;
      startWaiting();
    }
  };
}

/** Resolves in a later turn of the event loop, when `giveWay` returns false. */
export async function wayGiven(giveWay: () => boolean): Promise<void> {
  do await new Promise<void>((resolve) => void setTimeout(resolve, askAgainMs));
  while (giveWay());
}
