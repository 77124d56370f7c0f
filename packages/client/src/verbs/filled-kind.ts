/**
 * Adds `apiVersion` and `kind` to every object: items of lists lack them, and some servers omit them elsewhere too.
 */
import { apiVersionOf } from "@drover/machinery";
import type { KubeList, KubeObject } from "@drover/machinery";
import type { ResourceTarget } from "./resource-target.ts";

type KindOfTarget = Pick<ResourceTarget, "group" | "version" | "kind">;

/** Returns the object with `apiVersion` and `kind`. An object that has either is left unchanged. */
export function withKind<T extends KubeObject>(target: KindOfTarget, object: T): T {
  if (object.kind || object.apiVersion) return object;
  return { ...object, apiVersion: apiVersionOf(target), kind: target.kind };
}

/** Returns the list with all items filled. `items: null`, which some servers send, becomes an empty list. */
export function withItemKinds<T extends KubeObject>(target: KindOfTarget, list: KubeList<T>): KubeList<T> {
  const items = (list.items as T[] | null | undefined) ?? [];
  return { ...list, items: items.map((item) => withKind(target, item)) };
}
