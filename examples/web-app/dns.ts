/** Stands for your DNS provider: remembers the names it was asked for. */
export interface Dns {
  /** Makes the name resolve to the application; does nothing when there is no name. */
  ensure(host: string | undefined, options: { readonly signal: AbortSignal }): Promise<void>;
  /** Removes the name. */
  release(host: string | undefined, options: { readonly signal: AbortSignal }): Promise<void>;
  /** The names it has, sorted. */
  hosts(): readonly string[];
}

/** Keeps its names in memory, where a real one would call a provider. */
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
