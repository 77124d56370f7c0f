/** Stands for the provider of your domain: remembers the names it was asked for. */
export interface Dns {
  /** Makes sure that the name leads here; nothing when there is none. */
  ensure(host: string | undefined, options: { readonly signal: AbortSignal }): Promise<void>;
  /** The name leads nowhere any more. */
  release(host: string | undefined, options: { readonly signal: AbortSignal }): Promise<void>;
  /** The names that lead here, sorted. */
  hosts(): readonly string[];
}

/** Keeps its names in memory, where a real one would call somebody. */
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
