/**
 * A kind of which a program reads only some fields: caches keep these and nothing else, and the type of its objects has no others.
 *
 *     const PodPlace = withFields(Pod, ["spec.nodeName", "status.phase"]);
 *     app.controller(Shop, { reads: [PodPlace], desired: ({ list }) => … list(PodPlace) … })
 */
import type { Kind, Scope } from "./kind.ts";
import type { KubeObject } from "./object.ts";

/** What is left of a type if only these paths are declared. A path leads through lists. Types without named fields stay as they are. */
export type Limited<T, P extends string> = T extends readonly (infer E)[]
  ? Limited<E, P>[]
  : T extends object
    ? string extends keyof T
      ? T
      : { [K in keyof T as K extends Head<P> ? K : never]: K extends P ? T[K] : Limited<T[K], Tail<P, K>> }
    : T;

/** An object with its metadata and the declared fields. */
export type LimitedObject<T extends KubeObject, P extends string> = KubeObject & Limited<T, P | "apiVersion" | "kind" | "metadata">;

type Head<P extends string> = P extends `${infer H}.${string}` ? H : P;
type Tail<P extends string, K> = K extends string ? (P extends `${K}.${infer R}` ? R : never) : never;

/**
 * Returns the kind limited to these fields, `apiVersion`, `kind` and all metadata. Wherever a cache is declared with it (sources, builder,
 * `reads` and indexes of an operator, `informers.acquire`), nothing else of an object is decoded or kept in memory, and reading another
 * field does not compile. In JavaScript, and after a cast, such a field is `undefined`.
 *
 * A path leads through lists: "spec.containers.image" is the image of every container. The limited and the whole kind have two caches.
 * Requests of a client return whole objects, and `update` and `apply` refuse an object from such a cache. A path that a built-in kind does
 * not have ends its informer with a `TypeError`. Throws a `TypeError` for a kind that is limited already.
 */
export function withFields<T extends KubeObject, S extends Scope, Sub extends string, const P extends string>(
  kind: Kind<T, S, Sub>,
  fields: readonly P[],
): Kind<LimitedObject<T, P>, S, Sub> {
  if (kind.fields !== undefined)
    throw new TypeError(`withFields: ${kind.kind} is already limited to ${kind.fields.join(", ")}; declare all fields at once`);
  return { ...kind, fields: Object.freeze([...fields]) } as Kind as Kind<LimitedObject<T, P>, S, Sub>;
}
