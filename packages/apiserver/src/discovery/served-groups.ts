/**
 * The group versions of the served resources, in kube-apiserver's two orders.
 *
 *     Resource[] → servedGroups → aggregated discovery, OpenAPI
 *                → byApiService → legacy discovery
 */
import { compareBytes, compareKubeVersions } from "@drover/machinery";
import type { Resource } from "../registry/resource.ts";

/** The parts of a resource that discovery needs. */
export type DiscoverableResource = Pick<Resource, "kind" | "isCustom" | "storageVersion">;

export interface ServedVersion<R extends DiscoverableResource = DiscoverableResource> {
  readonly version: string;
  /** Sorted by name. */
  readonly resources: readonly R[];
}

export interface ServedGroup<R extends DiscoverableResource = DiscoverableResource> {
  /** "" for the core group. */
  readonly name: string;
  /** The preferred version first. */
  readonly versions: readonly ServedVersion<R>[];
}

/** Priorities of the built-in groups, highest first; they decide which group a short name such as `events` resolves to. */
const builtInPriorities: ReadonlyMap<string, number> = new Map([
  ["apiregistration.k8s.io", 20_000],
  ["", 18_000],
  ["apps", 17_800],
  ["events.k8s.io", 17_750],
  ["authentication.k8s.io", 17_700],
  ["authorization.k8s.io", 17_600],
  ["autoscaling", 17_500],
  ["batch", 17_400],
  ["certificates.k8s.io", 17_300],
  ["networking.k8s.io", 17_200],
  ["policy", 17_100],
  ["rbac.authorization.k8s.io", 17_000],
  ["storage.k8s.io", 16_800],
  ["admissionregistration.k8s.io", 16_700],
  ["apiextensions.k8s.io", 16_700],
  ["scheduling.k8s.io", 16_600],
  ["coordination.k8s.io", 16_500],
  ["node.k8s.io", 16_300],
  ["discovery.k8s.io", 16_200],
  ["resource.k8s.io", 16_200],
  ["flowcontrol.apiserver.k8s.io", 16_100],
]);

/** Priority of custom groups. */
const customPriority = 1_000;

const priorityOf = ({ name }: ServedGroup): number => builtInPriorities.get(name) ?? customPriority;

/** Returns the groups by priority and name, as aggregated discovery lists them. */
export function servedGroups<R extends DiscoverableResource>(resources: readonly R[]): readonly ServedGroup<R>[] {
  const groups = new Map<string, Map<string, R[]>>();
  for (const resource of resources) {
    const { group, version } = resource.kind;
    const versions = entryOf(groups, group, () => new Map<string, R[]>());
    entryOf(versions, version, () => []).push(resource);
  }
  return [...groups]
    .map(([name, versions]) => ({ name, versions: orderVersions(versions) }))
    .toSorted((a, b) => priorityOf(b) - priorityOf(a) || compareBytes(a.name, b.name));
}

/** Returns the groups in the order of legacy discovery: equal priorities by the name of their first APIService, "v1.ex.io". */
export function byApiService<R extends DiscoverableResource>(groups: readonly ServedGroup<R>[]): readonly ServedGroup<R>[] {
  const firstService = ({ name, versions }: ServedGroup): string =>
    versions.map(({ version }) => `${version}.${name}`).toSorted(compareBytes)[0] ?? "";
  return groups.toSorted((a, b) => priorityOf(b) - priorityOf(a) || compareBytes(firstService(a), firstService(b)));
}

function orderVersions<R extends DiscoverableResource>(versions: ReadonlyMap<string, readonly R[]>): ServedVersion<R>[] {
  return [...versions]
    .toSorted(([a], [b]) => compareKubeVersions(a, b))
    .map(([version, resources]) => ({ version, resources: resources.toSorted((a, b) => compareBytes(a.kind.plural, b.kind.plural)) }));
}

function entryOf<V>(map: Map<string, V>, key: string, make: () => V): V {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}
