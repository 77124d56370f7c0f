/** The DNS API that the operator needs. Implement it for your DNS provider. */
export interface Dns {
  /** Creates the record of the host, if it is missing; does nothing when the host is undefined. */
  ensure(host: string | undefined, options: { readonly signal: AbortSignal }): Promise<void>;
  /** Deletes the record of the host. */
  release(host: string | undefined, options: { readonly signal: AbortSignal }): Promise<void>;
  /** Returns all hosts with a record, sorted. */
  hosts(): readonly string[];
}

/** Keeps the records in memory, in place of a DNS provider. */
export function memoryDns(): Dns {
  const hosts = new Set<string>();
  return {
    ensure: async (host, { signal }) => {
      signal.throwIfAborted();
      if (host !== undefined) hosts.add(host);
    },
    release: async (host, { signal }) => {
      signal.throwIfAborted();
      if (host !== undefined) hosts.delete(host);
    },
    hosts: () => [...hosts].toSorted(),
  };
}

export const dns: Dns = memoryDns();
