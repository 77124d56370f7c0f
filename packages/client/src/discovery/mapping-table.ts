/**
 * A mapper built from one read of the server; a value.
 */
import { parseGroupVersion, RestMapper } from "@drover/machinery";
import type { GroupVersionKind } from "@drover/machinery";
import type { ApiResource, ApiResourceList, Discovered, DiscoveryFailure } from "./api-group.ts";

/** A mapper and its input. */
export interface MappingTable {
  /** Grows with every read: a greater one began later. */
  readonly sequence: number;
  readonly discovered: Discovered;
  /** Those of `discovered`, and older ones for group versions the server could not describe this time. */
  readonly lists: readonly ApiResourceList[];
  readonly mapper: RestMapper;
}

export interface MappingTableOptions {
  readonly sequence: number;
  /** Previous table: a group version that fails now keeps its old resources. */
  readonly previous: MappingTable | undefined;
  /** Receives warnings about ambiguous short names. */
  readonly warn: (message: string) => void;
}

/** Builds the table. Reuses the old mapper if nothing has changed. */
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

/** Returns the resource of this kind. */
export function resourceOfKind({ lists }: MappingTable, { group, version, kind }: GroupVersionKind): ApiResource | undefined {
  return lists
    .flatMap(({ resources }) => resources)
    .find((resource) => resource.group === group && resource.version === version && resource.kind === kind);
}

/** Returns the failures in groups that the question is about. */
export function failuresIn({ discovered }: MappingTable, isAbout: (group: string) => boolean): readonly DiscoveryFailure[] {
  return discovered.failures.filter(({ groupVersion }) => isAbout(parseGroupVersion(groupVersion).group));
}
