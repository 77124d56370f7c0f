/** A source with a delay, so that changes in between join one run. */
import type { Source } from "@drover/controller";
import { definedOnly } from "@drover/machinery";

/**
 * Returns the source with keys delayed by so many milliseconds; a key that already waits keeps its earliest time. Returns the
 * source itself for 0.
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
