/**
 * Objects as kube-apiserver stores them in etcd: built-in kinds as protobuf in an envelope, custom resources and the kinds of separate
 * API servers as JSON.
 *
 *     text of the store ⇄ EtcdValues ⇄ bytes in etcd
 *
 * Objects are stored without resourceVersion, which is the revision of their key.
 */
import { kinds } from "@drover/api";
import { apiVersionOf, decodeJson, encodeJson, isJsonObject } from "@drover/machinery";
import { decodeEnvelope, encodeEnvelope, isEnvelope } from "@drover/machinery/protobuf";
import type { Clock, JsonObject, Kind } from "@drover/machinery";
import { portRecordKey } from "../allocation/port-record.ts";
import { conversionOf } from "../builtin/built-in-resources.ts";
import { definitionFromStored, definitionToStored, storedDefinitionVersion } from "../builtin/conversion/definition-conversion.ts";
import { setDefaultsOf } from "../builtin/defaults/defaults.ts";
import { isOfOwnServer, storagePrefixOf } from "../builtin/storage-prefix.ts";
import { builtInCodec } from "../codec/built-in-codec.ts";
import type { Codec } from "../codec/codec.ts";
import { encodeStored, markedVersion, markVersion } from "../registry/stored-text.ts";
import type { EtcdValues } from "../storage/etcd/etcd-values.ts";

/** Returns the values of a server's objects. `clock` is for defaults that are times. */
export const etcdObjectValues = (clock: Clock): EtcdObjectValues => new ObjectValues(clock);

export interface EtcdObjectValues extends EtcdValues {
  /** Returns the group and the resource of a key: "", "secrets" for "/registry/secrets/default/x". Undefined if it has no object. */
  readonly resourceOf: (key: string) => { readonly group: string; readonly resource: string } | undefined;
}

/** A built-in resource with the versions in which its objects can be stored. */
interface StoredResource {
  readonly kind: Kind;
  /** The version that is written: that of the kind, or an older one with the same fields. */
  readonly apiVersion: string;
  /** By apiVersion. */
  readonly versions: ReadonlyMap<string, Kind>;
}

/**
 * Kinds that kube-apiserver 1.36 stores in an older version with the same fields, so that a server one release older can read them. By
 * group and resource.
 */
const olderVersions: ReadonlyMap<string, string> = new Map([
  ["admissionregistration.k8s.io/mutatingadmissionpolicies", "v1beta1"],
  ["admissionregistration.k8s.io/mutatingadmissionpolicybindings", "v1beta1"],
]);

