/**
 * The description sorted by group version: every definition has a file, and every kind knows its resource.
 *
 *     ApiDescription → ApiModel → printed files
 */
import { apiVersionOf, byText } from "@drover/machinery";
import type { GroupVersion } from "@drover/machinery";
import { checkVersion, groupFolders, homePath, splitDefinition } from "./naming.ts";
import type { Home } from "./naming.ts";
import type { ApiDescription, DiscoveredResource, OpenApiSchema } from "./openapi.ts";
import { isSharedDefinition } from "./references.ts";
import { wellKnown } from "./well-known.ts";
import type { WellKnown } from "./well-known.ts";

export interface Definition {
  readonly home: Home;
  readonly name: string;
  readonly schema: OpenApiSchema;
  /** Whether objects of it carry an apiVersion and a kind. */
  readonly isKind: boolean;
  /** The resource whose objects it describes. */
  readonly resource: DiscoveredResource | undefined;
  readonly known: WellKnown;
}

export interface GroupVersionModel {
  readonly home: Home;
  /** Ordered by name. */
  readonly definitions: readonly Definition[];
}

export interface ApiModel {
  /** Ordered by path. */
  readonly groupVersions: readonly GroupVersionModel[];
  /** By full name. */
  readonly definition: (fullName: string) => Definition;
}

/** Definitions that belong to no group; they have no kinds, and their schema table is that of the core group's version. */
const metaHome: Home = { folder: "meta", group: "", version: "v1" };

/** Sorts a description; throws when a resource has no schema, or a definition no group version. */
export function apiModel({ discovery, definitions }: ApiDescription): ApiModel {
  const homeOf = findHomes(definitions);
  const resources = new Map<string, DiscoveredResource>(
    discovery.flatMap((entry) => entry.resources.map((resource) => [`${apiVersionOf(entry)} ${resource.kind}`, resource] as const)),
  );
  const all = new Map(
    Object.entries(definitions).map(([fullName, schema]): [string, Definition] => {
      const { packageName, name } = splitDefinition(fullName);
      const home = homeOf(packageName, fullName);
      const isKind = (schema["x-kubernetes-group-version-kind"] ?? []).some((own) => own.kind === name && sameVersion(own, home));
      const key = `${apiVersionOf(home)} ${name}`;
      const resource = isKind && home !== metaHome ? resources.get(key) : undefined;
      if (resource !== undefined) resources.delete(key);
      return [fullName, { home, name, schema, isKind, resource, known: wellKnown[fullName] ?? {} }];
    }),
  );
  const [orphan] = resources.keys();
  if (orphan !== undefined) throw new Error(`discovery lists the kind ${orphan}, but no OpenAPI document describes it`);
  return { groupVersions: byHome([...all.values()]), definition: (fullName) => all.get(fullName) ?? missing(fullName) };
}

/** A package belongs to the group version that its kinds name. */
function findHomes(definitions: Readonly<Record<string, OpenApiSchema>>): (packageName: string, fullName: string) => Home {
  const owners = new Map<string, GroupVersion>();
  for (const [fullName, schema] of Object.entries(definitions)) {
    const [own] = schema["x-kubernetes-group-version-kind"] ?? [];
    if (own !== undefined && !isSharedDefinition(fullName)) owners.set(splitDefinition(fullName).packageName, own);
  }
  const folders = groupFolders([...owners.values()].map(({ group }) => group));
  const homes = new Map(
    [...owners].map(([packageName, { group, version }]): [string, Home] => [
      packageName,
      { folder: folders.get(group) ?? "", group, version: checkVersion(version) },
    ]),
  );
  return (packageName, fullName) => (isSharedDefinition(fullName) ? metaHome : (homes.get(packageName) ?? missing(fullName)));
}

function byHome(definitions: readonly Definition[]): readonly GroupVersionModel[] {
  const groups = new Map<string, Definition[]>();
  for (const definition of definitions) {
    const path = homePath(definition.home);
    const members = groups.get(path) ?? [];
    if (members.some(({ name }) => name === definition.name)) throw new Error(`${path} has two definitions called ${definition.name}`);
    groups.set(path, [...members, definition]);
  }
  return [...groups]
    .toSorted(([a], [b]) => byText(a, b))
    .map(([, members]) => {
      const [first] = members;
      return { home: first?.home ?? metaHome, definitions: members.toSorted((a, b) => byText(a.name, b.name)) };
    });
}

const sameVersion = (a: GroupVersion, b: GroupVersion): boolean => a.group === b.group && a.version === b.version;

function missing(fullName: string): never {
  throw new Error(`the definition ${JSON.stringify(fullName)} is missing, or no kind in its package tells its group version`);
}
