/**
 * Reduces resources to preferred versions, and filters them.
 */
import { apiVersionOf } from "@drover/machinery";
import type { ApiResource, ApiResourceList, Discovered } from "./api-group.ts";

/**
 * Returns each resource in its group's preferred version, or else in the first version that has it. The result has a list
 * for every group version, in the server's order; some are empty.
 */
export function preferredResources({ groups, resources }: Discovered): readonly ApiResourceList[] {
  const lists = new Map(resources.map((list) => [list.groupVersion, list.resources]));
  return groups.flatMap(({ name, versions, preferredVersion }) => {
    const chosen = new Map<string, ApiResource>();
    const found = versions.flatMap((version) => {
      const groupVersion = apiVersionOf({ group: name, version });
      const served = lists.get(groupVersion);
      return served === undefined ? [] : [{ groupVersion, version, served }];
    });
    for (const { version, served } of found) {
      for (const resource of served)
        if (!chosen.has(resource.plural) || version === preferredVersion) chosen.set(resource.plural, resource);
    }
    return found.map(({ groupVersion, served }) => ({
      groupVersion,
      resources: served.filter((resource) => chosen.get(resource.plural) === resource && resource.kind !== ""),
    }));
  });
}

/** Keeps the resources that `isWanted` accepts, and drops lists that become empty. */
export function filterResources(
  lists: readonly ApiResourceList[],
  isWanted: (resource: ApiResource, groupVersion: string) => boolean,
): readonly ApiResourceList[] {
  return lists
    .map(({ groupVersion, resources }) => ({ groupVersion, resources: resources.filter((resource) => isWanted(resource, groupVersion)) }))
    .filter(({ resources }) => resources.length > 0);
}

/** Returns a filter for resources with all of these verbs. For `filterResources`. */
export function supportsAllVerbs(...verbs: readonly string[]): (resource: ApiResource) => boolean {
  return (resource) => verbs.every((verb) => resource.verbs.includes(verb));
}
