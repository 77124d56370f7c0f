/**
 * Compares a cache with the server periodically and repairs it: servers rarely lose events, and without an audit an informer
 * would not notice until it is restarted.
 *
 *     stored versions at R + a list of metadata at exactly R → differences → emit deletions, or relist
 *
 * Both sides are at the same resource version, so a difference is an error and not an event in transit. Every third audit lists whole
 * objects and compares their content: a server restored from a backup counts the same versions again, for other content.
 */
import { isExpired, isGone, sleep, TurnKeeper } from "@drover/machinery";
import type { KubeObject, Metrics, ObjectKey, Runtime } from "@drover/machinery";
import type { InformerCore } from "./informer-core.ts";
import type { ObjectVersion } from "../source/object-version.ts";
import { sameContent } from "../source/same-content.ts";
import type { VersionPage, VersionSource } from "../source/version-source.ts";

/** Options of the audit of a cache. */
export interface AuditOptions {
  /** Lists the same objects as the informer; metadata suffices. */
  readonly source: VersionSource<KubeObject>;
  /** Lists the same objects as the informer stores them, before its transform. @default content is not compared */
  readonly content?: VersionSource<KubeObject>;
  /** Compares content in the first and then in every such audit; whole objects cost the server about twice as much. @default 3 */
  readonly contentEvery?: number;
  /** Maximum interval between audits in milliseconds; each is 5 to 35 % shorter, at random. @default 600000, ten minutes */
  readonly periodMs?: number;
  /** Objects per page of the list. @default 500 */
  readonly pageSize?: number;
  /** Pause between two pages in milliseconds, to limit the load on the server. @default 100 */
  readonly pagePauseMs?: number;
  /** Probability that a due audit runs, from 0 to 1; for programs with very many informers. @default 1 */
  readonly sample?: number;
}

/** Result of one audit. */
export interface AuditResult {
  /** Number of compared objects. */
  readonly compared: number;
  /** Keys in the cache but not on the server: a deletion was lost. */
  readonly vanished: readonly ObjectKey[];
  /** Keys on the server that are missing from the cache, or have another version or content there: an addition or update was lost. */
  readonly missed: readonly ObjectKey[];
}

interface Audited<T extends KubeObject> extends AuditOptions {
  readonly runtime: Pick<Runtime, "clock" | "random" | "log" | "metrics">;
  /** Name of the informer in logs and metrics. */
  readonly name: string;
  readonly core: InformerCore<T>;
  readonly relist: (why: string) => void;
  /** Versions that already caused a relist, by key: relisting again does not help if an object cannot be decoded. */
  readonly asked: Map<ObjectKey, string>;
  /** The same for versions whose content differs: a transform may return something else each time. */
  readonly askedForContent: Map<ObjectKey, string>;
}

/** Audits until the signal aborts, then throws its reason. A failed audit is logged; the next one follows after the interval. */
export async function auditCache<T extends KubeObject>(
  options: Omit<Audited<T>, "asked" | "askedForContent">,
  signal: AbortSignal,
): Promise<void> {
  const {
    runtime: { clock, random, log, metrics },
    name,
    core,
    periodMs = 600_000,
    sample = 1,
    contentEvery = 3,
  } = options;
  const audited: Audited<T> = { ...options, asked: new Map(), askedForContent: new Map() };
  const count = auditMetrics(metrics, name);
  await core.synced.wait(signal);
  for (let audits = 0; ;) {
    await sleep(clock, periodMs * (0.95 - 0.3 * random.next()), { signal });
    if (random.next() >= sample) continue;
    try {
      const isWhole = options.content !== undefined && audits++ % contentEvery === 0;
      const result = await auditOnce(audited, isWhole, signal);
      count("ok", result);
    } catch (error) {
      if (signal.aborted) throw error;
      // The version was compacted during the list; the next audit uses a newer one.
      const isTooOld = isExpired(error) || isGone(error);
      count(isTooOld ? "expired" : "error");
      if (!isTooOld) log.warn("cache audit failed, trying again later", { informer: name, error });
    }
  }
}

/** Half of what keeps the loop responsive: a pause of the garbage collector comes on top. */
const sliceMs = 5;
/** Number of objects between two reads of the clock. */
const objectsPerLook = 32;

/** An object that the audit found otherwise than the cache has it. */
interface Difference<T extends KubeObject> {
  readonly key: ObjectKey;
  readonly own: ObjectVersion<T> | undefined;
  readonly version: string;
}

