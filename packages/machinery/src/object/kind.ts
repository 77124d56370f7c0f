/**
 * One value per kind: all a program needs to address objects of that kind, and their type.
 *
 *     Kind<Deployment, "Namespaced", "scale" | "status">
 *
 * `@drover/api` has one per built-in kind; `defineResource` creates one for a custom resource.
 */
import type { GroupVersionKind } from "./group-version.ts";
import type { KubeObject } from "./object.ts";

export type Scope = "Namespaced" | "Cluster";

export type Verb = "create" | "delete" | "deletecollection" | "get" | "list" | "patch" | "update" | "watch";

/** A subresource at `…/{name}/{subresource}`: the kind of its body, which may differ (Scale, Eviction), and its verbs. */
export interface Subresource extends GroupVersionKind {
  readonly verbs: readonly Verb[];
}

declare const objectType: unique symbol;

export interface Kind<T extends KubeObject = KubeObject, S extends Scope = Scope, Sub extends string = string> extends GroupVersionKind {
  /** "Pod" → "PodList". */
  readonly listKind: string;
  /** The resource: the lower-case plural in paths, "pods". */
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly scope: S;
  readonly verbs: readonly Verb[];
  readonly subresources: Readonly<Record<Sub, Subresource>>;
  /** Fields to which caches of this kind are limited, besides metadata; see `withFields`. @default absent, whole objects */
  readonly fields?: readonly string[];
  /** Never present; carries the object type. */
  readonly [objectType]?: T;
}

/** Object type of a descriptor: `ObjectOf<typeof Pod>` is `Pod`. */
export type ObjectOf<K> = K extends Kind<infer T, Scope, string> ? T : never;
