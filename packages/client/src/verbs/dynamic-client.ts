/**
 * The verbs of one resource whose type is known only at run time; every verb also reaches subresources.
 *
 *     a row of discovery, a mapping, a target → DynamicClient → exchange → Transport
 *
 * `ResourceClient` is the same with narrower types.
 */
import { definedOnly, encodeGetOptions, encodeListOptions, jsonMediaType, patchContentType } from "@drover/machinery";
import type { DeepReadonly, KubeList, KubeObject, Status, WatchEvent } from "@drover/machinery";
import type {
  ApplyOptions,
  CallOptions,
  ListAllOptions,
  ListPageOptions,
  NamespaceOption,
  ReadOptions,
  RemoveCollectionOptions,
  RemoveOptions,
  WatchOptions,
  WriteOptions,
} from "./call-options.ts";
import { exchange, openWatch } from "./exchange.ts";
import type { ClientOptions } from "./client-options.ts";
import type { Exchange } from "./exchange.ts";
import { withItemKinds, withKind } from "./filled-kind.ts";
import { mappedIterator } from "./mapped-iterator.ts";
import { nameOfWrite, namespaceOfWrite, refuseLimited, typedBody } from "./object-body.ts";
import { deleteBody, listOptionsOf, listQuery, watchQuery, writeQuery } from "./option-query.ts";
import type { AnyPatch } from "./patch-body.ts";
import { listItems } from "../rest/pager.ts";
import type { PageSource } from "../rest/pager.ts";
import { placeOf, placeOfOne } from "./resource-target.ts";
import type { Place, ResourceTarget } from "./resource-target.ts";

/** An object of any kind: typed metadata, other fields as the server sent them. */
export interface Unstructured extends KubeObject {
  [field: string]: unknown;
}

/** A namespace and, for requests about a subresource, its name. */
export interface AnyPlace extends NamespaceOption {
  /** "status", "scale"; may have several segments: "proxy/metrics". @default the object itself */
  readonly subresource?: string;
}

/** To create a subresource of an object that the body does not name. */
export interface AnyCreatePlace extends AnyPlace {
  /** Name of the object. @default `metadata.name` of the body */
  readonly name?: string;
}

/**
 * All verbs of one resource. Guarantees of every verb: an error of the server is an `ApiError` that names the operation;
 * objects have `apiVersion` and `kind`, also as items of lists; an abort rejects with the signal's reason.
 */
export interface DynamicClient {
  /** The resource of this client. */
  readonly target: ResourceTarget;
  get(name: string, options?: ReadOptions & AnyPlace): Promise<Unstructured>;
  /** Returns one page; `metadata.continue` is set if there are more. */
  list(options?: ListPageOptions & NamespaceOption): Promise<KubeList<Unstructured>>;
  /** Yields every object, page by page. */
  listAll(options?: ListAllOptions & NamespaceOption): AsyncIterableIterator<Unstructured, void, undefined>;
  /** Yields changes until the server ends the watch. Errors in the stream are events of type ERROR. */
  watch(options?: WatchOptions & NamespaceOption): AsyncIterableIterator<WatchEvent<Unstructured>, void, undefined>;
  /** Creates the object. The server chooses the name with `metadata.generateName`. */
  create(object: DeepReadonly<Unstructured>, options?: WriteOptions & AnyCreatePlace): Promise<Unstructured>;
  /** Replaces the object. With `metadata.resourceVersion`, fails with a conflict if the object has changed since. */
  update(object: DeepReadonly<Unstructured>, options?: WriteOptions & AnyPlace): Promise<Unstructured>;
  patch(name: string, patch: AnyPatch, options?: WriteOptions & AnyPlace): Promise<Unstructured>;
  /** Applies the fields of this object (server-side apply). Requires a field manager, the client's or the call's. */
  apply(object: DeepReadonly<Unstructured>, options?: ApplyOptions & AnyPlace): Promise<Unstructured>;
  /** Returns the deleted object if the kind does that or the deletion is still pending; else a Status. */
  delete(name: string, options?: RemoveOptions & AnyPlace): Promise<Unstructured | Status>;
  /** Deletes what matches; without a selector everything in the namespace. Returns the objects, or a Status. */
  deleteCollection(options?: RemoveCollectionOptions & NamespaceOption): Promise<KubeList<Unstructured> | Status>;
}

