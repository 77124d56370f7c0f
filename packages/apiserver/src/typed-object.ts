/**
 * One object, two views: JSON, as bodies and the store have it, and the type of its kind, as strategies and controllers
 * have it. A codec reads exactly the fields of its kind's type, so both views are the same value.
 */
import { apiVersionOf, assert } from "@drover/machinery";
import type { GroupVersionKind, JsonObject, Kind, KubeObject } from "@drover/machinery";

/** Returns an object that a codec has read as its type. Fails when the object is of another kind. */
export function typedObject<T extends KubeObject>(kind: Kind<T>, object: JsonObject): T {
  checkKind(kind, object);
  return object as unknown as T;
}

/** Like `typedObject`, for the body of a subresource, which has no descriptor: `typedBody<Eviction>({ …, kind: "Eviction" }, body)`. */
export function typedBody<T extends { readonly kind?: string }>(
  kind: GroupVersionKind & { readonly kind: NonNullable<T["kind"]> },
  object: JsonObject,
): T {
  checkKind(kind, object);
  return object as unknown as T;
}

function checkKind(kind: GroupVersionKind, object: JsonObject): void {
  const isRight = object["kind"] === kind.kind && object["apiVersion"] === apiVersionOf(kind);
  assert(isRight, `${apiVersionOf(kind)} ${kind.kind} expected`);
}

/** Returns a value of the API's types as JSON. Assumes data: no methods, no `undefined` that matters. */
export const jsonOf = (value: object): JsonObject => value as JsonObject;
