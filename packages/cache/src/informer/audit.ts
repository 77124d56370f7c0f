/**
 * Compares a cache with the server on a slow period and repairs it: servers lose events, rarely, and without this an informer
 * would not notice before it is restarted.
 *
 *     the store's versions at R + a list of metadata at exactly R → differences → deletions told, or a new list asked for
 *
 * Both sides are at the same version, so a difference is one, and not merely something that is on its way.
 */
import { isExpired, isGone, sleep } from "@drover/machinery";
import type { KubeObject, Metrics, ObjectKey, Runtime } from "@drover/machinery";
import type { InformerCore } from "./informer-core.ts";
import type { ObjectVersion } from "../source/object-version.ts";
import type { VersionPage, VersionSource } from "../source/version-source.ts";

export interface AuditOptions {
  /** Lists the same objects as the informer; metadata is enough, so let it be metadata only. */
  readonly source: VersionSource<KubeObject>;
  /** The time from one audit to the next, in milliseconds; each is up to half as long again, at random. @default 600000, ten minutes */
  readonly periodMs?: number;
  /** How many objects a page of the list has. @default 500 */
  readonly pageSize?: number;
  /** The pause between two pages, in milliseconds: an audit is in no hurry. @default 100 */
  readonly pagePauseMs?: number;
  /** The chance with which an audit is made when its time has come, from 0 to 1; for programs with very many informers. @default 1 */
  readonly sample?: number;
}

/** What one audit found. */
export interface AuditResult {
  /** How many objects were compared. */
  readonly compared: number;
  /** In the cache, not on the server: a deletion was lost. */
  readonly vanished: readonly ObjectKey[];
  /** On the server, not in the cache, or there at another version: an addition or a change was lost. */
  readonly missed: readonly ObjectKey[];
}

interface Audited<T extends KubeObject> extends AuditOptions {
  readonly runtime: Pick<Runtime, "clock" | "random" | "log" | "metrics">;
  /** The informer's name, for logs and metrics. */
  readonly name: string;
  readonly core: InformerCore<T>;
  readonly relist: (why: string) => void;
  /** What a new list was asked for because of it, by key: that of an object nobody can read brings nothing, however often. */
  readonly asked: Map<ObjectKey, string>;
}

/** Audits until the signal is aborted, whose reason it throws. An audit that fails is told and tried again next time. */
export async function auditCache<T extends KubeObject>(options: Omit<Audited<T>, "asked">, signal: AbortSignal): Promise<void> {
  const {
    runtime: { clock, random, log, metrics },
    name,
    core,
    periodMs = 600_000,
    sample = 1,
  } = options;
  const audited: Audited<T> = { ...options, asked: new Map() };
  const count = auditMetrics(metrics, name);
  await core.synced.wait(signal);
  for (;;) {
    await sleep(clock, periodMs * (1 + random.next() / 2), { signal });
    if (random.next() >= sample) continue;
    try {
      const result = await auditOnce(audited, signal);
      count("ok", result);
    } catch (error) {
      if (signal.aborted) throw error;
      // The version was compacted while the list was under way; the next audit is at a newer one.
      const isTooOld = isExpired(error) || isGone(error);
      count(isTooOld ? "expired" : "error");
      if (!isTooOld) log.warn("the cache could not be compared with the server; it is tried again later", { informer: name, error });
    }
  }
}

/** One audit, and the repair of what it found. Rejects when the server cannot be asked. */
export async function auditOnce<T extends KubeObject>(audited: Audited<T>, signal: AbortSignal): Promise<AuditResult> {
  const {
    runtime: { log },
    name,
    core,
    relist,
    asked,
  } = audited;
  const resourceVersion = core.resourceVersion;
  if (resourceVersion === "" || core.queue.length > 0) return { compared: 0, vanished: [], missed: [] };
  const ours = new Map<ObjectKey, ObjectVersion<T>>();
  for (const version of core.store.versions.values()) ours.set(version.key, version);
  const compared = ours.size;
  const differing: { readonly key: ObjectKey; readonly own: ObjectVersion<T> | undefined; readonly version: string }[] = [];
  for await (const { items, poison } of pages(audited, resourceVersion, signal)) {
    if (poison.some(({ key }) => key === undefined))
      throw new Error("an object without a name is in the list, so nobody can say what is not in it");
    for (const { key } of poison) ours.delete(key as ObjectKey);
    for (const { key, uid, resourceVersion: version } of items) {
      const own = ours.get(key);
      ours.delete(key);
      if (own?.uid !== uid || own.resourceVersion !== version) differing.push({ key, own, version });
    }
  }
  // What has changed while we were comparing has been healed by the change.
  const { versions } = core.store;
  for (const [key, version] of ours) if (versions.get(key) !== version) ours.delete(key);
  const still = new Map(differing.filter(({ key, own }) => versions.get(key) === own).map(({ key, version }) => [key, version]));
  const missed = new Map([...still].filter(([key, version]) => asked.get(key) !== version));
  asked.clear();
  for (const [key, version] of still) asked.set(key, version);
  const result = { compared, vanished: [...ours.keys()], missed: [...missed.keys()] };
  if (ours.size + missed.size === 0) return result;
  log.error("the cache differs from the server at the same version and is being repaired: events were lost", {
    informer: name,
    resourceVersion,
    count: ours.size + missed.size,
    vanished: result.vanished.slice(0, 10),
    missed: result.missed.slice(0, 10),
  });
  // In the queue's order: what changes before its turn comes is left alone.
  core.queue.enqueue(() => {
    for (const version of ours.values()) core.tell(core.store.vanish(version));
  });
  if (missed.size > 0) relist(`an audit found ${missed.size} objects of which the watch said nothing`);
  return result;
}

/** A list at exactly this version, page by page. */
async function* pages<T extends KubeObject>(
  { source, runtime: { clock }, pageSize = 500, pagePauseMs = 100 }: Audited<T>,
  resourceVersion: string,
  signal: AbortSignal,
): AsyncGenerator<VersionPage<KubeObject>> {
  let page = await source.list({ resourceVersion, resourceVersionMatch: "Exact", limit: pageSize }, { signal });
  for (;;) {
    yield page;
    if (page.continue === undefined) return;
    await sleep(clock, pagePauseMs, { signal });
    // The token says which version it is.
    page = await source.list({ limit: pageSize, continue: page.continue }, { signal });
  }
}

function auditMetrics(metrics: Metrics, name: string): (outcome: "ok" | "expired" | "error", result?: AuditResult) => void {
  const audits = metrics.counter({
    name: "informer_audits_total",
    help: "Comparisons of a cache with the server",
    labels: ["name", "outcome"],
  });
  const repairs = metrics.counter({
    name: "informer_audit_repairs_total",
    help: "Objects of which the watch had lost the last event",
    labels: ["name", "type"],
  });
  const vanished = repairs.with({ name, type: "vanished" });
  const missed = repairs.with({ name, type: "missed" });
  return (outcome, result) => {
    audits.add(1, { name, outcome });
    vanished.add(result?.vanished.length ?? 0);
    missed.add(result?.missed.length ?? 0);
  };
}
