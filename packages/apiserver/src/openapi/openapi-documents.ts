/**
 * OpenAPI documents of the served resources. Those of built-in kinds come from the archive, which is read on first use; those of
 * custom resources are generated, and again only when a resource of their group version changes.
 *
 *     archive + Resource[] → OpenApiDocuments → openapi-response
 */
import { assert, compareBytes, decodeJson, encodeJson, isJsonObject } from "@drover/machinery";
import type { EncodeJsonOptions, JsonObject, JsonValue } from "@drover/machinery";
import type { Pause } from "../registry/resource.ts";
import { builtInParts } from "./built-in-parts.ts";
import type { BuiltInParts } from "./built-in-parts.ts";
import type { PublishedResource } from "./custom-definition.ts";
import { customV2Addition } from "./custom-v2.ts";
import { customV3Part, customV3Text } from "./custom-v3.ts";
import type { V3Part } from "./custom-v3.ts";
import { gnosticDocument } from "./gnostic-document.ts";
import { gnosticV3Document } from "./gnostic-v3-document.ts";
import { sortedObject } from "./json-order.ts";
import { archiveFile, readArchive, v2DocumentName } from "./openapi-archive.ts";
import type { ArchivedDocument } from "./openapi-archive.ts";

/** What the documents need from the platform. */
export interface OpenApiHost {
  /** Reads a file of this package's folder `data`. */
  readonly readData: (name: string) => Uint8Array;
  /** Decompresses Brotli. */
  readonly inflate: (bytes: Uint8Array) => Uint8Array;
  readonly gzip: (bytes: Uint8Array) => Uint8Array;
  readonly sha512Hex: (bytes: Uint8Array) => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface OpenApiDocument {
  readonly bytes: Uint8Array;
  /** SHA-512, upper-case hexadecimal. */
  readonly hash: string;
  /** When the document last changed, in milliseconds since 1970. */
  readonly lastModified: number;
  /** The binary form, encoded on first use. */
  readonly protobuf: () => Uint8Array;
}

/** The v2 document in its encodings, each produced on first use. */
export interface V2Document extends OpenApiDocument {
  readonly compressed: (bytes: Uint8Array) => Uint8Array;
}

interface CustomDocument extends OpenApiDocument {
  readonly resources: readonly PublishedResource[];
}

/** Guarantees: a document whose text does not change keeps its hash and its time. */
export class OpenApiDocuments {
  readonly #host: OpenApiHost;
  #archive: { readonly documents: ReadonlyMap<string, ArchivedDocument>; readonly loadedAt: number } | undefined;
  #parts: BuiltInParts | undefined;
  readonly #v3Parts = new WeakMap<PublishedResource, V3Part>();
  readonly #custom = new Map<string, CustomDocument>();
  /** The binary forms of v3 documents that were requested, by their text. */
  readonly #v3Messages = new WeakMap<Uint8Array, Uint8Array>();
  #v3: { readonly resources: readonly PublishedResource[]; readonly documents: ReadonlyMap<string, OpenApiDocument> } | undefined;
  #v2: { readonly resources: readonly PublishedResource[]; readonly document: V2Document } | undefined;

  constructor(host: OpenApiHost) {
    this.#host = host;
  }

