/**
 * Lets sockets and timers have their turn between requests from the same process. These need no socket, so programs that send one after
 * the other would never leave the microtask queue, and nothing else would run meanwhile.
 *
 *     controller → inProcessTurns(clock)(handle) → Turns → handle
 */
import type { Clock, Transport } from "@drover/machinery";
import { isLarge } from "./pause.ts";
import { Turns } from "./turns.ts";

/**
 * Returns a wrapper for transports, which share the turns. Requests begin at once for as long as a turn may take, and in their order
 * afterwards, each in a later turn of the event loop. On a clock without an event loop, such as a manual one, nothing waits.
 */
export function inProcessTurns(clock: Clock): (transport: Transport) => Transport {
  if (clock.turn === undefined) return (transport) => transport;
  const turns = new Turns({ clock, nextTurn: (callback) => void clock.timer(0, callback) });
  return (transport) => (request) => {
    const turn = turns.enter(isLarge(request.body), transport);
    return turn === undefined ? transport(request) : turn.then(() => transport(request));
  };
}
