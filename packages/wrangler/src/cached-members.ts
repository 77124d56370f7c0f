/**
 * Finds members of a set in the caches of controllers, by an index over the set label.
 *
 *     withCacheTypes(controller) → cachedMembers → MemberLookup
 */
import type { SharedIndexInformer } from "@drover/client-go";
import { errorBrand, getOwn, printGroupVersionKind, sameGroupKind } from "@drover/machinery";
import type { DeepReadonly, Kind, KubeObject } from "@drover/machinery";
import type { MemberLookup } from "@drover/patterns";
import { setLabel, wranglerHashLabel } from "@drover/patterns";

const indexName = "drover.bySet";
/** Index value of all objects that Wrangler created; no set has this id. */
const madeByWrangler = "wrangler";

/** A kind and its cache. A controller is one. */
export interface CacheType {
  readonly kind: Kind;
  informer(): CachedKind;
}

type CachedKind = Pick<SharedIndexInformer<KubeObject>, "addIndexers" | "hasSynced"> & {
  getIndexer(): { byIndex(name: string, value: string): readonly DeepReadonly<KubeObject>[]; getIndexers(): object };
};

const brand = errorBrand<ErrNoInformerFound>("ErrNoInformerFound");

/** Thrown when no cache of a kind was given and the server must not be asked. */
export class ErrNoInformerFound extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "ErrNoInformerFound";
}

/** Reports whether the error is an `ErrNoInformerFound`, also one of another copy of this package. */
export function isErrNoInformerFound(error: unknown): error is ErrNoInformerFound {
  return brand.is(error);
}

/** Options of `cachedMembers`. */
export interface CachedMembersOptions {
  readonly cacheTypes: readonly CacheType[];
  /** Whether a kind without a cache is an error; otherwise the server is asked. */
  readonly isStrict: boolean;
  /** Current and former values of the set label. */
  readonly ids: readonly string[];
  /** Whether to include objects that Wrangler created. */
  readonly wrangler: boolean;
}

/** Returns a lookup in the caches. For a cache that has not synced, the server is asked instead. */
export function cachedMembers({ cacheTypes, isStrict, ids, wrangler }: CachedMembersOptions): MemberLookup {
  return (kind) => {
    const controller = cacheTypes.find((candidate) => sameGroupKind(candidate.kind, kind));
    if (controller === undefined) {
      if (!isStrict) return undefined;
      throw new ErrNoInformerFound(
        `apply: no cache of ${printGroupVersionKind(kind)}; pass its controller to withCacheTypes, or call withDynamicLookup to ask the server`,
      );
    }
    const informer = controller.informer();
    index(informer);
    if (!informer.hasSynced()) return undefined;
    return [...ids, ...(wrangler ? [madeByWrangler] : [])].flatMap((id) => informer.getIndexer().byIndex(indexName, id));
  };
}

/** Adds the index to a cache if it is missing. */
export function index(informer: CachedKind): void {
  if (Object.hasOwn(informer.getIndexer().getIndexers(), indexName)) return;
  informer.addIndexers({
    [indexName]: ({ metadata: { labels = {} } }) => {
      const id = getOwn(labels, setLabel);
      return [...(id === undefined ? [] : [id]), ...(getOwn(labels, wranglerHashLabel) === undefined ? [] : [madeByWrangler])];
    },
  });
}
