/**
 * The server's OpenAPI v3 documents: an index with a URL and hash per group version, and the documents.
 *
 *     Transport → OpenApiClient → document → OpenApiSchemas → validateObject
 */
import { apiVersionOf, assert } from "@drover/machinery";
import type { GroupVersion, GroupVersionKind, JsonObject, Transport, WaitOptions } from "@drover/machinery";
import { DiscoveryDocumentError } from "./discovery-error.ts";
import { nameField, objectField } from "./document-field.ts";
import { fetchDocument } from "./document-request.ts";
import type { DocumentRequestOptions, FetchedDocument } from "./document-request.ts";
import { OpenApiSchemas } from "./openapi-schemas.ts";
import type { ObjectSchema } from "./openapi-schemas.ts";
import { SharedCall } from "./shared-call.ts";

/** Location of a document. */
export interface OpenApiPath {
  /** Path and query on this server. If it contains a hash, the document is unchanged while the URL is. */
  readonly url: string;
  /** Empty if the server sends none; the document is then revalidated with its ETag. */
  readonly hash: string;
}

/** Name in the index ("api/v1", "apis/apps/v1", "version") → location. */
export type OpenApiPaths = ReadonlyMap<string, OpenApiPath>;

interface KeptDocument {
  readonly url: string;
  readonly etag: string;
  readonly document: JsonObject;
  schemas: OpenApiSchemas | undefined;
}

const root = "/openapi/v3";
const accept = "application/json";

/**
 * Fetches the index on every call, with a 304 if nothing has changed, and each document once per hash. Concurrent calls
 * share a request.
 */
export class OpenApiClient {
  readonly #transport: Transport;
  readonly #options: DocumentRequestOptions;
  readonly #documents = new Map<string, KeptDocument>();
  readonly #calls = new Map<string, SharedCall<KeptDocument>>();
  #indexCall: SharedCall<OpenApiPaths> | undefined;
  #index: { readonly etag: string; readonly paths: OpenApiPaths } | undefined;

  constructor(transport: Transport, options: DocumentRequestOptions) {
    this.#transport = transport;
    this.#options = options;
  }

  /** Returns the index. Some servers send it as plain text; it is still JSON. */
  paths(options: WaitOptions = {}): Promise<OpenApiPaths> {
    this.#indexCall ??= new SharedCall(
      (signal) => this.#fetchIndex(signal),
      () => {
        this.#indexCall = undefined;
      },
    );
    return this.#indexCall.join(options);
  }

  /** Returns the document of a group version unchanged; undefined if the index has none. Do not modify it: it is shared. */
  async document(groupVersion: GroupVersion, options: WaitOptions = {}): Promise<JsonObject | undefined> {
    return (await this.#kept(groupVersion, options))?.document;
  }

  /** Returns the schemas of a group version; undefined if the index has none. */
  async schemas(groupVersion: GroupVersion, options: WaitOptions = {}): Promise<OpenApiSchemas | undefined> {
    const kept = await this.#kept(groupVersion, options);
    if (kept !== undefined) kept.schemas ??= new OpenApiSchemas(kept.document);
    return kept?.schemas;
  }

  /** Returns the schema of a kind, for `validateObject`; undefined if the server has none. */
  async schemaFor(kind: GroupVersionKind, options: WaitOptions = {}): Promise<ObjectSchema | undefined> {
    return (await this.schemas(kind, options))?.schemaFor(kind);
  }

  async #fetchIndex(signal: AbortSignal): Promise<OpenApiPaths> {
    const fetched = await fetchDocument(
      this.#transport,
      { path: root, accept: `${accept}, */*`, etag: this.#index?.etag, signal },
      this.#options,
    );
    if (fetched === undefined && this.#index !== undefined) return this.#index.paths;
    assert(fetched !== undefined, "a 304 without an ETag to compare");
    const paths = readPaths(objectField(fetched.document, "the OpenAPI v3 index"));
    this.#index = { etag: fetched.etag, paths };
    return paths;
  }

  async #kept(groupVersion: GroupVersion, options: WaitOptions): Promise<KeptDocument | undefined> {
    const name = `${groupVersion.group === "" ? "api" : "apis"}/${apiVersionOf(groupVersion)}`;
    const place = (await this.paths(options)).get(name);
    if (place === undefined) return undefined;
    const kept = this.#documents.get(name);
    if (kept?.url === place.url && place.hash !== "") return kept;
    const call =
      this.#calls.get(place.url) ??
      new SharedCall(
        (signal) => this.#fetch(name, place, signal),
        () => this.#calls.delete(place.url),
      );
    this.#calls.set(place.url, call);
    return call.join(options);
  }

  async #fetch(name: string, { url }: OpenApiPath, signal: AbortSignal): Promise<KeptDocument> {
    const kept = this.#documents.get(name);
    const fetched = await fetchDocument(this.#transport, { path: url, accept, etag: kept?.etag, signal }, this.#options);
    const now = fetched === undefined ? sameDocument(kept, url) : newDocument(fetched, name);
    this.#documents.set(name, now);
    return now;
  }
}

function sameDocument(kept: KeptDocument | undefined, url: string): KeptDocument {
  assert(kept !== undefined, "a 304 without an ETag to compare");
  return { ...kept, url };
}

/** Keyed by the final address: a redirect means that the hash changed after the index was read, and the next index has the new one. */
function newDocument({ path, etag, document }: FetchedDocument, name: string): KeptDocument {
  return { url: withoutPrefix(path), etag, document: objectField(document, `the OpenAPI v3 document of ${name}`), schemas: undefined };
}

function readPaths(index: JsonObject): OpenApiPaths {
  const paths = objectField(index["paths"] ?? {}, "paths of the OpenAPI v3 index");
  return new Map(
    Object.entries(paths).map(([name, value]) => {
      const url = withoutPrefix(nameField(objectField(value, `paths["${name}"]`)["serverRelativeURL"], `serverRelativeURL of ${name}`));
      if (!url.startsWith(`${root}/`) || !/^[!-~]+$/.test(url))
        throw new DiscoveryDocumentError(`serverRelativeURL of ${name}: ${JSON.stringify(url)} is not a path below ${root}`);
      return [name, { url, hash: /[?&]hash=([^&]*)/.exec(url)?.[1] ?? "" }];
    }),
  );
}

/** A proxy may have added its path prefix; the transport adds it itself. */
function withoutPrefix(url: string): string {
  const start = url.indexOf(`${root}/`);
  return url.startsWith("/") && start > 0 ? url.slice(start) : url;
}
