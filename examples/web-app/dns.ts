/**
 * The DNS API that the operator needs. Implement it for your DNS provider. Records carry the uid of their owner, as a tag or a
 * TXT record beside them, so that the operator finds what it has created: also after `spec.host` has changed, and after a crash
 * between creating a record and writing that down.
 */
export interface Dns {
  /** Makes the host the only one of its owner: creates its record, if it is missing, and deletes the owner's others. */
  ensure(owner: Owner, host: string | undefined, options: { readonly signal: AbortSignal }): Promise<void>;
  /** Deletes all records of the owner. */
  release(owner: Owner, options: { readonly signal: AbortSignal }): Promise<void>;
  /** Returns all hosts with a record, sorted. */
  hosts(): readonly string[];
}

/** The object that a record belongs to. */
export interface Owner {
  readonly metadata: { readonly uid?: string };
}

/** Keeps the records in memory, in place of a DNS provider. */
export function memoryDns(): Dns {
  const owners = new Map<string, string>();
  const ensure: Dns["ensure"] = async ({ metadata: { uid = "" } }, host, { signal }) => {
    signal.throwIfAborted();
    const isTaken = host !== undefined && (owners.get(host) ?? uid) !== uid;
    if (host !== undefined && !isTaken) owners.set(host, uid);
    for (const [known, owner] of owners) if (owner === uid && known !== host) owners.delete(known);
    if (isTaken) throw new Error(`the host ${host} belongs to another object`);
  };
  return {
    ensure,
    release: (owner, options) => ensure(owner, undefined, options),
    hosts: () => [...owners.keys()].toSorted(),
  };
}

export const dns: Dns = memoryDns();
