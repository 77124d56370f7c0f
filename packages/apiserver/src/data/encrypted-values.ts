/**
 * Values that are encrypted in etcd as kube-apiserver does it: "k8s:enc:aescbc:v1:NAME-OF-KEY:", then a random vector and the rest.
 *
 *     EtcdValues of objects ⇄ encryptedValues ⇄ bytes in etcd
 */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { errorText } from "@drover/machinery";
import type { EtcdRoots, EtcdValues } from "../storage/etcd/etcd-values.ts";
import { storedKey } from "../storage/etcd/etcd-values.ts";
import { providersFor } from "./encryption-config.ts";
import type { EncryptionConfig, EncryptionKey, EncryptionProvider } from "./encryption-config.ts";

export interface EncryptedValuesOptions {
  readonly config: EncryptionConfig;
  /** aesgcm binds a value to its key in etcd. */
  readonly roots: EtcdRoots;
  /** Returns the group and the resource of a key; undefined for one that is never encrypted. */
  readonly resourceOf: (key: string) => { readonly group: string; readonly resource: string } | undefined;
}

/** Resources without providers are stored as they are; an encrypted value of theirs cannot be read. */
const unconfigured: readonly EncryptionProvider[] = [{ cipher: "identity" }];

export function encryptedValues(values: EtcdValues, { config, roots, resourceOf }: EncryptedValuesOptions): EtcdValues {
  const providersOf = (key: string): readonly EncryptionProvider[] => {
    const of = resourceOf(key);
    return (of === undefined ? undefined : providersFor(config, of.group, of.resource)) ?? unconfigured;
  };
  return {
    encode: (key, text, kind) => {
      const value = values.encode(key, text, kind);
      const [provider] = providersOf(key);
      return provider === undefined || provider.cipher === "identity" ? value : encrypted(provider, value, storedKey(roots, key));
    },
    decode: (key, value) => values.decode(key, decrypted(providersOf(key), value, storedKey(roots, key))),
    isStale: (key, value) => {
      const [provider] = providersOf(key);
      return provider !== undefined && (provider.cipher === "identity" ? startsWith(value, mark) : !startsWith(value, headOf(provider)));
    },
  };
}

const mark: Readonly<Buffer> = Buffer.from("k8s:enc:");
const vectorBytes = { aescbc: 16, aesgcm: 12 } as const;
const tagBytes = 16;

const headOf = ({ cipher, name }: EncryptionKey): Buffer => Buffer.from(`k8s:enc:${cipher}:v1:${name}:`);

const startsWith = (value: Uint8Array, head: Uint8Array): boolean => head.every((byte, at) => value[at] === byte);

const algorithmOf = ({ secret }: EncryptionKey, mode: "cbc" | "gcm"): string => `aes-${secret.length * 8}-${mode}`;

function encrypted(key: EncryptionKey, value: Uint8Array, path: string): Uint8Array {
  const vector = randomBytes(vectorBytes[key.cipher]);
  if (key.cipher === "aescbc") {
    const cipher = createCipheriv(algorithmOf(key, "cbc"), key.secret, vector);
    return Buffer.concat([headOf(key), vector, cipher.update(value), cipher.final()]);
  }
  const cipher = createCipheriv(algorithmOf(key, "gcm") as "aes-256-gcm", key.secret, vector).setAAD(Buffer.from(path));
  const parts = [cipher.update(value), cipher.final()];
  return Buffer.concat([headOf(key), vector, ...parts, cipher.getAuthTag()]);
}

/** Tries every provider whose head the value has: several keys can have one name while they are rotated. */
function decrypted(providers: readonly EncryptionProvider[], value: Uint8Array, path: string): Uint8Array {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  const isEncrypted = startsWith(value, mark);
  const failures: string[] = [];
  for (const provider of providers) {
    if (provider.cipher === "identity") {
      if (!isEncrypted) return value;
      continue;
    }
    const head = headOf(provider);
    if (!startsWith(value, head)) continue;
    try {
      return opened(provider, bytes.subarray(head.length), path);
    } catch (error) {
      failures.push(`with the key ${provider.name} of ${provider.cipher}: ${errorText(error)}`);
    }
  }
  if (failures.length > 0) throw new Error(`it cannot be decrypted ${failures.join("; ")}`);
  throw new Error(
    isEncrypted
      ? "it is encrypted, and no provider of the encryption configuration has the cipher and the key with which it was written"
      : "it is not encrypted, and the encryption configuration has no provider identity for its resource",
  );
}

function opened(key: EncryptionKey, data: Buffer, path: string): Uint8Array {
  const vector = data.subarray(0, vectorBytes[key.cipher]);
  if (vector.length < vectorBytes[key.cipher]) throw new Error("the stored data was shorter than the required size");
  const rest = data.subarray(vector.length);
  if (key.cipher === "aescbc") {
    const decipher = createDecipheriv(algorithmOf(key, "cbc"), key.secret, vector);
    return Buffer.concat([decipher.update(rest), decipher.final()]);
  }
  if (rest.length < tagBytes) throw new Error("the stored data was shorter than the required size");
  const decipher = createDecipheriv(algorithmOf(key, "gcm") as "aes-256-gcm", key.secret, vector, { authTagLength: tagBytes })
    .setAAD(Buffer.from(path))
    .setAuthTag(rest.subarray(rest.length - tagBytes));
  return Buffer.concat([decipher.update(rest.subarray(0, rest.length - tagBytes)), decipher.final()]);
}
