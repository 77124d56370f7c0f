/**
 * All discovery documents of a list of resources; rebuilt only when the list changes.
 *
 *     Resource[] → discoveryDocuments → DiscoveryDocuments → discoveryResponse
 */
import type { JsonObject } from "@drover/machinery";
import { aggregatedDocument, aggregatedGroups, aggregatedTag } from "./aggregated-discovery.ts";
import type { AggregatedVersion } from "./aggregated-discovery.ts";
import { apiVersionsDocument, groupDocument, groupListDocument, resourceListDocument } from "./legacy-discovery.ts";
import { byApiService, servedGroups } from "./served-groups.ts";
import type { DiscoverableResource, ServedGroup } from "./served-groups.ts";

export interface DiscoveryOptions {
  /** The address clients use: "127.0.0.1:6443". */
  readonly serverAddress: string;
  readonly sha256: (text: string) => Uint8Array;
  readonly sha512Hex: (text: string) => string;
  /**
   * Served versions of aggregated discovery. Kubernetes 1.36 serves v2 only; kubectl 1.26 to 1.29, which know v2beta1, fall back
   * to the legacy documents. @default ["v2"]
   */
  readonly aggregatedVersions?: readonly AggregatedVersion[];
}

/** The aggregated document in each served version, with their common ETag. */
export interface AggregatedDiscovery {
  readonly tag: string;
  readonly versions: ReadonlyMap<string, JsonObject>;
}

export interface DiscoveryDocuments {
  readonly api: { readonly legacy: JsonObject; readonly aggregated: AggregatedDiscovery };
  readonly apis: { readonly legacy: JsonObject; readonly aggregated: AggregatedDiscovery };
  /** By name; without the core group. */
  readonly groups: ReadonlyMap<string, DiscoveredGroup>;
  /** The core group. */
  readonly core: DiscoveredGroup;
}

export interface DiscoveredGroup {
  /** APIGroup. */
  readonly document: JsonObject;
  readonly versions: ReadonlyMap<string, DiscoveredVersion>;
  /** Whether any of its versions is built in. */
  readonly isBuiltIn: boolean;
}

export interface DiscoveredVersion {
  /** APIResourceList. */
  readonly document: JsonObject;
  readonly isBuiltIn: boolean;
}

/** Returns the documents of these resources. */
export function discoveryDocuments(resources: readonly DiscoverableResource[], options: DiscoveryOptions): DiscoveryDocuments {
  const groups = servedGroups(resources);
  const core = groups.find(({ name }) => name === "");
  const named = groups.filter(({ name }) => name !== "");
  return {
    api: { legacy: apiVersionsDocument(core, options.serverAddress), aggregated: aggregated(core === undefined ? [] : [core], options) },
    apis: { legacy: groupListDocument(byApiService(named)), aggregated: aggregated(named, options) },
    core: discoveredGroup(core ?? { name: "", versions: [] }, options),
    groups: new Map(named.map((group) => [group.name, discoveredGroup(group, options)])),
  };
}

function aggregated(groups: readonly ServedGroup[], { sha512Hex, aggregatedVersions = ["v2"] }: DiscoveryOptions): AggregatedDiscovery {
  const items = aggregatedGroups(groups);
  return {
    tag: aggregatedTag(items, sha512Hex),
    versions: new Map(aggregatedVersions.map((version) => [version, aggregatedDocument(items, version)])),
  };
}

function discoveredGroup(group: ServedGroup, { sha256 }: DiscoveryOptions): DiscoveredGroup {
  const versions = group.versions.map((served): readonly [string, DiscoveredVersion] => [
    served.version,
    { document: resourceListDocument(group.name, served, sha256), isBuiltIn: served.resources.some(({ isCustom }) => !isCustom) },
  ]);
  return { document: groupDocument(group), versions: new Map(versions), isBuiltIn: versions.some(([, { isBuiltIn }]) => isBuiltIn) };
}
