/**
 * Lists and watches one resource over a transport, and keeps objects as bytes until they are read.
 *
 *     Transport + Kind → listWatcher → VersionSource → reflector
 */
import {
  definedOnly,
  encodeListOptions,
  jsonMediaType,
  partialObjectMetadataAccept,
  partialObjectMetadataListAccept,
} from "@drover/machinery";
import type { Clock, HttpRequest, Kind, KubeObject, ListOptions, ResourceRow, RestMapping, Transport } from "@drover/machinery";
import { allNamespaces, fieldSelectorText, labelSelectorText, placeOf, readAnswer, targetOf, watchLineBatches } from "@drover/client";
import type { FieldSelection, LabelSelection, RequestAbout, ResourceTarget } from "@drover/client";
import type { AfterLook } from "./late-version.ts";
import { readWatchEvents } from "./lazy-watch-events.ts";
import { readVersionPage } from "./version-page.ts";
import { VersionReader } from "./version-reader.ts";
import type { SourceCall, LazyWatchEvent, VersionSource } from "./version-source.ts";

/** Settings of `listWatcher` that do not depend on the kind. */
export interface ListWatcherSettings {
  readonly transport: Transport;
  readonly clock: Clock;
  /** Namespace; `"*"` means all namespaces. @default all namespaces */
  readonly namespace?: string;
  /** Label selector. @default all objects */
  readonly labelSelector?: LabelSelection;
  /** Field selector. @default all objects */
  readonly fieldSelector?: FieldSelection;
  /** Changes the options of every list and watch. @default options are unchanged */
  readonly tweakListOptions?: (options: ListOptions) => ListOptions;
  /** "metadata": the server sends and the cache stores only metadata (`PartialObjectMetadata`). @default "full" */
  readonly projection?: "full" | "metadata";
  /** Keeps `metadata.managedFields`: about a third of an object, and rarely read. @default false */
  readonly keepManagedFields?: boolean;
  /**
   * "late": parse an object when it is first read. "eager": parse it on arrival, so that an object that cannot be decoded is
   * reported at once. @default "late"
   */
  readonly decode?: "late" | "eager";
  /** What stays in memory of an object that was read. @default "parsed" */
  readonly afterLook?: AfterLook;
  /**
   * Freezes objects, so that code that modifies a cached object fails where it does so. Takes about half as long as parsing; a tested
   * program may turn it off in production. @default true
   */
  readonly freeze?: boolean;
  /** Whether to request the current state as a stream (`sendInitialEvents`) before falling back to pages. @default true */
  readonly watchList?: boolean;
  /** Milliseconds without a byte after which a watch counts as dead. @default see `defaultSilenceMs` of the client */
  readonly silenceMs?: number;
  /** Maximum size of a page in bytes. @default 256 * 1024 * 1024 */
  readonly maxBodyBytes?: number;
}

/** What to list: a kind, or a resource from discovery. */
export type ListWatcherOptions<T extends KubeObject> = ListWatcherSettings &
  (
    | { readonly kind: Kind<T>; readonly resource?: never }
    | { readonly resource: ResourceRow | RestMapping | ResourceTarget; readonly kind?: never }
  );

/**
 * Returns a source of versions for a reflector. Sends nothing by itself. Throws a `TypeError` for an invalid combination: a namespace for a
 * cluster-scoped kind, or a selector that matches nothing.
 */
export function listWatcher<T extends KubeObject = KubeObject>(options: ListWatcherOptions<T>): VersionSource<T> {
  const {
    transport,
    clock,
    namespace,
    projection = "full",
    keepManagedFields = false,
    decode = "late",
    afterLook = "parsed",
    freeze = true,
    watchList = true,
  } = options;
  const { silenceMs, maxBodyBytes, tweakListOptions = (same) => same } = options;
  const target = targetOf(options.kind ?? options.resource);
  const reader = new VersionReader<T>({ target, projection, keepManagedFields, decode, afterLook, freeze });
  const selection: ListOptions = {
    ...(options.labelSelector === undefined ? {} : { labelSelector: labelSelectorText(options.labelSelector) }),
    ...(options.fieldSelector === undefined ? {} : { fieldSelector: fieldSelectorText(options.fieldSelector) }),
  };
  const location = namespace === undefined || (namespace === allNamespaces && target.scope === "Cluster") ? {} : { namespace };
  const prepare = (verb: "list" | "watch", given: ListOptions): readonly [HttpRequest, RequestAbout] => {
    const { path, attempt, group, resource } = placeOf(verb, target, location, allNamespaces);
    const query = encodeListOptions(tweakListOptions({ ...given, ...selection, ...(verb === "watch" ? { watch: true } : {}) }));
    const headers = {
      accept: projection === "full" ? jsonMediaType : verb === "list" ? partialObjectMetadataListAccept : partialObjectMetadataAccept,
    };
    return [
      { method: "GET", path: query === "" ? path : `${path}?${query}`, headers },
      { attempt, method: "GET", resource: { group, resource } },
    ];
  };
  const described = placeOf("list", target, location, allNamespaces).attempt.slice("list ".length);

  async function* watch(given: ListOptions, { signal }: SourceCall): AsyncGenerator<readonly LazyWatchEvent<T>[], void, undefined> {
    const [request, about] = prepare("watch", given);
    for await (const batch of watchLineBatches(transport, request, about, { clock, signal, ...definedOnly({ silenceMs }) })) {
      const { events, failure } = readWatchEvents(batch, about, reader);
      if (events.length > 0) yield events;
      if (failure !== undefined) throw failure;
      if (events.at(-1)?.type === "ERROR") return;
    }
  }

  return {
    description: described,
    supportsWatchList: watchList,
    shelf: reader.shelf,
    watch,
    async list(given, { signal }) {
      const [request, about] = prepare("list", given);
      return readVersionPage(await readAnswer(transport, request, about, { signal, ...definedOnly({ maxBodyBytes }) }), about, reader);
    },
  };
}
