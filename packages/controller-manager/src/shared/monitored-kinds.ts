/** Which of the kinds that a server has a controller of all kinds watches, in the server's preferred version. */
import { filterResources, kindFromResource, supportsAllVerbs } from "@drover/client";
import type { ApiResource, PreferredResources } from "@drover/client";
import { apiVersionOf, printGroupVersionResource } from "@drover/machinery";
import type { Kind } from "@drover/machinery";

/** Which kinds a controller wants. */
export interface KindChoice {
  /** Verbs that a kind must have. */
  readonly verbs: readonly string[];
  readonly isWanted: (resource: ApiResource) => boolean;
}

/** A kind that is already watched. */
export interface MonitoredKind {
  readonly kind: Kind;
  readonly hasSynced: boolean;
}

/**
 * Returns the kinds to watch, by resource; undefined when discovery failed entirely and nothing should change.
 *
 * Keeps watched and synced kinds of a group version that discovery could not describe: they still exist.
 */
export function monitoredKinds(
  { resources, failures }: PreferredResources,
  current: ReadonlyMap<string, MonitoredKind>,
  { verbs, isWanted }: KindChoice,
): ReadonlyMap<string, Kind> | undefined {
  const able = filterResources(resources, supportsAllVerbs(...verbs)).flatMap((list) => list.resources);
  if (able.length === 0) return undefined;
  const wanted = new Map(able.filter(isWanted).map((resource) => [resourceName(resource), kindFromResource(resource)]));
  const failed = new Set(failures.map(({ groupVersion }) => groupVersion));
  for (const [name, { kind, hasSynced }] of current)
    if (hasSynced && failed.has(apiVersionOf(kind)) && !wanted.has(name)) wanted.set(name, kind);
  return wanted;
}

const resourceName = ({ group, version, plural }: Pick<Kind, "group" | "version" | "plural">): string =>
  printGroupVersionResource({ group, version, resource: plural });
