/**
 * Maps kinds to resources and back, from names as people type them: "deploy", "pod", "deployments.apps", "deployments.v1.apps".
 *
 *     discovery (or a Scheme's kinds) → rows → RestMapper → request paths
 *
 * When several match, the core group wins, then the groups in the order of the rows, each in its preferred version. A mapper is
 * immutable: after a new discovery, create a new one.
 */
import { parseKindArg, parseResourceArg, printGroupVersionResource, sameGroupResource } from "../object/group-version.ts";
import type { GroupKind, GroupResource, GroupVersion, GroupVersionKind, GroupVersionResource } from "../object/group-version.ts";
import type { Scope } from "../object/kind.ts";
import { quoteGo } from "../go/go-quote.ts";
import { guessResource } from "./guess-resource.ts";
import { AmbiguousKindError, AmbiguousResourceError, isNoMatchError, NoKindMatchError, NoResourceMatchError } from "./no-match.ts";
import { ShortNames } from "./short-names.ts";

/** One resource as discovery describes it; every `Kind` is one too. Rows of subresources ("pods/status") are ignored. */
export interface ResourceRow extends GroupVersionKind {
  readonly plural: string;
  /** Guessed from the kind when empty or absent. */
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly scope: Scope;
}

/** A partial name of a resource: missing parts match anything. A group may be a prefix, "storage" for "storage.k8s.io". */
export interface PartialResource {
  readonly group?: string;
  readonly version?: string;
  readonly resource: string;
}

/** A kind and its resource. */
export interface RestMapping {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
  readonly scope: Scope;
}

/** Options of a mapper. */
export interface RestMapperOptions {
  /**
   * Preferred version of each group.
   * @default the first version of each group in the order of the rows
   */
  readonly preferredVersions?: ReadonlyMap<string, string>;
  /**
   * Called when a short name could mean another resource as well.
   * @default no callback
   */
  readonly warn?: (message: string) => void;
}

/** Resources of one group version by every accepted name; kinds also in lower case. */
interface VersionTable extends GroupVersion {
  readonly byPlural: Map<string, ResourceRow>;
  readonly byName: Map<string, ResourceRow>;
  readonly byKind: Map<string, ResourceRow>;
}

/** Without a version it means the whole group. */
interface Pattern {
  readonly group: string;
  readonly version?: string;
}

/** Go marks in-memory objects with this version; in a request it means none. */
const internalVersion = "__internal";

/** Finds resources and kinds in a fixed set of rows. */
export class RestMapper {
  readonly #tables: readonly VersionTable[];
  /** Preferences when several match. */
  readonly #priority: readonly Pattern[];
  readonly #shortNames: ShortNames;
  readonly #rows: readonly ResourceRow[];