  /** Makes the parts of new custom resources, with pauses, so that `v3` has only to join them. */
  async prepare(resources: readonly PublishedResource[], pause: Pause): Promise<void> {
    for (const resource of resources) {
      if (!resource.isCustom || this.#v3Parts.has(resource)) continue;
      this.#v3Part(resource);
      await pause();
    }
  }

  /** Returns the v3 documents by name, "apis/apps/v1", sorted. */
  v3(resources: readonly PublishedResource[]): ReadonlyMap<string, OpenApiDocument> {
    if (this.#v3?.resources === resources) return this.#v3.documents;
    const { documents: archived, loadedAt } = this.#load();
    const isServed = builtInFilter(resources);
    const builtIn = [...archived]
      .filter(([name]) => name !== v2DocumentName && isServed(name))
      .map(([name, { bytes, hash }]) => [name, { bytes, hash, lastModified: loadedAt, protobuf: () => this.#v3Message(bytes) }] as const);
    const custom = this.#customDocuments(resources, new Set(builtIn.map(([name]) => name)));
    const documents = new Map([...builtIn, ...custom].toSorted(([a], [b]) => compareBytes(a, b)));
    this.#v3 = { resources, documents };
    return documents;
  }

  /** Returns the v2 document. */
  v2(resources: readonly PublishedResource[]): V2Document {
    if (this.#v2?.resources === resources) return this.#v2.document;
    const bytes = this.#v2Bytes(resources);
    const hash = this.#hash(bytes);
    const known = this.#v2?.document;
    const document = known?.hash === hash ? known : this.#v2Document(bytes, hash);
    this.#v2 = { resources, document };
    return document;
  }

  #customDocuments(
    resources: readonly PublishedResource[],
    taken: ReadonlySet<string>,
  ): (readonly [name: string, document: OpenApiDocument])[] {
    const byName = new Map<string, PublishedResource[]>();
    for (const resource of resources) {
      const name = `apis/${resource.kind.group}/${resource.kind.version}`;
      if (!resource.isCustom || taken.has(name)) continue;
      byName.set(name, [...(byName.get(name) ?? []), resource]);
    }
    for (const name of this.#custom.keys()) if (!byName.has(name)) this.#custom.delete(name);
    return [...byName].map(([name, own]) => [name, this.#customDocument(name, own)] as const);
  }

  #customDocument(name: string, resources: readonly PublishedResource[]): CustomDocument {
    const known = this.#custom.get(name);
    if (known?.resources.length === resources.length && known.resources.every((resource, at) => resource === resources[at])) return known;
    const text = customV3Text(
      resources.map((resource) => this.#v3Part(resource)),
      this.#sharedParts(),
    );
    const bytes = new TextEncoder().encode(text);
    const hash = this.#hash(bytes);
    const lastModified = known?.hash === hash ? known.lastModified : this.#host.now();
    const document = { resources, bytes, hash, lastModified, protobuf: () => this.#v3Message(bytes) };
    this.#custom.set(name, document);
    return document;
  }

  #v3Message(bytes: Uint8Array): Uint8Array {
    const known = this.#v3Messages.get(bytes) ?? gnosticV3Document(decodeJson(new TextDecoder().decode(bytes)) as JsonObject);
    this.#v3Messages.set(bytes, known);
    return known;
  }

  #v3Part(resource: PublishedResource): V3Part {
    const known = this.#v3Parts.get(resource) ?? customV3Part(resource, this.#sharedParts());
    this.#v3Parts.set(resource, known);
    return known;
  }

  /** The archived text, unless something has to be added or removed. */
  #v2Bytes(resources: readonly PublishedResource[]): Uint8Array {
    const { documents } = this.#load();
    const isServed = builtInFilter(resources);
    const custom = resources.filter(({ isCustom }) => isCustom);
    const whole = this.#archived(v2DocumentName).bytes;
    if (custom.length === 0 && [...documents.keys()].every(isServed)) return whole;
    const document = parsed(whole);
    const additions = custom.map((resource) => customV2Addition(resource, this.#sharedParts()));
    const paths = [
      ...additions.flatMap((addition) => addition.paths),
      ...membersOf(document, "paths").filter(([path]) => isServed(documentOfPath(path))),
    ];
    const definitions = [...additions.flatMap((addition) => addition.definitions), ...membersOf(document, "definitions")];
    return encoded({ ...document, paths: sortedObject(paths), definitions: sortedObject(definitions) }, { escapeHtml: false });
  }

  #v2Document(bytes: Uint8Array, hash: string): V2Document {
    const { gzip, now } = this.#host;
    const compressed = new Map<Uint8Array, Uint8Array>();
    let protobuf: Uint8Array | undefined;
    return {
      bytes,
      hash,
      lastModified: now(),
      protobuf: () => (protobuf ??= gnosticDocument(decodeJson(new TextDecoder().decode(bytes)) as JsonObject)),
      compressed: (form) => {
        const known = compressed.get(form) ?? gzip(form);
        compressed.set(form, known);
        return known;
      },
    };
  }

  #sharedParts(): BuiltInParts {
    return (this.#parts ??= builtInParts(parsed(this.#archived("apis/apps/v1").bytes), parsed(this.#archived(v2DocumentName).bytes)));
  }

  #archived(name: string): ArchivedDocument {
    const found = this.#load().documents.get(name);
    assert(found !== undefined, `${archiveFile} lacks ${name}; run npm run generate-openapi to rebuild it`);
    return found;
  }

  #load(): { readonly documents: ReadonlyMap<string, ArchivedDocument>; readonly loadedAt: number } {
    return (this.#archive ??= { documents: readArchive(this.#host.inflate(this.#host.readData(archiveFile))), loadedAt: this.#host.now() });
  }

  #hash(bytes: Uint8Array): string {
    return this.#host.sha512Hex(bytes).toUpperCase();
  }
}

/** Returns whether an archived document belongs to a served group version. */
function builtInFilter(resources: readonly PublishedResource[]): (name: string) => boolean {
  const served = new Set(
    resources
      .filter(({ isCustom }) => !isCustom)
      .flatMap(({ kind: { group, version } }) => (group === "" ? [`api/${version}`] : [`apis/${group}`, `apis/${group}/${version}`])),
  );
  return (name) => !/^apis?\//.test(name) || served.has(name);
}

/** "/apis/apps/v1/deployments" → "apis/apps/v1", "/apis/apps/" → "apis/apps". */
function documentOfPath(path: string): string {
  const [root = "", ...rest] = path.split("/").filter((part) => part !== "");
  return [root, ...rest.slice(0, root === "apis" ? 2 : 1)].join("/");
}

/** kube-apiserver escapes HTML characters in v3 but not in v2. */
const encoded = (document: JsonObject, options: EncodeJsonOptions): Uint8Array => new TextEncoder().encode(encodeJson(document, options));

/** Parses an archived document. It contains no number that JavaScript would round, so the much faster JSON.parse will do. */
function parsed(bytes: Uint8Array): JsonObject {
  return JSON.parse(new TextDecoder().decode(bytes)) as JsonObject;
}

function membersOf(document: JsonObject, key: string): (readonly [string, JsonValue])[] {
  const member = document[key];
  return isJsonObject(member) ? Object.entries(member) : [];
}