/** Requested representation of objects and lists: the Accept headers. */
export interface Representation {
  readonly accept: string;
  readonly listAccept: string;
}

const wholeObjects: Representation = { accept: jsonMediaType, listAccept: jsonMediaType };

/** Returns the client of one resource. Sends no request by itself. */
export function dynamicClient(core: ClientOptions, target: ResourceTarget, representation: Representation = wholeObjects): DynamicClient {
  const calls = new ResourceCalls(core, target, representation);
  return {
    target,
    get: (name, options) => calls.get(name, options),
    list: (options) => calls.list(options),
    listAll: (options) => calls.listAll(options),
    watch: (options) => calls.watch(options),
    create: (object, options) => calls.create(object, options),
    update: (object, options) => calls.update(object, options),
    patch: (name, patch, options) => calls.patch(name, patch, options),
    apply: (object, options) => calls.apply(object, options),
    delete: (name, options) => calls.delete(name, options),
    deleteCollection: (options) => calls.deleteCollection(options),
  };
}

/**
 * The verbs as methods. Every run of a controller has a client of its own and often makes one call with it: an instance of this class costs
 * little, while the functions of a `DynamicClient` cost more than that call.
 */
export class ResourceCalls implements DynamicClient {
  readonly target: ResourceTarget;
  readonly #core: ClientOptions;
  readonly #representation: Representation;

  constructor(core: ClientOptions, target: ResourceTarget, representation: Representation = wholeObjects) {
    this.target = target;
    this.#core = core;
    this.#representation = representation;
  }

  async get(name: string, options: ReadOptions & AnyPlace = {}): Promise<Unstructured> {
    return this.#object({ method: "GET", place: this.#atOne("get", options, name), query: encodeGetOptions(options) }, options);
  }

  async list(options: ListPageOptions & NamespaceOption = {}): Promise<KubeList<Unstructured>> {
    return this.#list(this.#at("list", options), listQuery(options), options);
  }

  listAll({ pageSize, signal, timeoutMs, ...options }: ListAllOptions & NamespaceOption = {}): ReturnType<DynamicClient["listAll"]> {
    const place = this.#at("list", options);
    const page: PageSource<Unstructured> = (asked, call) =>
      this.#list(place, encodeListOptions(asked), { ...call, ...definedOnly({ timeoutMs }) });
    return listItems(page, listOptionsOf(options), definedOnly({ pageSize, signal }));
  }

