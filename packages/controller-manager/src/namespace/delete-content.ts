/**
 * Deletes everything in a namespace: pods first, and nothing else while pods exist, because they may need other objects to shut
 * down.
 *
 *     discovery → deleteContent → one kind after the other: estimate, delete, list what is left → ContentOutcome
 */
import { Pod } from "@drover/api/core/v1";
import { filterResources, GroupDiscoveryFailedError, kindFromResource, supportsAllVerbs } from "@drover/client";
import type { Client, DiscoveryInterface, MetadataClient } from "@drover/client";
import { definedOnly, isMethodNotAllowed, isNotFound } from "@drover/machinery";
import type { Kind, PartialObjectMetadata, Scope, Verb } from "@drover/machinery";
import { isPodFinished } from "../shared/pod-state.ts";
import { remainingEstimate, remainingKind, UnexpectedItemsError } from "./remaining-content.ts";
import type { ContentOutcome, RemainingKind } from "./remaining-content.ts";

export interface DeleteContentOptions {
  readonly client: Client;
  readonly discovery: Pick<DiscoveryInterface, "serverPreferredNamespacedResources">;
  readonly signal: AbortSignal;
  /** Seconds since the namespace's deletion timestamp. */
  readonly elapsedSeconds: number;
}

/** Deletes the content. Rejects only with the signal's reason: failures are part of the outcome. */
export async function deleteContent(namespace: string, options: DeleteContentOptions): Promise<ContentOutcome> {
  const { kinds, discoveryError } = await namespacedKinds(options);
  const remaining: RemainingKind[] = [];
  const contentErrors: unknown[] = [];
  let estimateSeconds = 0;
  const outcome = (): ContentOutcome => ({
    estimateSeconds,
    remaining,
    contentErrors,
    ...definedOnly({ discoveryError }),
  });
  for (const kind of [...kinds.filter(isPods), ...kinds.filter((other) => !isPods(other))]) {
    try {
      const left = await deleteKind(kind, namespace, options);
      if (left.remaining.count > 0) remaining.push(left.remaining);
      if (left.estimateSeconds === undefined) contentErrors.push(new UnexpectedItemsError(namespace, kind));
      estimateSeconds = Math.max(estimateSeconds, left.estimateSeconds ?? 0);
    } catch (error) {
      options.signal.throwIfAborted();
      contentErrors.push(error);
    }
    if (isPods(kind) && remaining.length > 0) return outcome();
  }
  return outcome();
}

const isPods = ({ group, plural }: Kind): boolean => group === Pod.group && plural === Pod.plural;

/** Returns all deletable kinds in their preferred version. Partial discovery is used, and reported as an error. */
async function namespacedKinds({
  discovery,
  signal,
}: DeleteContentOptions): Promise<{ readonly kinds: readonly Kind[]; readonly discoveryError?: unknown }> {
  try {
    const { resources, failures } = await discovery.serverPreferredNamespacedResources({ signal });
    const kinds = filterResources(resources, supportsAllVerbs("delete"))
      .flatMap((list) => list.resources)
      .map(kindFromResource);
    return {
      kinds,
      ...(failures.length === 0 ? {} : { discoveryError: new GroupDiscoveryFailedError({ groups: [], resources, failures }) }),
    };
  } catch (error) {
    signal.throwIfAborted();
    return { kinds: [], discoveryError: error };
  }
}

interface KindOutcome {
  readonly remaining: RemainingKind;
  /** Undefined when objects are left without a known reason. */
  readonly estimateSeconds: number | undefined;
}

async function deleteKind(kind: Kind, namespace: string, { client, elapsedSeconds }: DeleteContentOptions): Promise<KindOutcome> {
  const graceSeconds = isPods(kind) ? await podsGrace(client, namespace) : 0;
  const metadata = client.metadata<Scope>(kind) as MetadataClient<"Namespaced">;
  const isDone = await supported(kind, "deletecollection", () => metadata.deleteCollection({ namespace, propagationPolicy: "Background" }));
  if (isDone === undefined) await deleteEach(kind, metadata, namespace);
  const left = remainingKind(kind, await listed(kind, metadata, namespace));
  return { remaining: left, estimateSeconds: remainingEstimate(left, elapsedSeconds >= graceSeconds ? 0 : graceSeconds) };
}

/** Returns how many seconds running pods may take to terminate. */
async function podsGrace(client: Client, namespace: string): Promise<number> {
  let longest = 0;
  for await (const pod of client.listAll(Pod, { namespace }))
    if (!isPodFinished(pod)) longest = Math.max(longest, pod.spec?.terminationGracePeriodSeconds ?? 0);
  return longest;
}

async function deleteEach(kind: Kind, metadata: MetadataClient<"Namespaced">, namespace: string): Promise<void> {
  for (const {
    metadata: { name = "" },
  } of await listed(kind, metadata, namespace)) {
    await supported(kind, "delete", () => metadata.delete(name, { namespace, propagationPolicy: "Background" }));
  }
}

async function listed(kind: Kind, metadata: MetadataClient<"Namespaced">, namespace: string): Promise<readonly PartialObjectMetadata[]> {
  return (await supported(kind, "list", () => metadata.list({ namespace })))?.items ?? [];
}

/** Undefined when the server does not support the verb, whatever discovery says, or nothing is found. */
async function supported<T>({ verbs }: Kind, verb: Verb, call: () => Promise<T>): Promise<T | undefined> {
  if (!verbs.includes(verb)) return undefined;
  try {
    return await call();
  } catch (error) {
    if (isMethodNotAllowed(error) || isNotFound(error)) return undefined;
    throw error;
  }
}