/** Runs one audit and repairs differences. Rejects if the list fails. @param isWhole - whether to compare content as well */
export async function auditOnce<T extends KubeObject>(audited: Audited<T>, isWhole: boolean, signal: AbortSignal): Promise<AuditResult> {
  const {
    runtime: { clock, log },
    name,
    core,
    relist,
    asked,
    askedForContent,
  } = audited;
  const resourceVersion = core.resourceVersion;
  if (resourceVersion === "" || core.queue.length > 0) return { compared: 0, vanished: [], missed: [] };
  // In one step, because the cache goes on changing: an array takes a hundredth of the time of the table of keys.
  const stored = [...core.store.versions.values()];
  const compared = stored.length;
  const ours = new Map<ObjectKey, ObjectVersion<T>>();
  const differing: Difference<T>[] = [];
  const otherContent: Difference<T>[] = [];
  const { versions } = core.store;
  const turns = new TurnKeeper({ clock, sliceMs });
  const pause = (): Promise<void> | undefined => turns.due(signal);
  try {
    for (const [place, version] of stored.entries()) {
      ours.set(version.key, version);
      if (place % objectsPerLook === 0) await pause();
    }
    for await (const { items, poison } of pages(audited, isWhole, resourceVersion, signal)) {
      if (poison.some(({ key }) => key === undefined))
        throw new Error("the list contains an object without a name, so missing objects cannot be determined");
      for (const { key } of poison) ours.delete(key as ObjectKey);
      for (const [place, item] of items.entries()) {
        const { key, uid, resourceVersion: version } = item;
        const own = ours.get(key);
        ours.delete(key);
        if (own?.uid !== uid || own.resourceVersion !== version) differing.push({ key, own, version });
        else if (isWhole && hasOtherContent(core, own, item as ObjectVersion<T>)) otherContent.push({ key, own, version });
        if (place % objectsPerLook === 0) await pause();
      }
    }
    // Changes during the comparison have already repaired the difference.
    let place = 0;
    for (const [key, version] of ours) {
      if (versions.get(key) !== version) ours.delete(key);
      if (place++ % objectsPerLook === 0) await pause();
    }
  } finally {
    turns.close();
  }
  const isStill = ({ key, own }: Difference<T>): boolean => versions.get(key) === own;
  const missed = [...unasked(differing.filter(isStill), asked), ...(isWhole ? unasked(otherContent.filter(isStill), askedForContent) : [])];
  const result = { compared, vanished: [...ours.keys()], missed };
  if (ours.size + missed.length === 0) return result;
  log.error("cache differs from the server at the same version because events were lost, repairing it", {
    informer: name,
    code: "DRV0504",
    resourceVersion,
    count: ours.size + missed.length,
    vanished: result.vanished.slice(0, 10),
    missed: result.missed.slice(0, 10),
  });
  // In the order of the queue: objects that change before are skipped.
  const gone = [...ours.values()];
  for (let from = 0; from < gone.length; from += objectsPerLook) {
    const some = gone.slice(from, from + objectsPerLook);
    core.queue.enqueue(() => {
      for (const version of some) core.vanish(version);
    });
  }
  if (missed.length > 0) relist(`an audit found ${missed.length} objects whose changes the watch missed`);
  return result;
}

/** Returns the keys that have not caused a relist at this version, and remembers all of them as asked for. */
function unasked<T extends KubeObject>(differences: readonly Difference<T>[], asked: Map<ObjectKey, string>): ObjectKey[] {
  const missed = differences.filter(({ key, version }) => asked.get(key) !== version).map(({ key }) => key);
  asked.clear();
  for (const { key, version } of differences) asked.set(key, version);
  return missed;
}

/** Reports whether the cache would store something else for this item. Unknown, hence false, if its transform fails. */
function hasOtherContent<T extends KubeObject>(core: InformerCore<T>, own: ObjectVersion<T>, item: ObjectVersion<T>): boolean {
  const stored = core.stored(item);
  return stored !== undefined && !sameContent(own, stored);
}

/** Lists at exactly this version, page by page. */
async function* pages<T extends KubeObject>(
  { source: metadata, content = metadata, runtime: { clock }, pageSize = 500, pagePauseMs = 100 }: Audited<T>,
  isWhole: boolean,
  resourceVersion: string,
  signal: AbortSignal,
): AsyncGenerator<VersionPage<KubeObject>> {
  const source = isWhole ? content : metadata;
  let page = await source.list({ resourceVersion, resourceVersionMatch: "Exact", limit: pageSize }, { signal });
  for (;;) {
    yield page;
    if (page.continue === undefined) return;
    await sleep(clock, pagePauseMs, { signal });
    // The token determines the version.
    page = await source.list({ limit: pageSize, continue: page.continue }, { signal });
  }
}

function auditMetrics(metrics: Metrics, name: string): (outcome: "ok" | "expired" | "error", result?: AuditResult) => void {
  const audits = metrics.counter({
    name: "informer_audits_total",
    help: "Audits of a cache",
    labels: ["name", "outcome"],
  });
  const repairs = metrics.counter({
    name: "informer_audit_repairs_total",
    help: "Objects whose last event the watch had lost",
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