  constructor(rows: Iterable<ResourceRow>, { preferredVersions = new Map(), warn }: RestMapperOptions = {}) {
    this.#tables = tablesOf(rows);
    this.#rows = this.#tables.flatMap(({ byPlural }) => [...byPlural.values()]);
    this.#shortNames = new ShortNames(this.#rows, warn);
    const groups = [...new Set(this.#tables.map(({ group }) => group))];
    const isPreferred = ({ group, version }: GroupVersion): boolean => preferredVersions.get(group) === version;
    this.#priority = [
      { group: "", version: "v1" },
      ...groups
        .flatMap((group) => {
          const versions = this.#tables.filter((table) => table.group === group);
          return [...versions.filter(isPreferred), ...versions.filter((table) => !isPreferred(table))];
        })
        .map(({ group, version }) => ({ group, version })),
      ...groups.map((group) => ({ group })),
    ];
  }

  /** Returns every resource that matches, in no particular order. Throws `NoResourceMatchError`. */
  resourcesFor(partial: PartialResource): readonly GroupVersionResource[] {
    return this.#resourcesFor(this.#expand(partial));
  }

  /** Returns the preferred resource that matches. Throws `NoResourceMatchError` and `AmbiguousResourceError`. */
  resourceFor(partial: PartialResource): GroupVersionResource {
    const asked = this.#expand(partial);
    const resources = this.#resourcesFor(asked);
    const preferred = narrow(resources, this.#priority);
    if (preferred === undefined) throw new AmbiguousResourceError(asked, { resources });
    return preferred;
  }

  /** Returns every kind whose resource matches, in no particular order. Throws `NoResourceMatchError`. */
  kindsFor(partial: PartialResource): readonly GroupVersionKind[] {
    return this.#kindsFor(this.#expand(partial));
  }

  /** Returns the kind of the preferred resource that matches. Throws `NoResourceMatchError` and `AmbiguousResourceError`. */
  kindFor(partial: PartialResource): GroupVersionKind {
    const asked = this.#expand(partial);
    const kinds = this.#kindsFor(asked);
    const preferred = narrow(kinds, this.#priority);
    if (preferred === undefined) throw new AmbiguousResourceError(asked, { kinds });
    return preferred;
  }

  /** Returns the mappings of a kind, in all versions or in those named. Throws `NoKindMatchError`. */
  restMappings(groupKind: GroupKind, ...versions: string[]): readonly RestMapping[] {
    const named = versions.filter((version) => version !== "" && version !== internalVersion);
    const tables = this.#tables.filter(
      ({ group, version }) => group === groupKind.group && (named.length === 0 || named.includes(version)),
    );
    const rows = tables.flatMap((table) => table.byKind.get(groupKind.kind) ?? []);
    if (rows.length === 0) throw new NoKindMatchError(groupKind, versions);
    return rows.map((row) => ({ resource: resourceOf(row), kind: kindOf(row), scope: row.scope }));
  }

  /**
   * Returns the mapping of a kind: in the first named version that has it, or else in the preferred one. Throws `NoKindMatchError`
   * and `AmbiguousKindError`.
   */
  restMapping(groupKind: GroupKind, ...versions: string[]): RestMapping {
    const mappings = this.restMappings(groupKind, ...versions);
    const asked = versions.map((version) => ({ group: groupKind.group, version }));
    const preferred = narrow(
      mappings.map(({ kind }) => kind),
      [...asked, ...this.#priority],
    );
    const mapping = mappings.find(({ kind }) => kind === preferred);
    if (mapping === undefined)
      throw new AmbiguousKindError(
        { ...groupKind, version: "" },
        mappings.map(({ kind }) => kind),
      );
    return mapping;
  }

  /** Resolves a word of a command line: a resource, a short name or a kind, with or without version and group. */
  mappingFor(word: string): RestMapping {
    const { versioned, unversioned } = parseResourceArg(word);
    const kind = this.#kindIfAny(versioned) ?? this.#kindIfAny(unversioned);
    if (kind !== undefined) return this.restMapping(kind, kind.version);
    const asKind = parseKindArg(word);
    try {
      if (asKind.versioned !== undefined && this.#has(asKind.versioned))
        return this.restMapping(asKind.versioned, asKind.versioned.version);
      return this.restMapping(asKind.unversioned);
    } catch (error) {
      if (!isNoMatchError(error)) throw error;
      throw new Error(`the server doesn't have a resource type ${quoteGo(unversioned.resource)}`, { cause: error });
    }
  }

  /** "pods" → "pod". Throws `NoResourceMatchError`. */
  singularFor(resource: string): string {
    const asked = this.#expand({ resource });
    const name = asked.resource.toLowerCase();
    const row = this.#rows.find((candidate) => candidate.plural === name || singularOf(candidate) === name);
    if (row === undefined) throw new NoResourceMatchError(asked);
    return singularOf(row);
  }

  /** Returns the resources of a category ("all"), each once; none for an unknown category. */
  expandCategory(category: string): readonly GroupResource[] {
    const members = this.#rows
      .filter((row) => row.categories?.includes(category))
      .map(({ group, plural }) => ({ group, resource: plural }));
    return members.filter((member, index) => members.findIndex((other) => sameGroupResource(member, other)) === index);
  }

  #expand({ group = "", version = "", resource }: PartialResource): GroupVersionResource {
    if (resource !== "") return this.#shortNames.expand({ group, version, resource });
    const named = version === internalVersion ? "" : version;
    throw new Error(`a resource must be present, got: ${printGroupVersionResource({ group, version: named, resource })}`);
  }

  #resourcesFor(asked: GroupVersionResource): readonly GroupVersionResource[] {
    const name = asked.resource.toLowerCase();
    const found = this.#tables
      .filter((table) => covers(table, asked))
      .flatMap((table) =>
        [...table.byPlural.values()]
          .filter((row) => row.plural === name || singularOf(row) === name)
          .map(resourceOf)
          .toSorted(byResource),
      );
    if (found.length === 0) throw new NoResourceMatchError(asked);
    return found;
  }

  #kindsFor(asked: GroupVersionResource): readonly GroupVersionKind[] {
    const name = asked.resource.toLowerCase();
    const found = this.#tables.filter((table) => covers(table, asked)).flatMap((table) => table.byName.get(name) ?? []);
    if (found.length === 0) throw new NoResourceMatchError(asked);
    return found.map(kindOf);
  }

  #kindIfAny(partial: PartialResource | undefined): GroupVersionKind | undefined {
    try {
      return partial && this.kindFor(partial);
    } catch {
      return undefined;
    }
  }