class ObjectValues implements EtcdObjectValues {
  readonly #clock: Clock;
  /** By key prefix. */
  readonly #resources: ReadonlyMap<string, StoredResource> = storedResources();
  /** Made when the first object of a kind is read or written. */
  readonly #codecs = new Map<Kind, Codec>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  readonly decode = (key: string, value: Uint8Array): string | undefined => {
    const resource = this.#resourceOf(key);
    if (isEnvelope(value)) return resource === undefined ? undefined : this.#decodeMessage(resource, value);
    const text = new TextDecoder("utf-8", { fatal: true }).decode(value);
    if (resource === undefined) return decodeCustom(text);
    const object = jsonObject(text);
    const { apiVersion } = object;
    if (apiVersion === storedDefinitionVersion) return this.#definitionText(resource, object);
    return this.#textOf(
      resource,
      typeof apiVersion === "string" ? apiVersion : "",
      (codec, current) => codec.decodeBody(encodeJson({ ...object, apiVersion: current }), "application/json").object,
    );
  };

  readonly encode = (key: string, text: string, kind: string | undefined): Uint8Array => {
    const { metadata, ...rest } = jsonObject(text);
    const { resourceVersion: _none, ...meta } = isJsonObject(metadata) ? metadata : {};
    const resource = this.#resourceOf(key);
    if (resource === undefined) {
      const apiVersion = markedVersion(text);
      if (kind === undefined || apiVersion === undefined) throw new TypeError(`${key} is neither of a built-in kind nor of a custom one`);
      return jsonLine(encodeJson({ ...rest, apiVersion, kind, metadata: meta }, { escapeHtml: true, sortKeys: true }));
    }
    const names = { kind: resource.kind.kind, apiVersion: resource.apiVersion };
    const object: JsonObject = { ...names, metadata: meta, ...rest };
    const { messages } = this.#codecOf(resource.kind);
    if (resource.kind.plural === "customresourcedefinitions" && isOfOwnServer(resource.kind))
      return jsonLine(encodeJson(definitionToStored(object), { escapeHtml: true }));
    if (messages === undefined || isOfOwnServer(resource.kind)) return jsonLine(encodeJson(object, { escapeHtml: true }));
    return encodeEnvelope({ ...names, message: messages.encode(object) });
  };

  readonly resourceOf = (key: string): { readonly group: string; readonly resource: string } | undefined => {
    if (key === portRecordKey) return undefined;
    const { kind } = this.#resourceOf(key) ?? {};
    if (kind !== undefined) return { group: kind.group, resource: kind.plural };
    const [, , group = "", resource = ""] = key.split("/");
    return { group, resource };
  };

  #decodeMessage(resource: StoredResource, value: Uint8Array): string {
    const envelope = decodeEnvelope(value);
    return this.#textOf(resource, envelope.apiVersion, ({ messages }, apiVersion) => {
      const bytes = apiVersion === envelope.apiVersion ? value : encodeEnvelope({ ...envelope, apiVersion });
      return messages?.decodeBody(bytes).object ?? {};
    });
  }

  #definitionText({ kind }: StoredResource, object: JsonObject): string {
    return encodeStored(this.#codecOf(kind).decodeValue(definitionFromStored(object)).object, { isCustom: false });
  }

  #textOf(
    { kind: stored, versions }: StoredResource,
    apiVersion: string,
    decode: (codec: Codec, apiVersion: string) => JsonObject,
  ): string {
    const kind = versions.get(apiVersion);
    if (kind === undefined)
      throw new Error(`it is stored as ${apiVersion}, which this server does not read; it reads ${[...versions.keys()].join(", ")}`);
    const object = decode(this.#codecOf(kind), apiVersionOf(kind));
    return encodeStored(kind === stored ? object : (conversionOf(kind)?.toStored(object) ?? object), { isCustom: false });
  }

  #codecOf(kind: Kind): Codec {
    const known = this.#codecs.get(kind);
    if (known !== undefined) return known;
    const codec = builtInCodec(kind, setDefaultsOf(kind, { clock: this.#clock }));
    this.#codecs.set(kind, codec);
    return codec;
  }

  /** Prefixes have one or two parts behind the root: "/registry/pods/", "/registry/services/specs/". One key has a kind of its own. */
  #resourceOf(key: string): StoredResource | undefined {
    const first = key.indexOf("/", 1);
    const second = key.indexOf("/", first + 1);
    const third = key.indexOf("/", second + 1);
    return this.#resources.get(key) ?? this.#resources.get(key.slice(0, third + 1)) ?? this.#resources.get(key.slice(0, second + 1));
  }
}

/** The kind of the record of node ports, which is stored and not served. */
const rangeAllocation: Kind = {
  group: "",
  version: "v1",
  kind: "RangeAllocation",
  listKind: "RangeAllocationList",
  plural: "servicenodeportallocations",
  singular: "servicenodeportallocation",
  shortNames: [],
  categories: [],
  scope: "Cluster",
  verbs: [],
  subresources: {},
};

function storedResources(): ReadonlyMap<string, StoredResource> {
  const resources = new Map<string, { kind: Kind; apiVersion: string; versions: Map<string, Kind> }>();
  resources.set(portRecordKey, { kind: rangeAllocation, apiVersion: "v1", versions: new Map([["v1", rangeAllocation]]) });
  for (const kind of kinds) {
    const prefix = storagePrefixOf(kind);
    const version = olderVersions.get(`${kind.group}/${kind.plural}`) ?? kind.version;
    const apiVersion = apiVersionOf({ ...kind, version });
    const resource = resources.get(prefix) ?? { kind, apiVersion, versions: new Map<string, Kind>() };
    resource.versions.set(apiVersionOf(kind), kind).set(apiVersion, kind);
    if (conversionOf(kind) === undefined) Object.assign(resource, { kind, apiVersion });
    resources.set(prefix, resource);
  }
  return resources;
}

/** Undefined for a value that is no object, such as those of other programs below the prefix. */
function decodeCustom(text: string): string | undefined {
  if (!text.startsWith("{")) return undefined;
  const { apiVersion, kind, metadata } = jsonObject(text);
  if (typeof apiVersion !== "string" || typeof kind !== "string" || !isJsonObject(metadata)) return undefined;
  return markVersion(encodeStored(jsonObject(text), { isCustom: true }), apiVersion);
}

function jsonObject(text: string): JsonObject {
  const value = decodeJson(text);
  if (!isJsonObject(value)) throw new Error("it is not a JSON object");
  return value;
}

const jsonLine = (text: string): Uint8Array => new TextEncoder().encode(`${text}\n`);
