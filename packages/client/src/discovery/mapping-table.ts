/** What one look at the server makes a mapper of; a value. */
import { parseGroupVersion, RestMapper } from "@drover/machinery";
import type { GroupVersionKind } from "@drover/machinery";
import type { ApiResource, ApiResourceList, Discovered, DiscoveryFailure } from "./api-group.ts";

/** A mapper and what it was made of. */
export interface MappingTable {
  /** Grows with every look: the greater one began later. */
  readonly sequence: number;
  readonly discovered: Discovered;
  /** Those of `discovered`, and older ones where the server could not tell this time. */
  readonly lists: readonly ApiResourceList[];
  readonly mapper: RestMapper;
}

export interface MappingTableOptions {
  readonly sequence: number;
  /** What was known before: a group version that fails now keeps its old resources. */
  readonly previous: MappingTable | undefined;
  /** Hears of short names that could mean something else as well. */
  readonly warn: (message: string) => void;
}

/** Makes the table. When nothing has changed, the old mapper is used again. */
export function mappingTable(discovered: Discovered, { sequence, previous, warn }: MappingTableOptions): MappingTable {
  if (previous !== undefined && previous.discovered === discovered) return { ...previous, sequence };
  const failed = new Set(discovered.failures.map(({ groupVersion }) => groupVersion));
  const remembered = (previous?.lists ?? []).filter(({ groupVersion }) => failed.has(groupVersion));
  const lists = [...discovered.resources, ...remembered];
  const rows = lists.flatMap(({ resources }) => resources).filter(({ kind }) => kind !== "");
  const preferredVersions = new Map(
    discovered.groups
      .filter(({ preferredVersion }) => preferredVersion !== "")
      .map(({ name, preferredVersion }) => [name, preferredVersion]),
  );
  return { sequence, discovered, lists, mapper: new RestMapper(rows, { preferredVersions, warn }) };
}

/** The resource whose objects are of this kind. */
export function resourceOfKind({ lists }: MappingTable, { group, version, kind }: GroupVersionKind): ApiResource | undefined {
  return lists
    .flatMap(({ resources }) => resources)
    .find((resource) => resource.group === group && resource.version === version && resource.kind === kind);
}

/** The failures in groups the question is about. */
export function failuresIn({ discovered }: MappingTable, isAbout: (group: string) => boolean): readonly DiscoveryFailure[] {
  return discovered.failures.filter(({ groupVersion }) => isAbout(parseGroupVersion(groupVersion).group));
}
