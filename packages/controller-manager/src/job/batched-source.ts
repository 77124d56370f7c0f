/** A source that batches changes. */
import type { Source, SourceSink } from "@drover/controller";

/**
 * Returns the source with its keys delayed by `waitMs`, so that changes in between join one sync. An added or deleted object, or a
 * new generation, is not delayed. Returns the same source when `waitMs` is 0.
 */
export function batched(source: Source, waitMs: number): Source {
  if (waitMs === 0) return source;
  const delaying = (sink: SourceSink): SourceSink => ({
    request: (key, request) => sink.request(key, isAskedFor(request.cause) ? request : { afterMs: waitMs, ...request }),
    synced: () => sink.synced(),
    waitingFor: (why) => sink.waitingFor(why),
  });
  const { name, needs = [] } = source;
  return { name, needs, run: (sink, signal) => source.run(delaying(sink), signal) };
}

function isAskedFor(cause: Parameters<SourceSink["request"]>[1]["cause"]): boolean {
  if (cause.type !== "change" || cause.via !== "self") return false;
  const { change } = cause;
  if (change.type !== "updated" || change.isNewEpoch === true) return true;
  return change.before.metadata.generation !== change.object.metadata.generation;
}
