/** Which kinds the garbage collector watches: everything that can be listed, watched and deleted, in the version the server prefers. */
import { filterResources, kindFromResource, supportsAllVerbs } from "@drover/client";
import type { PreferredResources } from "@drover/client";
import { apiVersionOf, printGroupVersionResource } from "@drover/machinery";
import type { GroupResource, Kind } from "@drover/machinery";

/** They come by the thousand, own nothing and are owned by nobody. */
const ignored: readonly GroupResource[] = [
  { group: "", resource: "events" },
  { group: "events.k8s.io", resource: "events" },
];

/** A kind that is watched already. */
export interface MonitoredKind {
  readonly kind: Kind;
  readonly hasSynced: boolean;
}

/**
 * What should be watched from now on, by the name of the resource; undefined when nothing can be said, and everything stays as it is.
 *
 * Of a group version that the server could not describe, what is watched and synced is kept: it has not gone, it only cannot be seen.
 */
export function monitoredKinds(
  { resources, failures }: PreferredResources,
  current: ReadonlyMap<string, MonitoredKind>,
): ReadonlyMap<string, Kind> | undefined {
  const isIgnored = (group: string, plural: string): boolean => ignored.some((one) => one.group === group && one.resource === plural);
  const deletable = filterResources(resources, supportsAllVerbs("delete", "list", "watch")).flatMap((list) => list.resources);
  if (deletable.length === 0) return undefined;
  const wanted = new Map(
    deletable
      .filter(({ group, plural }) => !isIgnored(group, plural))
      .map((resource) => [resourceName(resource), kindFromResource(resource)]),
  );
  const failed = new Set(failures.map(({ groupVersion }) => groupVersion));
  for (const [name, { kind, hasSynced }] of current)
    if (hasSynced && failed.has(apiVersionOf(kind)) && !wanted.has(name)) wanted.set(name, kind);
  return wanted;
}

const resourceName = ({ group, version, plural }: Pick<Kind, "group" | "version" | "plural">): string =>
  printGroupVersionResource({ group, version, resource: plural });
