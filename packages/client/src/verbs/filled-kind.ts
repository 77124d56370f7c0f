/** Answers with `apiVersion` and `kind` on every object: items of lists come without, and some servers leave them out elsewhere too. */
import { apiVersionOf } from "@drover/machinery";
import type { KubeList, KubeObject } from "@drover/machinery";
import type { ResourceTarget } from "./resource-target.ts";

type KindOfTarget = Pick<ResourceTarget, "group" | "version" | "kind">;

/** The object, with what it lacks of `apiVersion` and `kind`. One that has either says itself what it is. */
export function withKind<T extends KubeObject>(target: KindOfTarget, object: T): T {
  if (object.kind || object.apiVersion) return object;
  return { ...object, apiVersion: apiVersionOf(target), kind: target.kind };
}

/** The list with every item so filled. `items: null`, which some servers send for none, becomes an empty list. */
export function withItemKinds<T extends KubeObject>(target: KindOfTarget, list: KubeList<T>): KubeList<T> {
  const items = (list.items as T[] | null | undefined) ?? [];
  return { ...list, items: items.map((item) => withKind(target, item)) };
}
