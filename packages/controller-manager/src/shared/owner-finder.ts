/** Finds owners of one kind in their cache: by reference, and by selector. */
import type { InformerView } from "@drover/cache";
import type { DeepReadonly, Kind, KubeObject, LabelSelector } from "@drover/machinery";
import type { OwnerFinder } from "./child-concerns.ts";
import { controllerInCache } from "./controller-in-cache.ts";
import { selects } from "./selects.ts";

/** An object without labels matches no owner. */
export function ownerFinder<T extends KubeObject & { spec?: { selector?: LabelSelector } }>(
  owners: Pick<InformerView<T>, "get" | "list">,
  kind: Kind<T>,
): OwnerFinder {
  return {
    owner: (namespace, reference) => controllerInCache(owners, kind, namespace, reference),
    matching: (child) => {
      const { labels = {}, namespace = "" } = child.metadata;
      return Object.keys(labels).length === 0
        ? []
        : owners.list({ namespace }).filter((owner) => selects(owner as DeepReadonly<{ spec?: { selector?: LabelSelector } }>, child));
    },
  };
}
