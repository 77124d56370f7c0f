/**
 * What a server says about itself, in one form whichever way it said it: groups, versions, resources and what stands beneath them.
 *
 *     aggregated-discovery, legacy-discovery → ApiGroup, ApiResourceList → DynamicMapper, dynamic clients
 */
import type { GroupVersionKind, ResourceRow } from "@drover/machinery";

/** One API group. The core group's name is empty. */
export interface ApiGroup {
  readonly name: string;
  /** In the server's order, without those it could not describe. */
  readonly versions: readonly string[];
  /** Empty when the server could describe none of its versions. */
  readonly preferredVersion: string;
}

/** What stands behind `…/{name}/{subresource}`: the kind of its body and what it takes. */
export interface ApiSubresource extends GroupVersionKind {
  readonly verbs: readonly string[];
}

/**
 * One resource of a group version. Group and version are those of its path; the kind is empty when the server serves only subresources
 * of it, as metrics adapters do.
 */
export interface ApiResource extends ResourceRow {
  /** Empty when the server gives none. */
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  /** The kind of the answers, which may belong to another group or version than the path. */
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

/** A group version the server lists and could not describe, and why. */
export interface DiscoveryFailure {
  readonly groupVersion: string;
  readonly error: unknown;
}

/** Everything that was found, together with what was not. Use both: a broken extension API must not hide the rest. */
export interface Discovered {
  readonly groups: readonly ApiGroup[];
  readonly resources: readonly ApiResourceList[];
  /** Empty when the picture is complete. */
  readonly failures: readonly DiscoveryFailure[];
}
