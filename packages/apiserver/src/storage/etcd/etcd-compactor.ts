/**
 * Drops etcd's history from time to time. Of all servers on one etcd, kube-apiservers included, one does it: they take turns by the
 * key `compact_rev_key`, whose version counts the compactions and whose value is the revision that was compacted.
 *
 *     every interval: version as remembered? → count it up, compact to the revision of an interval ago
 *                     otherwise another server did it → remember its version
 */
import { budget, errorText, sleep } from "@drover/machinery";
import type { Budget, Clock, Log } from "@drover/machinery";
import type { Revision } from "../store.ts";
import type { EtcdClient } from "./etcd-client.ts";

/** As `--etcd-compaction-interval` of kube-apiserver. */
export const compactionInterval: Budget = budget({
  name: "apiserver/etcd-history-time",
  limit: 5 * 60_000,
  unit: "milliseconds",
  atLimit: "etcd's history before the last interval is dropped; a list from there gets a 410.",
  uncounted: "Normal operation: one of the servers compacts etcd.",
});

const compactionKey = "compact_rev_key";

/** What a server knows of compactions. */
export interface CompactionTurn {
  /** Number of compactions so far. */
  readonly version: number;
  /** The revision at the last turn; 0 before the first one. */
  readonly revision: Revision;
}

/** Takes one turn: compacts, or learns that another server has. */
export async function compactionTurn(client: EtcdClient, { version, revision }: CompactionTurn): Promise<CompactionTurn> {
  const answer = await client.txn({
    condition: { key: compactionKey, field: "version", equals: version },
    write: { kind: "put", key: compactionKey, value: new TextEncoder().encode(String(revision)) },
  });
  if (!answer.isWritten) return { version: answer.found?.version ?? 0, revision: answer.revision };
  if (revision > 0) await client.compact(revision);
  return { version: version + 1, revision: answer.revision };
}

/** Takes a turn after each interval until the signal aborts. */
export async function runCompactor(
  client: EtcdClient,
  {
    clock,
    log,
    intervalMs,
    signal,
  }: { readonly clock: Clock; readonly log: Log; readonly intervalMs: number; readonly signal: AbortSignal },
): Promise<void> {
  for (let turn: CompactionTurn = { version: 0, revision: 0 }; !signal.aborted;) {
    try {
      await sleep(clock, intervalMs, { signal });
      turn = await compactionTurn(client, turn);
    } catch (error) {
      if (!signal.aborted) log.warn("cannot compact etcd", { endpoints: client.endpoints, error: errorText(error) });
    }
  }
}
