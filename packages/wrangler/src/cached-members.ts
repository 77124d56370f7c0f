/**
 * Members of a set as the caches of controllers have them, by an index over the set's label.
 *
 *     withCacheTypes(controller) → cachedMembers → MemberLookup
 */
import type { SharedIndexInformer } from "@drover/client-go";
import { getOwn, printGroupVersionKind, sameGroupKind } from "@drover/machinery";
import type { DeepReadonly, Kind, KubeObject } from "@drover/machinery";
import type { MemberLookup } from "@drover/patterns";
import { setLabel, wranglerHashLabel } from "@drover/patterns";

const indexName = "drover.bySet";
/** What stands in the index for everything that Wrangler made; no set has this id. */
const madeByWrangler = "wrangler";

/** A kind and its cache; a controller is one. */
export interface CacheType {
  readonly kind: Kind;
  informer(): CachedKind;
}

type CachedKind = Pick<SharedIndexInformer<KubeObject>, "addIndexers" | "hasSynced"> & {
  getIndexer(): { byIndex(name: string, value: string): readonly DeepReadonly<KubeObject>[]; getIndexers(): object };
};

/** No cache of this kind was named, and the server is not to be asked. */
export class ErrNoInformerFound extends Error {
  override readonly name = "ErrNoInformerFound";
}

export interface CachedMembersOptions {
  readonly cacheTypes: readonly CacheType[];
  /** Whether a kind without a cache is an error, and not a question to the server. */
  readonly isStrict: boolean;
  /** The values that the set's label has, or had. */
  readonly ids: readonly string[];
  /** Whether what Wrangler made counts as well. */
  readonly wrangler: boolean;
}

/** A cache that has not synced yet is not asked: the server is. */
export function cachedMembers({ cacheTypes, isStrict, ids, wrangler }: CachedMembersOptions): MemberLookup {
  return (kind) => {
    const controller = cacheTypes.find((candidate) => sameGroupKind(candidate.kind, kind));
    if (controller === undefined) {
      if (!isStrict) return undefined;
      throw new ErrNoInformerFound(
        `apply: there is no cache of ${printGroupVersionKind(kind)}; name its controller in withCacheTypes, or say withDynamicLookup to ask the server`,
      );
    }
    const informer = controller.informer();
    index(informer);
    if (!informer.hasSynced()) return undefined;
    return [...ids, ...(wrangler ? [madeByWrangler] : [])].flatMap((id) => informer.getIndexer().byIndex(indexName, id));
  };
}

/** Once for each cache, whoever comes first. */
export function index(informer: CachedKind): void {
  if (Object.hasOwn(informer.getIndexer().getIndexers(), indexName)) return;
  informer.addIndexers({
    [indexName]: ({ metadata: { labels = {} } }) => {
      const id = getOwn(labels, setLabel);
      return [...(id === undefined ? [] : [id]), ...(getOwn(labels, wranglerHashLabel) === undefined ? [] : [madeByWrangler])];
    },
  });
}
