/**
 * kube-apiserver's EncryptionConfiguration: which resources are encrypted in etcd, and with which keys.
 *
 *     file → EncryptionConfig → encryptedValues
 *
 * The first provider of a resource encrypts; all of them decrypt, so that keys are rotated by their order.
 */
import { isJsonObject } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";
import { parseFirstYaml } from "@drover/yaml";

export interface EncryptionKey {
  readonly cipher: "aescbc" | "aesgcm";
  readonly name: string;
  readonly secret: Uint8Array;
}

/** How a resource can be stored, in the order of the file. */
export type EncryptionProvider = EncryptionKey | { readonly cipher: "identity" };

/** By "resource.group", "resource" of the core group, "*.group", "*." or "*.*". */
export type EncryptionConfig = ReadonlyMap<string, readonly EncryptionProvider[]>;

/** A configuration that cannot be used. The message names the field and the fix, and never a secret. */
export class EncryptionConfigError extends Error {
  override readonly name = "EncryptionConfigError";
}

const apiVersion = "apiserver.config.k8s.io/v1";
const charactersMax = 2 ** 20;
const keySizes: readonly number[] = [16, 24, 32];

/** Throws an {@link EncryptionConfigError}. */
export function encryptionConfig(text: string): EncryptionConfig {
  if (text.length > charactersMax) throw new EncryptionConfigError(`the file has more than ${charactersMax} characters`);
  const config = objectAt(yamlOf(text), "the file");
  if (config["apiVersion"] !== apiVersion || config["kind"] !== "EncryptionConfiguration")
    throw new EncryptionConfigError(`apiVersion and kind must be ${apiVersion} and EncryptionConfiguration`);
  refuseOthers(config, ["apiVersion", "kind", "resources"], "");
  const result = new Map<string, EncryptionProvider[]>();
  for (const [index, entry] of listAt(config["resources"], "resources").entries()) {
    const path = `resources[${index}]`;
    const { resources, providers } = refuseOthers(objectAt(entry, path), ["resources", "providers"], path);
    const found = listAt(providers, `${path}.providers`).flatMap((provider, at) => providersOf(provider, `${path}.providers[${at}]`));
    const names = listAt(resources, `${path}.resources`).map((name, at) => resourceName(name, `${path}.resources[${at}]`));
    refuseOverlaps(names, `${path}.resources`);
    for (const name of names) result.set(name, [...(result.get(name) ?? []), ...found]);
  }
  return result;
}

/** Returns the providers of a resource: those of its name, of its group, or of everything; undefined if none is configured. */
export function providersFor(config: EncryptionConfig, group: string, resource: string): readonly EncryptionProvider[] | undefined {
  const own = group === "" ? resource : `${resource}.${group}`;
  return config.get(own) ?? config.get(`*.${group}`) ?? config.get("*.*");
}

function yamlOf(text: string): JsonValue {
  try {
    return parseFirstYaml(text);
  } catch {
    // The parser's message may quote a line with a key.
    throw new EncryptionConfigError("the file is neither YAML nor JSON");
  }
}

function providersOf(value: JsonValue, path: string): readonly EncryptionProvider[] {
  const provider = objectAt(value, path);
  const [cipher = "", ...more] = Object.keys(provider);
  if (cipher === "" || more.length > 0) throw new EncryptionConfigError(`${path} must have exactly one of aescbc, aesgcm and identity`);
  if (cipher === "identity") return [{ cipher }];
  if (cipher === "secretbox" || cipher === "kms")
    throw new EncryptionConfigError(`${path}.${cipher} is not supported by this server; use aescbc or aesgcm`);
  if (cipher !== "aescbc" && cipher !== "aesgcm")
    throw new EncryptionConfigError(`${path}.${cipher} is not a provider; use aescbc, aesgcm or identity`);
  const { keys } = refuseOthers(objectAt(provider[cipher], `${path}.${cipher}`), ["keys"], `${path}.${cipher}`);
  return listAt(keys, `${path}.${cipher}.keys`).map((key, index) => keyOf(cipher, key, `${path}.${cipher}.keys[${index}]`));
}

function keyOf(cipher: EncryptionKey["cipher"], value: JsonValue, path: string): EncryptionKey {
  const { name, secret } = refuseOthers(objectAt(value, path), ["name", "secret"], path);
  if (typeof name !== "string" || name === "") throw new EncryptionConfigError(`${path}.name is a mandatory field for a key`);
  if (typeof secret !== "string" || secret === "") throw new EncryptionConfigError(`${path}.secret is a mandatory field for a key`);
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(secret))
    throw new EncryptionConfigError(`${path}.secret must be base64 encoded`);
  const bytes = Uint8Array.from(atob(secret), (character) => character.charCodeAt(0));
  if (!keySizes.includes(bytes.length))
    throw new EncryptionConfigError(`${path}.secret has ${bytes.length} bytes, and must have ${keySizes.join(", ")}`);
  return { cipher, name, secret: bytes };
}

function resourceName(value: JsonValue, path: string): string {
  if (typeof value !== "string" || value === "") throw new EncryptionConfigError(`${path} must be the name of a resource, such as secrets`);
  if (value === "*")
    throw new EncryptionConfigError(`${path}: use "*." for all resources of the core API group or "*.*" for all resources`);
  if (value !== value.toLowerCase()) throw new EncryptionConfigError(`${path}: resource names have no capital letters`);
  if (value.endsWith(".events.k8s.io")) throw new EncryptionConfigError(`${path}: events are stored in the core group; use events`);
  if (value.startsWith("*.") || /^[a-z0-9-]+(?:\.[a-z0-9.-]+)?$/.test(value)) return value;
  throw new EncryptionConfigError(`${path} "${value}" is not the name of a resource, such as secrets or deployments.apps`);
}

function refuseOverlaps(names: readonly string[], path: string): void {
  if (new Set(names).size < names.length) throw new EncryptionConfigError(`${path} has the same resource several times`);
  const groupOf = (name: string): string => (name.includes(".") ? name.slice(name.indexOf(".") + 1) : "");
  const general = names.find(
    (name) => name.startsWith("*.") && names.some((other) => other !== name && (name === "*.*" || groupOf(other) === groupOf(name))),
  );
  if (general !== undefined)
    throw new EncryptionConfigError(`${path}: "${general}" contains others of the list; give them entries of their own`);
}

function refuseOthers<const Names extends string>(
  object: JsonObject,
  known: readonly Names[],
  path: string,
): Readonly<Partial<Record<Names, JsonValue>>> {
  const other = Object.keys(object).find((name) => !known.some((some) => some === name));
  if (other !== undefined) throw new EncryptionConfigError(`unknown field "${path === "" ? "" : `${path}.`}${other}"`);
  return object as Partial<Record<Names, JsonValue>>;
}

function objectAt(value: JsonValue | undefined, path: string): JsonObject {
  if (value === undefined || !isJsonObject(value)) throw new EncryptionConfigError(`${path} must be an object`);
  return value;
}

function listAt(value: JsonValue | undefined, path: string): readonly JsonValue[] {
  if (!Array.isArray(value) || value.length === 0) throw new EncryptionConfigError(`${path} must be a list of at least one entry`);
  return value;
}
