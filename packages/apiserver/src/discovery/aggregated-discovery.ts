/**
 * Aggregated discovery: all groups in one APIGroupDiscoveryList. Keys are in kube-apiserver's order, because the ETag hashes the
 * text.
 */
import { encodeJson } from "@drover/machinery";
import type { GroupVersionKind, JsonObject } from "@drover/machinery";
import { orderedSubresources, orderedVerbs } from "./resource-order.ts";
import type { DiscoverableResource, ServedGroup, ServedVersion } from "./served-groups.ts";

export type AggregatedVersion = "v2" | "v2beta1";

/** Returns the items of the aggregated documents of /api and /apis. */
export function aggregatedGroups(groups: readonly ServedGroup[]): JsonObject[] {
  return groups.map(({ name, versions }) => ({ metadata: name === "" ? {} : { name }, versions: versions.map(discoveredVersion) }));
}

export function aggregatedDocument(items: readonly JsonObject[], version: AggregatedVersion): JsonObject {
  return { kind: "APIGroupDiscoveryList", apiVersion: `apidiscovery.k8s.io/${version}`, metadata: {}, items: [...items] };
}

/** Returns the ETag: a hash of the list's items, the same for every version and media type. */
export function aggregatedTag(items: readonly JsonObject[], sha512Hex: (text: string) => string): string {
  return `"${sha512Hex(encodeJson({ metadata: {}, items }, { escapeHtml: true })).toUpperCase()}"`;
}

function discoveredVersion({ version, resources }: ServedVersion): JsonObject {
  return { version, resources: resources.map(discoveredResource), freshness: "Current" };
}

function discoveredResource(resource: DiscoverableResource): JsonObject {
  const { kind } = resource;
  const subresources = orderedSubresources(resource);
  return {
    resource: kind.plural,
    responseKind: responseKind(kind, resource),
    scope: kind.scope,
    singularResource: kind.singular,
    verbs: orderedVerbs(resource),
    ...(kind.shortNames.length === 0 ? {} : { shortNames: [...kind.shortNames] }),
    ...(kind.categories.length === 0 ? {} : { categories: [...kind.categories] }),
    ...(subresources.length === 0
      ? {}
      : {
          subresources: subresources.map(([name, { verbs, ...answered }]) => ({
            subresource: name,
            responseKind: responseKind(answered, resource),
            verbs: [...verbs],
          })),
        }),
  };
}

/** Built-in resources omit group and version where they equal those of the list. */
function responseKind({ group, version, kind }: GroupVersionKind, { kind: own, isCustom }: DiscoverableResource): JsonObject {
  return !isCustom && group === own.group && version === own.version ? { group: "", version: "", kind } : { group, version, kind };
}