  watch(options: WatchOptions & NamespaceOption = {}): ReturnType<DynamicClient["watch"]> {
    const { target } = this;
    const { accept } = this.#representation;
    const request = { method: "GET", place: this.#at("watch", options), accept, query: watchQuery(options) } as const;
    return mappedIterator(openWatch<Unstructured>(this.#core, request, options), (event) =>
      event.type === "ERROR" || event.type === "BOOKMARK" ? event : { type: event.type, object: withKind(target, event.object) },
    );
  }

  async create(object: DeepReadonly<Unstructured>, options: WriteOptions & AnyCreatePlace = {}): Promise<Unstructured> {
    const { subresource } = options;
    const name =
      subresource === undefined ? undefined : (options.name ?? nameOfWrite(`create ${this.target.resource}/${subresource}`, object));
    return this.#write({ method: "POST", ...this.#written("create", object, options, name) }, options);
  }

  async update(object: DeepReadonly<Unstructured>, options: WriteOptions & AnyPlace = {}): Promise<Unstructured> {
    const name = nameOfWrite(`update ${this.target.resource}`, object);
    const request = this.#written("update", object, options, name);
    refuseLimited(request.place.attempt, object, options.subresource);
    return this.#write({ method: "PUT", ...request }, options);
  }

  async patch(name: string, { type, body }: AnyPatch, options: WriteOptions & AnyPlace = {}): Promise<Unstructured> {
    const place = this.#atOne("patch", options, name);
    return this.#write({ method: "PATCH", place, contentType: patchContentType(type), body }, options);
  }

  async apply(object: DeepReadonly<Unstructured>, options: ApplyOptions & AnyPlace = {}): Promise<Unstructured> {
    const request = this.#written("apply", object, options, nameOfWrite(`apply ${this.target.resource}`, object));
    checkApplied(request.place.attempt, object, options.fieldManager ?? this.#core.fieldManager);
    refuseLimited(request.place.attempt, object, options.subresource);
    return this.#write({ method: "PATCH", ...request, contentType: patchContentType("apply") }, options);
  }

  async delete(name: string, options: RemoveOptions & AnyPlace = {}): Promise<Unstructured | Status> {
    const place = this.#atOne("delete", options, name);
    const { accept } = this.#representation;
    return exchange(this.#core, { method: "DELETE", place, accept, query: "", body: deleteBody(options) }, options);
  }

  async deleteCollection(options: RemoveCollectionOptions & NamespaceOption = {}): Promise<KubeList<Unstructured> | Status> {
    const place = this.#at("deletecollection", options);
    const { listAccept: accept } = this.#representation;
    const request = { method: "DELETE", place, accept, query: listQuery(options), body: deleteBody(options) } as const;
    const answer = await exchange<KubeList<Unstructured> | Status>(this.#core, request, options);
    return "items" in answer ? withItemKinds(this.target, answer) : answer;
  }

  #at(verb: string, { namespace, subresource }: AnyPlace, name?: string): Place {
    return placeOf(verb, this.target, { namespace, subresource, name }, this.#core.namespace);
  }

  #atOne(verb: string, { namespace, subresource }: AnyPlace, name: string): Place {
    return placeOfOne(verb, this.target, { namespace, subresource, name }, this.#core.namespace);
  }

  /** Returns place and body of a write. The body of a subresource may be of another kind, so it is sent unchanged. */
  #written(
    verb: string,
    object: DeepReadonly<Unstructured>,
    options: AnyPlace,
    name: string | undefined,
  ): Pick<Exchange, "place" | "body"> {
    const { target } = this;
    const attempt = `${verb} ${target.resource}${name === undefined ? "" : `/${name}`}`;
    const namespace = namespaceOfWrite(attempt, target, object, options.namespace);
    const place = this.#at(verb, { ...options, ...definedOnly({ namespace }) }, name);
    return { place, body: options.subresource === undefined ? typedBody(place.attempt, target, object) : object };
  }

  /** Sends a write, with the client's field manager unless the options have one. */
  #write(request: Omit<Exchange, "accept" | "query">, options: ApplyOptions): Promise<Unstructured> {
    const { fieldManager } = this.#core;
    return this.#object({ ...request, query: writeQuery({ ...definedOnly({ fieldManager }), ...options }) }, options);
  }

  async #object(request: Omit<Exchange, "accept">, options: CallOptions): Promise<Unstructured> {
    const { accept } = this.#representation;
    return withKind(this.target, await exchange<Unstructured>(this.#core, { ...request, accept }, options));
  }

  async #list(place: Place, query: string, options: CallOptions): Promise<KubeList<Unstructured>> {
    const request = { method: "GET", place, accept: this.#representation.listAccept, query } as const;
    return withItemKinds(this.target, await exchange<KubeList<Unstructured>>(this.#core, request, options));
  }
}

/** Rejects what the server would reject less clearly. */
function checkApplied(attempt: string, object: DeepReadonly<Unstructured>, fieldManager: string | undefined): void {
  if (fieldManager === undefined || fieldManager === "") {
    throw new TypeError(`${attempt}: server-side apply needs a field manager; pass \`fieldManager\` to the client or the call`);
  }
  if (object.metadata.managedFields !== undefined) {
    throw new TypeError(
      `${attempt}: metadata.managedFields is maintained by the server and cannot be applied; \`only(object, fields)\` omits it`,
    );
  }
}
