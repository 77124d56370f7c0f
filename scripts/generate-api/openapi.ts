/** The generator's input: the schemas and discovery documents of an API server, reduced to what generation needs. */
import type { GroupVersion, GroupVersionKind, JsonValue, Schema, Scope, Verb } from "@drover/machinery";

/** A schema of an OpenAPI v3 document: references are still names, and `allOf` with one entry carries a reference's siblings. */
export interface OpenApiSchema extends Omit<Schema, "additionalProperties" | "allOf" | "items" | "properties"> {
  readonly $ref?: string;
  readonly allOf?: readonly OpenApiSchema[];
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly additionalProperties?: OpenApiSchema | boolean;
  readonly items?: OpenApiSchema;
  readonly "x-kubernetes-group-version-kind"?: readonly GroupVersionKind[];
}

/** One resource of a group version, from discovery; empty lists instead of missing ones. */
export interface DiscoveredResource {
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly scope: Scope;
  readonly verbs: readonly Verb[];
  readonly subresources: Readonly<Record<string, GroupVersionKind & { readonly verbs: readonly Verb[] }>>;
}

/** The resources of one group version. */
export interface DiscoveredGroupVersion extends GroupVersion {
  readonly resources: readonly DiscoveredResource[];
}

/** The generator's input. Definitions are keyed by their full name: "io.k8s.api.core.v1.Pod". */
export interface ApiDescription {
  readonly discovery: readonly DiscoveredGroupVersion[];
  readonly definitions: Readonly<Record<string, OpenApiSchema>>;
}

/** The documents of a server, unchanged. */
export interface ServerDocuments {
  /** The aggregated discovery lists, /api and /apis. */
  readonly discovery: readonly JsonValue[];
  /** The OpenAPI v3 documents, one per group version. */
  readonly openapi: readonly JsonValue[];
}
