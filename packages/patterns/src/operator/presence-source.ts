/**
 * Reconciles the objects of a controller again when an optional kind was installed or removed.
 *
 *     OptionalCache.onChange → presenceSource → every object of the controller, in slices
 */
import { lowPriority } from "@drover/controller";
import type { Source, SourceSink } from "@drover/controller";
import type { Clock, Kind, ObjectKey } from "@drover/machinery";
import type { OptionalCache } from "./optional-cache.ts";

/** What a `presenceSource` requests. */
export interface PresenceSourceOptions {
  readonly clock: Clock;
  /** Kind of the objects to reconcile. */
  readonly owner: Kind;
  /** Returns the keys of all of them. */
  readonly keys: () => readonly ObjectKey[];
}

/** Keys requested in one turn of the event loop: one or two milliseconds. */
const sliceLength = 1000;

/**
 * Returns a source that has synced when it is known whether the kind is served, and requests all objects when that has changed since.
 * Several changes during one pass lead to one more pass.
 */
export function presenceSource(cache: OptionalCache, { clock, owner, keys }: PresenceSourceOptions): Source {
  const { kind } = cache.kind;
  const source = `${kind} for ${owner.kind}, served or not`;
  return {
    name: source,
    run: async (sink, signal) => {
      if (signal.aborted) return;
      sink.waitingFor(() => cache.trouble);
      let seen = stateOf(cache);
      if (seen !== "unknown") sink.synced();
      let wake = (): void => undefined;
      const notify = (): void => wake();
      const unlisten = cache.onChange(notify);
      signal.addEventListener("abort", notify, { once: true });
      while (!signal.aborted) {
        const [before, now] = [seen, stateOf(cache)];
        seen = now;
        if (before === now) await new Promise<void>((resolve) => (wake = resolve));
        else if (before === "unknown") sink.synced();
        else await requestAll(`${kind} is ${now === "served" ? "now" : "no longer"} served`, sink, signal);
      }
      unlisten();
    },
  };

  async function requestAll(note: string, sink: SourceSink, signal: AbortSignal): Promise<void> {
    for (const [index, key] of keys().entries()) {
      if (index > 0 && index % sliceLength === 0) await new Promise<void>((resolve) => void clock.timer(0, resolve));
      if (signal.aborted) return;
      sink.request(key, { priority: lowPriority, cause: { type: "external", source, note } });
    }
  }
}

function stateOf({ isKnown, isServed }: OptionalCache): "unknown" | "served" | "absent" {
  if (!isKnown) return "unknown";
  return isServed ? "served" : "absent";
}
