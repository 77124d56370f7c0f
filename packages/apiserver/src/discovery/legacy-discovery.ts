/** Legacy discovery, one document per group version: APIVersions, APIGroupList, APIGroup, APIResourceList. */
import { apiVersionOf } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import { orderedSubresources, orderedVerbs } from "./resource-order.ts";
import type { DiscoverableResource, ServedGroup, ServedVersion } from "./served-groups.ts";
import { storageVersionHash } from "./storage-version-hash.ts";

/** The document of /api. */
export function apiVersionsDocument(core: ServedGroup | undefined, serverAddress: string): JsonObject {
  return {
    kind: "APIVersions",
    versions: (core?.versions ?? []).map(({ version }) => version),
    serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress }],
  };
}

/** The document of /apis. */
export function groupListDocument(groups: readonly ServedGroup[]): JsonObject {
  return { kind: "APIGroupList", apiVersion: "v1", groups: groups.map(groupEntry) };
}

/** The document of /apis/{group}. */
export function groupDocument(group: ServedGroup): JsonObject {
  return { kind: "APIGroup", apiVersion: "v1", ...groupEntry(group) };
}

/** The document of /api/v1 and /apis/{group}/{version}. */
export function resourceListDocument(
  group: string,
  { version, resources }: ServedVersion,
  sha256: (text: string) => Uint8Array,
): JsonObject {
  return {
    kind: "APIResourceList",
    ...(group === "" ? {} : { apiVersion: "v1" }),
    groupVersion: apiVersionOf({ group, version }),
    resources: resources.flatMap((resource) => resourceEntries(resource, sha256)),
  };
}

function groupEntry({ name, versions }: ServedGroup): JsonObject {
  const entries = versions.map(({ version }) => ({ groupVersion: apiVersionOf({ group: name, version }), version }));
  return { name, versions: entries, preferredVersion: { ...entries[0] } };
}

function resourceEntries(resource: DiscoverableResource, sha256: (text: string) => Uint8Array): JsonObject[] {
  const { kind } = resource;
  const namespaced = kind.scope === "Namespaced";
  const hash = storageVersionHash(resource, sha256);
  const subresources = orderedSubresources(resource).map(([name, { group, version, kind: answered, verbs }]): JsonObject => ({
    name: `${kind.plural}/${name}`,
    singularName: "",
    namespaced,
    ...(group === kind.group && version === kind.version ? {} : { group, version }),
    kind: answered,
    verbs: [...verbs],
  }));
  return [
    {
      name: kind.plural,
      singularName: kind.singular,
      namespaced,
      kind: kind.kind,
      verbs: orderedVerbs(resource),
      ...(kind.shortNames.length === 0 ? {} : { shortNames: [...kind.shortNames] }),
      ...(kind.categories.length === 0 ? {} : { categories: [...kind.categories] }),
      ...(hash === undefined ? {} : { storageVersionHash: hash }),
    },
    ...subresources,
  ];
}
