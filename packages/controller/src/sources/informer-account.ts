/**
 * Explains why a source of a kind has not synced, or what has gone wrong since.
 *
 *     InformerState, HandlerState → informerAccount → sink.waitingFor
 */
import { unsyncedReason } from "@drover/cache";
import type { HandlerState, InformerState } from "@drover/cache";
import { findApiError, printGroupResource } from "@drover/machinery";
import type { Kind } from "@drover/machinery";

/** Returns the reason with a possible fix; undefined if there is no problem. */
export function informerAccount(kind: Kind, informers: readonly InformerState[], handler: HandlerState): string | undefined {
  const troubled = informers.filter(({ hasSynced, reflector }) => !hasSynced || reflector.hasFailed || reflector.phase === "stopped");
  if (troubled.length > 0) return troubled.map((state) => `${state.name}: ${troubleOf(kind, state)}`).join("; ");
  return handler.hasSynced ? undefined : handlerAccount(handler);
}

function troubleOf(kind: Kind, state: InformerState): string {
  if (state.reflector.phase === "empty") return "not running; the informers of a cluster start with cluster.run";
  const { why, error } = unsyncedReason(state);
  return `${why}${hintFor(kind, findApiError(error)?.code)}`;
}

function hintFor(kind: Kind, code: number | undefined): string {
  const resource = printGroupResource({ group: kind.group, resource: kind.plural });
  if (code === 404)
    return ` (this cluster does not serve ${resource} in version ${kind.version}; is its CustomResourceDefinition installed?)`;
  return code === 403 ? ` (its account needs the verbs list and watch on ${resource})` : "";
}

function handlerAccount({ pendingKeys, running, errors }: HandlerState): string {
  const waiting = pendingKeys + Number(running !== undefined);
  if (waiting === 0) return "its informer has not synced yet";
  const failures = errors === 0 ? "" : `; its predicates or its handler failed ${errors} times; see the log`;
  return `${waiting} objects of the first list are not handled yet${failures}`;
}
