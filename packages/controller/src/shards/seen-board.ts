/**
 * Publishes what the caches of this replica have seen, and concludes from a list of leases what all others have.
 *
 *     SeenReader.read → lease "seen" of this replica;   list of leases → clearance → SeenReader.settle
 *
 * Versions are compared only within one history of the server. A server that was restored from a backup counts versions again; then the own
 * publication has gone back, or versions in it are newer than the lease that contains them, and this replica must end.
 */
import { Lease } from "@drover/api/coordination/v1";
import type { Client } from "@drover/client";
import { isAlreadyExists, isConflict, isNotFound } from "@drover/machinery";
import type { Clock, DeepReadonly } from "@drover/machinery";
import { clearanceOf } from "./clearance.ts";
import { parseSeen, printSeen, reaches, seenAnnotation } from "./seen-record.ts";
import type { SeenBook, SeenRecord } from "./seen-record.ts";
import type { ShardLayout } from "./shard-layout.ts";
import { memberLeaseName, readShardLease, seenLeaseName, seenLeaseOfMember, shardLabels } from "./shard-lease.ts";
import type { SeenExchange, SeenReader } from "./shards.ts";

export interface SeenBoardOptions extends Pick<SeenExchange, "label" | "leaseDurationMs" | "wake"> {
  readonly client: Client;
  readonly clock: Clock;
  readonly namespace: string;
  /** Name of the operator. */
  readonly name: string;
  readonly identity: string;
  readonly layout: ShardLayout;
  readonly labels: Readonly<Record<string, string>>;
}

/** What was published when a list was sent. */
export interface SentList {
  readonly number: number;
  readonly own: SeenBook | undefined;
}

/** What a list of leases is about. */
export interface SeenList {
  readonly sent: SentList;
  /** Version of the list. */
  readonly listVersion: string;
  /** Identities of the holders of shards, as far as their leases have not expired. */
  readonly holders: Iterable<string>;
  /** Names of the member leases of the replicas that renew them. */
  readonly members: readonly string[];
}

/** Guarantees: a list counts only for what was stored before it was sent. */
export class SeenBoard implements SeenExchange {
  readonly label: string;
  readonly leaseDurationMs: number;
  readonly #options: SeenBoardOptions;
  readonly #leaseName: string;
  readonly #readers = new Set<SeenReader>();
  #lists = 0;
  /** The last publication that the server has confirmed. */
  #published: { readonly book: SeenBook; readonly lease: DeepReadonly<Lease>; readonly atMs: number } | undefined;
  #number = 0;
  #listVersion = "";
  #behindSinceMs: number | undefined;
  #problem: Error | undefined;

  constructor(options: SeenBoardOptions) {
    this.label = options.label;
    this.leaseDurationMs = options.leaseDurationMs;
    this.#options = options;
    this.#leaseName = seenLeaseName(options.name, options.identity);
  }

  get nextList(): number {
    return this.#lists + 1;
  }

