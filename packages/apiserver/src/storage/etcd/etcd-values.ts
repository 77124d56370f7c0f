/** Keys and values as they are in etcd, and as the server has them. */

/** Converts between the text of the store and the bytes in etcd. */
export interface EtcdValues {
  /** Returns the text of a value; undefined for a key that is no object of this server. Throws for a value that cannot be read. */
  readonly decode: (key: string, value: Uint8Array) => string | undefined;
  /** Returns the bytes of a text. `kind` is that of a custom object. */
  readonly encode: (key: string, text: string, kind: string | undefined) => Uint8Array;
  /** Whether `encode` would encrypt this value in another way. @default never */
  readonly isStale?: (key: string, value: Uint8Array) => boolean;
}

/** Values as they are, for tests of the store. */
export const plainValues: EtcdValues = {
  decode: (_key, value) => new TextDecoder().decode(value),
  encode: (_key, text) => new TextEncoder().encode(text),
};

/** The beginning of all keys: "/registry" in the server, and what `--etcd-prefix` of kube-apiserver says in etcd. */
export interface EtcdRoots {
  readonly served: string;
  readonly stored: string;
}

/** Returns the key in etcd. */
export const storedKey = ({ served, stored }: EtcdRoots, key: string): string => stored + key.slice(served.length);

/** Returns the key in the server. */
export const servedKey = ({ served, stored }: EtcdRoots, key: string): string => served + key.slice(stored.length);

/** Whether two values have the same bytes. */
export const isSameValue = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at]);