  #has({ group, version, kind }: GroupVersionKind): boolean {
    return this.#tables.some((table) => table.group === group && table.version === version && table.byKind.has(kind));
  }
}

/** One table per group version: groups, and versions in each, in the order of their first row. */
function tablesOf(rows: Iterable<ResourceRow>): readonly VersionTable[] {
  const groups = new Map<string, Map<string, VersionTable>>();
  for (const row of rows) {
    const { group, version } = row;
    if (row.plural.includes("/")) continue;
    const versions = groups.get(group) ?? new Map<string, VersionTable>();
    const table = versions.get(version) ?? { group, version, byPlural: new Map(), byName: new Map(), byKind: new Map() };
    groups.set(group, versions.set(version, table));
    table.byPlural.set(row.plural, row);
    table.byName.set(singularOf(row), row).set(row.plural, row);
    table.byKind.set(row.kind.toLowerCase(), row).set(row.kind, row);
  }
  return [...groups.values()].flatMap((versions) => [...versions.values()]);
}

function covers({ group, version }: GroupVersion, asked: GroupVersionResource): boolean {
  const anyVersion = asked.version === "" || asked.version === internalVersion;
  // With a version the group must be complete, as in apimachinery.
  const groupFits = asked.group === "" || (anyVersion ? group.startsWith(asked.group) : group === asked.group);
  return groupFits && (anyVersion || version === asked.version);
}

/** Returns the candidate that is left when each pattern in turn keeps only its matches, unless it has none. */
function narrow<C extends GroupVersion>(candidates: readonly C[], patterns: readonly Pattern[]): C | undefined {
  let left = candidates;
  for (const { group, version } of patterns) {
    if (left.length === 1) break;
    const matching = left.filter((candidate) => candidate.group === group && (version === undefined || candidate.version === version));
    if (matching.length > 0) left = matching;
  }
  return left.length === 1 ? left[0] : undefined;
}

const singularOf = (row: ResourceRow): string => row.singular || guessResource(row.kind).singular;
const resourceOf = ({ group, version, plural }: ResourceRow): GroupVersionResource => ({ group, version, resource: plural });
const kindOf = ({ group, version, kind }: ResourceRow): GroupVersionKind => ({ group, version, kind });
const byResource = (a: GroupResource, b: GroupResource): number => (a.resource < b.resource ? -1 : 1);