  /** Why this replica must end. */
  get problem(): Error | undefined {
    for (const { problem } of this.#readers) this.#problem ??= problem;
    return this.#problem;
  }

  /** Whether something waits for other replicas. */
  get isWaiting(): boolean {
    return [...this.#readers].some(({ isWaiting }) => isWaiting);
  }

  /** Whether the caches are so far behind those of others that this replica should hold no shard: others wait for it. */
  get isBehind(): boolean {
    return this.#behindSinceMs !== undefined && this.#options.clock.monotonic() - this.#behindSinceMs > this.leaseDurationMs;
  }

  add(reader: SeenReader): () => void {
    this.#readers.add(reader);
    return () => this.#readers.delete(reader);
  }

  wake(): void {
    this.#options.wake();
  }

  /** Stores what the caches have seen, if that has changed, and now and then if not: leases that never change are deleted. */
  async publish(signal: AbortSignal): Promise<void> {
    const { client, clock, namespace } = this.#options;
    const records = new Map<string, SeenRecord>();
    for (const reader of this.#readers) records.set(reader.controller, reader.read() ?? { seen: "", basis: "", busy: [] });
    if (this.problem !== undefined) return;
    const last = this.#published;
    const isSame = last !== undefined && printSeen({ ...last.book, records }) === printSeen(last.book);
    if (isSame && clock.monotonic() - last.atMs < this.leaseDurationMs) return;
    const book = { number: ++this.#number, records };
    try {
      const lease = await (last === undefined
        ? client.create(Lease, this.#leaseOf(book, undefined), { namespace, signal })
        : client.update(Lease, this.#leaseOf(book, last.lease), { namespace, signal }));
      this.#stored(book, lease);
    } catch (error) {
      // An earlier write of ours, whose outcome was unknown, has arrived; or the lease is gone, or from a backup.
      if (!isConflict(error) && !isNotFound(error) && !isAlreadyExists(error)) throw error;
      this.#reread(await client.get(Lease, this.#leaseName, { namespace, signal }).catch((failure: unknown) => this.#absent(failure)));
    }
  }

  /** Call it in the turn in which a list is sent. */
  sending(): SentList {
    return { number: ++this.#lists, own: this.#published?.book };
  }

  /** Concludes from a complete list. */
  saw(leases: readonly DeepReadonly<Lease>[], { sent, listVersion, holders, members }: SeenList): void {
    const { name, identity, clock } = this.#options;
    if (!reaches(listVersion, this.#listVersion))
      return this.#fail(`the leases were at version ${this.#listVersion} and are at ${listVersion}`);
    this.#listVersion = listVersion;
    const books = new Map<string, SeenBook>();
    for (const lease of leases) {
      const book = readShardLease(lease).role === "seen" ? bookOf(lease) : undefined;
      if (book !== undefined) books.set(lease.metadata.name ?? "", book);
    }
    if (sent.own !== undefined && (books.get(this.#leaseName)?.number ?? -1) < sent.own.number)
      return this.#fail(`the lease ${this.#leaseName}, which this replica had written, is missing or has gone back`);
    books.delete(this.#leaseName);
    const others = [...new Set(holders)].filter((holder) => holder !== identity).map((holder) => books.get(seenLeaseName(name, holder)));
    const own = memberLeaseName(name, identity);
    const alive = members.filter((member) => member !== own).map((member) => books.get(seenLeaseOfMember(name, member)));
    let isBehind = false;
    for (const reader of this.#readers) {
      const { controller } = reader;
      const clearance = clearanceOf({
        controller,
        list: sent.number,
        own: sent.own,
        holders: others,
        members: [...others, ...alive],
        others: books.values(),
      });
      if (!reader.settle(clearance)) isBehind = true;
    }
    this.#behindSinceMs = isBehind ? (this.#behindSinceMs ?? clock.monotonic()) : undefined;
  }

  #leaseOf(book: SeenBook, before: DeepReadonly<Lease> | undefined): Lease {
    const { name, namespace, layout, labels } = this.#options;
    const { uid, resourceVersion } = before?.metadata ?? {};
    return {
      metadata: {
        name: this.#leaseName,
        namespace,
        labels: { ...labels, ...shardLabels(name, layout, "seen") },
        annotations: { [seenAnnotation]: printSeen(book) },
        ...(resourceVersion === undefined || uid === undefined ? {} : { uid, resourceVersion }),
      },
    };
  }

  #stored(book: SeenBook, lease: DeepReadonly<Lease>): void {
    const { resourceVersion = "" } = lease.metadata;
    for (const [controller, { seen }] of book.records)
      if (!reaches(resourceVersion, seen))
        return this.#fail(
          `the objects of controller ${controller} are at version ${seen}, and the lease that was written after that is at ${resourceVersion}`,
        );
    this.#published = { book, lease, atMs: this.#options.clock.monotonic() };
  }

  #reread(lease: DeepReadonly<Lease> | undefined): void {
    if (lease === undefined) {
      if (this.#published !== undefined) this.#fail(`the lease ${this.#leaseName}, which this replica had written, is missing`);
      return;
    }
    const book = bookOf(lease);
    if (book === undefined || book.number < (this.#published?.book.number ?? 1))
      return this.#fail(`the lease ${this.#leaseName} is not what this replica had written`);
    this.#stored(book, lease);
  }

  #absent(failure: unknown): undefined {
    if (!isNotFound(failure)) throw failure;
  }

  #fail(what: string): void {
    this.#problem ??= new Error(
      `${what}: the server was restored from a backup, a lease was edited, or the server keeps these objects in another etcd than leases, where shards by label do not work; this replica ends, because its caches cannot be compared with those of others`,
    );
  }
}

/** Returns what a lease says; undefined if it says nothing, or something that was not true when it was written. */
function bookOf({ metadata: { annotations, resourceVersion = "" } }: DeepReadonly<Lease>): SeenBook | undefined {
  const book = parseSeen(annotations?.[seenAnnotation]);
  if (book === undefined) return undefined;
  for (const { seen, basis } of book.records.values())
    if (!reaches(resourceVersion, seen) || !reaches(resourceVersion, basis)) return undefined;
  return book;
}
