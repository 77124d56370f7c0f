/**
 * Lists and watches one resource over a transport, and keeps objects as bytes until they are read.
 *
 *     Transport + Kind → listWatcher → VersionSource → reflector
 */
import {
  encodeGetOptions,
  encodeListOptions,
  jsonMediaType,
  parseSelector,
  partialObjectMetadataAccept,
  partialObjectMetadataListAccept,
  splitObjectKey,
} from "@drover/machinery";
import type { Clock, Kind, KubeObject, ListOptions, ResourceRow, RestMapping, Transport } from "@drover/machinery";
import { protobufMediaType } from "@drover/machinery/protobuf";
import { allNamespaces, fieldSelectorText, labelSelectorText, placeOf, targetOf } from "@drover/client";
import type { FieldSelection, LabelSelection, ResourceTarget } from "@drover/client";
import { checkDeclared, FieldLimit } from "./field-limit.ts";
import { LateSource } from "./late-source.ts";
import type { SourceParts } from "./late-source.ts";
import type { AfterLook } from "./late-version.ts";
import { messageFormat } from "./message-format.ts";
import { protobufSupport } from "./protobuf-support.ts";
import type { ProtobufSupport } from "./protobuf-support.ts";
import { VersionReader } from "./version-reader.ts";
import type { VersionSource } from "./version-source.ts";

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
  /**
   * Paths of the fields to keep, such as "spec.nodeName": objects have these, `apiVersion`, `kind` and all metadata, and nothing else of an
   * object is decoded or kept in memory. A path leads through lists: "spec.containers.image" is the image of every container. The type of
   * the objects stays that of the kind, though other fields are absent, required ones too. A path that a built-in kind does not have ends
   * the informer with a `TypeError`.
   *
   * Such an object must not be written back, which would remove its other fields: `update` and `apply` of the client refuse it.
   * @default whole objects
   */
  readonly fields?: readonly string[];
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
  /**
   * "protobuf": requests built-in kinds as protobuf, which is half as large and identified faster, and accepts JSON. Loads its tables
   * with the first request. Objects are the same. @default "json"
   */
  readonly format?: "protobuf" | "json";
}

/** What to list: a kind, or a resource from discovery. */
export type ListWatcherOptions<T extends KubeObject> = ListWatcherSettings &
  (
    | { readonly kind: Kind<T>; readonly resource?: never }
    | { readonly resource: ResourceRow | RestMapping | ResourceTarget; readonly kind?: never }
  );

/**
 * Returns a source of versions for a reflector. Sends nothing by itself. Throws a `TypeError` for an invalid combination: a namespace for a
 * cluster-scoped kind, a selector that matches nothing, or fields of an informer of metadata. Sources of one server may share what they
 * know of its version.
 */
export function listWatcher<T extends KubeObject = KubeObject>(
  options: ListWatcherOptions<T>,
  supportsProtobuf: ProtobufSupport = protobufSupport(options.transport, options.clock),
): VersionSource<T> {
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
  const { silenceMs, maxBodyBytes, format = "json", tweakListOptions = (same) => same } = options;
  const target = targetOf(options.kind ?? options.resource);
  const limit = limitOf(options);
  const reader = new VersionReader<T>({ target, projection, keepManagedFields, decode, afterLook, freeze, limit });
  const selection: ListOptions = {
    ...(options.labelSelector === undefined ? {} : { labelSelector: labelSelectorText(options.labelSelector) }),
    ...(options.fieldSelector === undefined ? {} : { fieldSelector: fieldSelectorText(options.fieldSelector) }),
  };
  const location = namespace === undefined || (namespace === allNamespaces && target.scope === "Cluster") ? {} : { namespace };
  const prepare: SourceParts<T>["prepare"] = (verb, given, offersMessages) => {
    const { path, attempt, group, resource } = placeOf(verb, target, location, allNamespaces);
    const query = encodeListOptions(tweakListOptions({ ...given, ...selection, ...(verb === "watch" ? { watch: true } : {}) }));
    const json = projection === "full" ? jsonMediaType : verb === "list" ? partialObjectMetadataListAccept : partialObjectMetadataAccept;
    const headers = { accept: offersMessages ? `${messageAccept(projection, verb)},${json}` : json };
    return [
      { method: "GET", path: query === "" ? path : `${path}?${query}`, headers },
      { attempt, method: "GET", resource: { group, resource } },
    ];
  };
  const prepareGet: SourceParts<T>["prepareGet"] = (key, resourceVersion, offersMessages) => {
    const { namespace: of, name } = splitObjectKey(key);
    const { path, attempt, group, resource } = placeOf("get", target, { name, ...(of === "" ? {} : { namespace: of }) }, allNamespaces);
    const query = encodeGetOptions({ resourceVersion });
    const json = projection === "full" ? jsonMediaType : partialObjectMetadataAccept;
    const headers = { accept: offersMessages ? `${messageAccept(projection, "watch")},${json}` : json };
    return [
      { method: "GET", path: query === "" ? path : `${path}?${query}`, headers },
      { attempt, method: "GET", resource: { group, resource }, name },
    ];
  };
  const selected = selection.labelSelector === undefined ? undefined : parseSelector(selection.labelSelector);
  return new LateSource<T>({
    description: placeOf("list", target, location, allNamespaces).attempt.slice("list ".length),
    supportsWatchList: watchList,
    transport,
    clock,
    reader,
    prepare,
    prepareGet,
    selects: (labels) => selected === undefined || selected.matches(labels),
    supportsProtobuf,
    loadFormat: format === "json" ? undefined : () => messageFormat({ target, projection, limit }),
    limit: limit === undefined ? undefined : { fields: limit.fields, check: () => checkDeclared(target, limit) },
    silenceMs,
    maxBodyBytes,
  });
}

function limitOf({ fields, projection = "full", keepManagedFields = false }: Partial<ListWatcherSettings>): FieldLimit | undefined {
  if (fields === undefined) return undefined;
  if (projection === "metadata")
    throw new TypeError("fields: an informer of metadata has no other fields; omit fields, or watch whole objects");
  const limit = new FieldLimit(fields);
  if (!keepManagedFields && limit.fields.some((field) => field === managed || field.startsWith(`${managed}.`)))
    throw new TypeError(`fields: ${managed} is kept only with keepManagedFields (\`writers\` of a source); set that instead`);
  return limit;
}

const managed = "metadata.managedFields";

const metadataOf = { list: "PartialObjectMetadataList", watch: "PartialObjectMetadata" } as const;

const messageAccept = (projection: "full" | "metadata", verb: "list" | "watch"): string =>
  projection === "full" ? protobufMediaType : `${protobufMediaType};as=${metadataOf[verb]};g=meta.k8s.io;v=v1`;
