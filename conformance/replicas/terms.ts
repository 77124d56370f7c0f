/**
 * Who held the lease when, and who wrote without it, from the server's audit log alone.
 *
 *     AuditedRequest[] → leaseTerms → strayWrites: one sentence for each write without the lease
 *
 * Two criteria. The order of commits is exact: all kinds share one counter, so the newest write of the lease before a
 * write says who held it at that moment. The server's clock covers requests that changed nothing or may not have been
 * committed, and writes after a lease expired that no replica has taken yet.
 */
import type { AuditedRequest } from "./audit.ts";

/** A period in which one replica held the lease, from the write that took it to the write that ended it. */
export interface LeaseTerm {
  /** The user agent of the holder; empty while there is none. */
  readonly replica: string;
  /** The holder's name in the lease. */
  readonly holder: string;
  /** The write that took it and every renewal, in the order of commits. */
  readonly writes: readonly LeaseWrite[];
  /** The first write that ends it. */
  readonly endedBy: LeaseWrite | undefined;
}

/** A committed write of the lease. */
export type LeaseWrite = AuditedRequest & Required<Pick<AuditedRequest, "lease" | "commit">>;

/** The terms of a lease in order, including those without a holder. Throws when a replica has written another's name into it. */
export function leaseTerms(requests: readonly AuditedRequest[], lease: string): LeaseTerm[] {
  const writes = requests
    .filter((request): request is LeaseWrite => isLeaseWrite(request) && request.name === lease)
    .toSorted((one, other) => one.commit - other.commit);
  const firsts = writes.filter((write, index) => write.lease.holder !== writes[index - 1]?.lease.holder);
  return firsts.map((first, index) => {
    const {
      by,
      lease: { holder },
    } = first;
    const endedBy = firsts[index + 1];
    const own = writes.filter(({ commit }) => commit >= first.commit && (endedBy === undefined || commit < endedBy.commit));
    const stranger = holder === "" ? undefined : own.find((write) => write.by !== by);
    if (stranger !== undefined) throw new Error(`${stranger.by} wrote into the lease that ${holder} has it, and so did ${by}`);
    return { replica: holder === "" ? "" : by, holder, writes: own, endedBy };
  });
}

/** Every write of a replica without the lease, as a sentence. A fence promises an empty list. */
export function strayWrites(
  requests: readonly AuditedRequest[],
  { lease, isReplica }: { readonly lease: string; readonly isReplica: (userAgent: string) => boolean },
): string[] {
  const terms = leaseTerms(requests, lease);
  const writes = requests
    .filter((request) => isDataWrite(request) && isReplica(request.by))
    .toSorted((one, other) => one.answeredMs - other.answeredMs);
  const commits = new Set<number>();
  return writes.flatMap((write) => {
    const { by, verb, resource, name, receivedMs, commit } = write;
    // A request that changes nothing is answered with the existing version, which may be of another term.
    const isCommit = commit !== undefined && !commits.has(commit);
    if (isCommit) commits.add(commit);
    const problem = (isCommit ? problemOfCommit(by, commit, terms) : undefined) ?? problemOfTime(write, terms);
    return problem === undefined ? [] : [`${by} ${verb} ${resource}/${name} at ${new Date(receivedMs).toISOString()}: ${problem}`];
  });
}

/** Whether a request changed, or may have changed, something other than a lease: refused requests have not. */
export function isDataWrite({ verb, resource, status }: AuditedRequest): boolean {
  return verb !== "get" && resource !== "leases" && !(status >= 400 && status < 500);
}

function problemOfCommit(replica: string, commit: number, terms: readonly LeaseTerm[]): string | undefined {
  const term = terms.findLast(({ writes: [first] }) => first !== undefined && first.commit < commit);
  if (term === undefined) return "nobody had taken the lease yet";
  return term.replica === replica ? undefined : `${term.replica === "" ? "nobody" : term.replica} had the lease when it was committed`;
}

function problemOfTime({ by, receivedMs }: AuditedRequest, terms: readonly LeaseTerm[]): string | undefined {
  const own = terms.filter(({ replica }) => replica === by).flatMap(({ writes, endedBy }) => writes.map((write) => ({ write, endedBy })));
  const last = own.findLast(({ write }) => write.receivedMs <= receivedMs);
  if (last === undefined) return "it had not had the lease before";
  const {
    write: {
      receivedMs: renewedMs,
      lease: { durationMs },
    },
    endedBy,
  } = last;
  if (receivedMs > renewedMs + durationMs) return `its lease of ${durationMs} ms had last been renewed ${receivedMs - renewedMs} ms before`;
  if (endedBy !== undefined && receivedMs > endedBy.answeredMs)
    return `${endedBy.by} had ended its term ${receivedMs - endedBy.answeredMs} ms before`;
  return undefined;
}

function isLeaseWrite({ verb, resource, status, lease, commit }: AuditedRequest): boolean {
  return verb !== "get" && resource === "leases" && status >= 200 && status < 300 && lease !== undefined && commit !== undefined;
}
