/**
 * Groups, versions, resources and subresources of a server, in one form for both discovery formats.
 *
 *     aggregated-discovery, legacy-discovery → ApiGroup, ApiResourceList → DynamicMapper, dynamic clients
 */
import type { GroupVersionKind, ResourceRow } from "@drover/machinery";

/** One API group. The core group has an empty name. */
export interface ApiGroup {
  readonly name: string;
  /** In the server's order, without those it could not describe. */
  readonly versions: readonly string[];
  /** Empty if the server could describe none of its versions. */
  readonly preferredVersion: string;
}

/** A subresource, `…/{name}/{subresource}`: the kind of its body and its verbs. */
export interface ApiSubresource extends GroupVersionKind {
  readonly verbs: readonly string[];
}

/**
 * One resource of a group version. Group and version are those of its path; the kind is empty if the server has only
 * subresources of it, as metrics adapters do.
 */
export interface ApiResource extends ResourceRow {
  /** Empty if the server names none. */
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  /** Kind of the responses, which may have another group or version than the path. */
  readonly responseKind: GroupVersionKind;
  /** By name: "status", "scale". */
  readonly subresources: Readonly<Record<string, ApiSubresource>>;
}

/** The resources of one group version. */
export interface ApiResourceList {
  /** "apps/v1", "v1". */
  readonly groupVersion: string;
  readonly resources: readonly ApiResource[];
}

/** A group version that the server lists but could not describe, and why. */
export interface DiscoveryFailure {
  readonly groupVersion: string;
  readonly error: unknown;
}

/** What was found and what was not. Use both: a broken extension API must not hide the rest. */
export interface Discovered {
  readonly groups: readonly ApiGroup[];
  readonly resources: readonly ApiResourceList[];
  /** Empty if discovery is complete. */
  readonly failures: readonly DiscoveryFailure[];
}
