/**
 * One sync of a terminating namespace: deletes its content, writes its conditions, and finalizes it when nothing is left.
 *
 *     GET → status Terminating → deleteContent → status conditions → finalize
 */
import { Namespace } from "@drover/api/core/v1";
import { retryOnConflict } from "@drover/client";
import type { Client, DiscoveryInterface } from "@drover/client";
import { errorText, formatTime, isConflict, isNotFound } from "@drover/machinery";
import type { Clock, DeepReadonly, Log, Random } from "@drover/machinery";
import { timeMs } from "../shared/object-time.ts";
import { deleteContent } from "./delete-content.ts";
import { namespaceVerdicts, withVerdicts } from "./namespace-conditions.ts";
import type { ContentOutcome } from "./remaining-content.ts";

export interface DeleteNamespaceOptions {
  readonly client: Client;
  readonly discovery: Pick<DiscoveryInterface, "serverPreferredNamespacedResources">;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Finalizer in the namespace's spec that this controller removes. */
const namespaceFinalizer = "kubernetes";

/**
 * Returns how many seconds the deletion of the content may take; 0 when nothing is left to do. Rejects with an `AggregateError` of
 * the failures; finalizes the namespace only when its content is known to be gone.
 */
export async function deleteNamespace(name: string, options: DeleteNamespaceOptions): Promise<number> {
  const { client, discovery, clock, random, signal } = options;
  const resource = client.resource(Namespace);
  const retried = <T>(work: () => Promise<T>): Promise<T> => retryOnConflict({ clock, random, signal }, work);
  try {
    const terminating = await retried(async () => {
      const namespace = await resource.get(name);
      if (namespace.metadata.deletionTimestamp === undefined || namespace.status?.phase === "Terminating") return namespace;
      return resource.status.update({ ...namespace, status: { ...namespace.status, phase: "Terminating" } });
    });
    const {
      metadata: { deletionTimestamp, uid },
      spec,
    } = terminating;
    if (deletionTimestamp === undefined || (spec?.finalizers ?? []).length === 0) return 0;
    const elapsedSeconds = (clock.now() - (timeMs(deletionTimestamp) ?? 0)) / 1000;
    const outcome = await deleteContent(name, { client, discovery, signal, elapsedSeconds });
    await writeConditions(terminating, outcome, options);
    const errors = [...(outcome.discoveryError === undefined ? [] : [outcome.discoveryError]), ...outcome.contentErrors];
    if (errors.length > 0)
      throw new AggregateError(errors, `cannot delete the content of namespace ${name}: ${errors.map(errorText).join("; ")}`);
    if (outcome.estimateSeconds > 0) return outcome.estimateSeconds;
    await retried(async () => {
      const latest = await resource.get(name);
      if (latest.metadata.uid === uid)
        await resource.finalize.update({
          ...latest,
          spec: {
            ...latest.spec,
            finalizers: (latest.spec?.finalizers ?? []).filter((finalizer) => finalizer !== namespaceFinalizer).toSorted(),
          },
        });
    });
    return 0;
  } catch (error) {
    if (isNotFound(error)) return 0;
    throw error;
  }
}

/** Informational: a failed write does not stop the deletion. */
async function writeConditions(
  namespace: DeepReadonly<Namespace>,
  outcome: ContentOutcome,
  { client, clock, log, signal }: DeleteNamespaceOptions,
): Promise<void> {
  const conditions = namespace.status?.conditions ?? [];
  const next = withVerdicts(conditions, namespaceVerdicts(outcome), formatTime(clock.now()));
  if (next === conditions) return;
  try {
    await client.resource(Namespace).status.update({ ...namespace, status: { ...namespace.status, conditions: next } });
  } catch (error) {
    signal.throwIfAborted();
    if (!isConflict(error)) log.warn("cannot write namespace conditions", { namespace: namespace.metadata.name ?? "", error });
  }
}
