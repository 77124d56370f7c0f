/**
 * One value per kind: everything a program must know to address objects of that kind and to tell their type.
 *
 *     Kind<Deployment, "Namespaced", "scale" | "status">
 *
 * `@drover/api` holds one per built-in kind; `defineResource` makes one for a custom resource.
 */
import type { GroupVersionKind } from "./group-version.ts";
import type { KubeObject } from "./object.ts";

export type Scope = "Namespaced" | "Cluster";

export type Verb = "create" | "delete" | "deletecollection" | "get" | "list" | "patch" | "update" | "watch";

/** What stands behind `…/{name}/{subresource}`: the kind of its body, which may be another one (Scale, Eviction), and what it takes. */
export interface Subresource extends GroupVersionKind {
  readonly verbs: readonly Verb[];
}

declare const objectType: unique symbol;

export interface Kind<T extends KubeObject = KubeObject, S extends Scope = Scope, Sub extends string = string> extends GroupVersionKind {
  /** "Pod" → "PodList". */
  readonly listKind: string;
  /** The resource: the lower-case word in paths, "pods". */
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly scope: S;
  readonly verbs: readonly Verb[];
  readonly subresources: Readonly<Record<Sub, Subresource>>;
  /** Never present; carries the type of the objects. */
  readonly [objectType]?: T;
}

/** The object type behind a descriptor: `ObjectOf<typeof Pod>` is `Pod`. */
export type ObjectOf<K> = K extends Kind<infer T, Scope, string> ? T : never;
