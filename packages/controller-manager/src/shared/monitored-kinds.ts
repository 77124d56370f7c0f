/** Which kinds the garbage collector watches: all that can be listed, watched and deleted, in the server's preferred version. */
import { filterResources, kindFromResource, supportsAllVerbs } from "@drover/client";
import type { PreferredResources } from "@drover/client";
import { apiVersionOf, printGroupVersionResource } from "@drover/machinery";
import type { GroupResource, Kind } from "@drover/machinery";

/** Events come by the thousand, own nothing and have no owner. */
const ignored: readonly GroupResource[] = [
  { group: "", resource: "events" },
  { group: "events.k8s.io", resource: "events" },
];

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
