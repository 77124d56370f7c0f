/**
 * Reads a CustomResourceDefinition of unknown origin: a file, a server or a program.
 *
 *     unknown → readCrd → CrdShape → a descriptor (kind-from-crd.ts) or code (generate-kinds.ts)
 */
import { checkDns1035Label, checkDns1123Subdomain, getOwn, isJsonObject } from "@drover/machinery";
import type { JsonObject, JsonValue, Kind, Schema, Scope, Subresource, Verb } from "@drover/machinery";

/** A definition, including the server's defaults. */
export interface CrdShape {
  /** "webapps.demo.example.com" */
  readonly name: string;
  readonly group: string;
  readonly scope: Scope;
  readonly names: Pick<Kind, "kind" | "listKind" | "plural" | "singular" | "shortNames" | "categories">;
  readonly versions: readonly CrdVersion[];
  /** Whether a webhook converts between versions; the server by itself only changes apiVersion. */
  readonly isConvertedByWebhook: boolean;
}

/** One version of a definition. */
export interface CrdVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  /** The server's deprecation warning; undefined if not deprecated. */
  readonly deprecated: string | undefined;
  /** Schema as written, not validated; undefined if the version has none. */
  readonly schema: Schema | undefined;
  readonly hasStatus: boolean;
  readonly hasScale: boolean;
}

/** Reports whether an object is a CustomResourceDefinition of any version. */
export function isCrd(object: unknown): boolean {
  const given = object as JsonValue | undefined;
  if (!isJsonObject(given) || getOwn(given, "kind") !== "CustomResourceDefinition") return false;
  const apiVersion = getOwn(given, "apiVersion");
  return typeof apiVersion === "string" && apiVersion.startsWith("apiextensions.k8s.io/");
}

/**
 * Reads a definition. Throws a `TypeError` that names the definition, the field and the expected value. Names in the
 * result are safe in file paths and URLs.
 */
export function readCrd(object: unknown): CrdShape {
  const given = object as JsonValue | undefined;
  if (!isJsonObject(given) || !isCrd(given))
    throw new TypeError("not a CustomResourceDefinition: kind or apiVersion differ or are missing");
  const metadata = getOwn(given, "metadata");
  const name = textAt(isJsonObject(metadata) ? getOwn(metadata, "name") : undefined, "CustomResourceDefinition: metadata.name");
  const at = (path: string): string => `CustomResourceDefinition ${name}: ${path}`;
  if (getOwn(given, "apiVersion") !== "apiextensions.k8s.io/v1")
    throw new TypeError(`${at("apiVersion")} must be apiextensions.k8s.io/v1, which every server since 1.16 serves`);
  const spec = objectAt(getOwn(given, "spec"), at("spec"));
  const conversion = getOwn(spec, "conversion");
  return {
    name,
    group: checked(textAt(getOwn(spec, "group"), at("spec.group")), at("spec.group"), checkDns1123Subdomain),
    scope: scopeAt(getOwn(spec, "scope"), at("spec.scope")),
    names: readNames(objectAt(getOwn(spec, "names"), at("spec.names")), (field) => at(`spec.names.${field}`)),
    versions: listAt(getOwn(spec, "versions"), at("spec.versions")).map((version, index) => {
      const place = at(`spec.versions[${index}]`);
      return readVersion(objectAt(version, place), (field) => `${place}.${field}`);
    }),
    isConvertedByWebhook: isJsonObject(conversion) && getOwn(conversion, "strategy") === "Webhook",
  };
}

/** Returns the descriptor of the kind in one version. */
export function kindOf({ group, scope, names }: CrdShape, { name: version, hasStatus, hasScale }: CrdVersion): Kind {
  const status: Subresource = { group, version, kind: names.kind, verbs: ["get", "patch", "update"] };
  const scale: Subresource = { group: "autoscaling", version: "v1", kind: "Scale", verbs: ["get", "patch", "update"] };
  return {
    group,
    version,
    ...names,
    scope,
    verbs: everyVerb,
    subresources: { ...(hasScale ? { scale } : {}), ...(hasStatus ? { status } : {}) },
  };
}

const everyVerb: readonly Verb[] = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];

/** Maps a field to its name in errors. */
type Naming = (field: string) => string;

function readNames(names: JsonObject, at: Naming): CrdShape["names"] {
  // A kind in lower case must be a DNS label.
  const kind = checked(textAt(getOwn(names, "kind"), at("kind")), at("kind"), (word) => checkDns1035Label(word.toLowerCase()));
  return {
    kind,
    listKind: textAt(getOwn(names, "listKind") ?? `${kind}List`, at("listKind")),
    plural: labelAt(getOwn(names, "plural"), at("plural")),
    singular: textAt(getOwn(names, "singular") ?? kind.toLowerCase(), at("singular")),
    shortNames: textsAt(getOwn(names, "shortNames") ?? [], at("shortNames")),
    categories: textsAt(getOwn(names, "categories") ?? [], at("categories")),
  };
}

function readVersion(version: JsonObject, at: Naming): CrdVersion {
  const schema = getOwn(version, "schema");
  const whole = isJsonObject(schema) ? getOwn(schema, "openAPIV3Schema") : undefined;
  const subresources = getOwn(version, "subresources");
  const has = (name: string): boolean => isJsonObject(subresources) && isJsonObject(getOwn(subresources, name));
  const warning =
    getOwn(version, "deprecated") === true ? (getOwn(version, "deprecationWarning") ?? "this version will be removed") : undefined;
  return {
    name: labelAt(getOwn(version, "name"), at("name")),
    served: getOwn(version, "served") === true,
    storage: getOwn(version, "storage") === true,
    deprecated: warning === undefined ? undefined : textAt(warning, at("deprecationWarning")),
    schema: isJsonObject(whole) ? whole : undefined,
    hasStatus: has("status"),
    hasScale: has("scale"),
  };
}

function objectAt(value: JsonValue | undefined, place: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw new TypeError(`${place} must be an object`);
}

function listAt(value: JsonValue | undefined, place: string): readonly JsonValue[] {
  if (Array.isArray(value) && value.length > 0) return value;
  throw new TypeError(`${place} must be a non-empty list`);
}

function textAt(value: JsonValue | undefined, place: string): string {
  if (typeof value === "string" && value !== "") return value;
  throw new TypeError(`${place} must be a non-empty string`);
}

function textsAt(value: JsonValue, place: string): readonly string[] {
  if (Array.isArray(value) && value.every((word): word is string => typeof word === "string")) return value;
  throw new TypeError(`${place} must be a list of strings`);
}

function scopeAt(value: JsonValue | undefined, place: string): Scope {
  if (value === "Namespaced" || value === "Cluster") return value;
  throw new TypeError(`${place} must be "Namespaced" or "Cluster"`);
}

/** A name that the server accepts for a resource or version. */
const labelAt = (value: JsonValue | undefined, place: string): string => checked(textAt(value, place), place, checkDns1035Label);

function checked(text: string, place: string, check: (text: string) => readonly string[]): string {
  const [problem] = check(text);
  if (problem === undefined) return text;
  throw new TypeError(`${place} is ${JSON.stringify(text)}: ${problem}`);
}
