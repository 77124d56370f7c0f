/** A source of which many changes are one look. */
import type { Source, SourceSink } from "@drover/controller";

/**
 * The source, of which keys wait for so long, and what comes in that time with them. An object that comes, goes or is
 * given another spec is looked
 * at at once: somebody asked for something. The same source when there is nothing to wait for.
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
  return change.type !== "updated" || change.before.metadata.generation !== change.object.metadata.generation;
}
