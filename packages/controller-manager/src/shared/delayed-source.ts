/** A source whose keys are given time: what happens until it is over is one run, and not many. */
import type { Source } from "@drover/controller";
import { definedOnly } from "@drover/machinery";

/**
 * Asks for what the source asks for, but so many milliseconds later; of a key that waits already the earliest counts.
 * Zero is the source itself.
 */
export function delayedSource(source: Source, delayMs: number): Source {
  if (delayMs === 0) return source;
  return {
    name: source.name,
    ...definedOnly({ needs: source.needs }),
    run: (sink, signal) =>
      source.run(
        {
          request: (key, request) => sink.request(key, { ...request, afterMs: Math.max(request.afterMs ?? 0, delayMs) }),
          synced: () => sink.synced(),
          waitingFor: (why) => sink.waitingFor(why),
        },
        signal,
      ),
  };
}
