/**
 * A bounded informer against a server with random writes, deletions, re-creations, late and lost watches, compactions, restored backups,
 * lagging caches, and answers to single reads that arrive late and out of order.
 */
import type { ConfigMap } from "@drover/api/core/v1";
import { jsonResponse, statusResponse } from "@drover/client/testing";
import { newNotFound } from "@drover/machinery";
import type { DeepReadonly, HttpResponse } from "@drover/machinery";
import { metricValues } from "@drover/machinery/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { BoundedChange } from "../bodies/bounded-change.ts";
import { isStaleReadError } from "../bodies/stale-read-error.ts";
import { boundedRig, shop } from "../testing/bounded-rig.ts";
import type { BoundedRig } from "../testing/bounded-rig.ts";
import type { ApiCall } from "../testing/scripted-api.ts";
import type { HistorySnapshot, ScriptedObject } from "../testing/scripted-history.ts";
import type { ObjectIdentity } from "./bounded-informer.ts";

const names = ["a", "b", "c", "d", "e", "f"] as const;
type Name = (typeof names)[number];
const limit = 2000;

type Step =
  | { readonly kind: "put"; readonly name: Name; readonly bytes: number; readonly colour: string }
  | { readonly kind: "remove" | "recreate" | "read"; readonly name: Name; readonly delayMs: number }
  | { readonly kind: "cut" | "halfOpen" | "compact" | "backup" | "restore" | "skip" | "list" }
  /** A backup from before the last write is restored, and the same version is written with other content. */
  | { readonly kind: "rewind"; readonly name: Name; readonly ahead: number; readonly ms: number }
  | { readonly kind: "lag"; readonly revisions: number }
  /** Further single reads are answered with an earlier state of any object of that name. */
  | { readonly kind: "stale"; readonly back: number; readonly times: number }
  | { readonly kind: "wait"; readonly ms: number };

const name = fc.constantFrom(...names);
const delayMs = fc.constantFrom(0, 0, 5, 300, 2000, 9000);
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 18,
    arbitrary: fc.record({
      kind: fc.constant("put" as const),
      name,
      bytes: fc.constantFrom(10, 700, 1500, 4000),
      colour: fc.constantFrom("red", "blue"),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom("remove" as const, "recreate" as const), name, delayMs }) },
  { weight: 24, arbitrary: fc.record({ kind: fc.constant("read" as const), name, delayMs }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        "cut" as const,
        "halfOpen" as const,
        "compact" as const,
        "backup" as const,
        "restore" as const,
        "skip" as const,
        "list" as const,
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("rewind" as const), name, ahead: fc.constantFrom(0, 5), ms: fc.constantFrom(0, 500) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("lag" as const), revisions: fc.constantFrom(0, 1, 3, 8) }) },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("stale" as const), back: fc.integer({ min: 0, max: 5 }), times: fc.constantFrom(1, 2, 20) }),
  },
  { weight: 12, arbitrary: fc.record({ kind: fc.constant("wait" as const), ms: fc.constantFrom(1, 20, 400, 3000, 20_000) }) },
);

/** A state of one object, and when the server had it, in steps of the test. */
interface Life {
  readonly object: ScriptedObject;
  readonly from: number;
  to: number;
}

/** What the server had, and when. */
class Chronicle {
  readonly lives: Life[] = [];
  now = 0;

  /** Records the state of the server after a step. */
  note(objects: ReadonlyMap<string, ScriptedObject>): void {
    this.now++;
    const current = new Set(objects.values());
    for (const life of this.lives) {
      if (!current.has(life.object)) continue;
      if (life.to === this.now - 1) {
        life.to = this.now;
        current.delete(life.object);
      }
    }
    for (const object of current) this.lives.push({ object, from: this.now, to: this.now });
  }

  /** When the server first had what the cache knows; the last time before `at`, if a backup brought it back. */
  since({ uid, resourceVersion }: ObjectIdentity, at: number): number {
    const found = this.lives.filter(
      ({ object: { metadata }, from }) => metadata.uid === uid && metadata.resourceVersion === resourceVersion && from <= at,
    );
    return Math.min(...found.map(({ from }) => from));
  }

  had(object: DeepReadonly<ConfigMap>, since: number): boolean {
    return this.lives.some(
      (life) =>
        life.to >= since &&
        life.object.metadata.uid === object.metadata.uid &&
        life.object.metadata.resourceVersion === object.metadata.resourceVersion &&
        life.object.data?.["text"] === object.data?.["text"],
    );
  }

  /** Whether the server had this object, in any version, all the time. */
  hadAlways(uid: string, from: number): boolean {
    for (let at = from; at <= this.now; at++)
      if (!this.lives.some((life) => life.object.metadata.uid === uid && life.from <= at && at <= life.to)) return false;
    return true;
  }
}

interface Play {
  readonly rig: BoundedRig;
  readonly chronicle: Chronicle;
  readonly mistakes: string[];
  readonly reads: Promise<void>[];
  /** When the reads under way began, by key. */
  readonly underWay: Map<string, readonly number[]>;
  readonly counts: { gets: number; stale: number; undefined: number };
  backup: HistorySnapshot | undefined;
}

async function take(play: Play, step: Step): Promise<void> {
  const { rig, chronicle } = play;
  const { api } = rig;
  switch (step.kind) {
    case "put":
      rig.write(step.name, step);
      break;
    case "recreate":
      api.remove(`shop/${step.name}`);
      chronicle.note(api.objects);
      rig.write(step.name);
      break;
    case "remove":
      api.remove(`shop/${step.name}`);
      break;
    case "read":
      rig.delayMs = step.delayMs;
      play.reads.push(checkedRead(play, step.name));
      break;
    case "list":
      play.reads.push(checkedList(play));
      break;
    case "wait":
      await rig.clock.advance(step.ms);
      break;
    case "cut":
      api.cut();
      break;
    case "halfOpen":
      api.halfOpen();
      break;
    case "skip":
      api.skip(2);
      break;
    case "compact":
      api.skip();
      api.restart();
      break;
    case "lag":
      api.lagBy(step.revisions);
      break;
    case "rewind":
      await rewind(play, step);
      break;
    case "stale":
      api.fault((call) => (call.verb === "get" ? staleAnswer(play, call, step.back) : undefined), { times: step.times });
      break;
    case "backup":
      play.backup = api.snapshot();
      break;
    case "restore":
      if (play.backup !== undefined) api.restore(play.backup);
      break;
  }
  chronicle.note(api.objects);
  const { bytes } = rig.informer.state().bodies;
  if (bytes > limit) play.mistakes.push(`${bytes} bytes of bodies are cached`);
}

async function rewind({ rig, chronicle }: Play, { name: of, ahead, ms }: Extract<Step, { readonly kind: "rewind" }>): Promise<void> {
  const backup = rig.api.snapshot();
  rig.write(of, { colour: "red" });
  chronicle.note(rig.api.objects);
  await rig.clock.advance(ms);
  rig.api.restore(backup);
  chronicle.note(rig.api.objects);
  rig.write(of, { colour: "blue" });
  rig.api.skip(ahead);
}

/**
 * Only a cached state may lack the object or have another one: an answer from the newest state that does is true. None is from a
 * history that a restore has ended: its later versions look like those of the new history.
 */
function staleAnswer({ chronicle, rig }: Play, { path: { name: of = "" }, options }: ApiCall, back: number): HttpResponse | undefined {
  const current = rig.api.objects.get(`shop/${of}`)?.metadata;
  const past = chronicle.lives
    .filter(({ object: { metadata } }) => metadata.name === of && (options.resourceVersion !== undefined || metadata.uid === current?.uid))
    .filter(({ object: { metadata } }) => Number(metadata.resourceVersion) <= Number(current?.resourceVersion ?? Infinity))
    .at(-1 - back);
  if (past !== undefined) return jsonResponse({ kind: "ConfigMap", apiVersion: "v1", ...past.object });
  return options.resourceVersion === undefined ? undefined : statusResponse(newNotFound({ group: "", resource: "configmaps" }, of));
}

async function checkedRead(play: Play, of: Name): Promise<void> {
  const { rig, chronicle, mistakes, counts, underWay } = play;
  const [key, began] = [shop(of), chronicle.now];
  // Readers of one key share a request: an object that was gone when it was sent is gone for all, even if a backup brings it back.
  const asked = Math.min(began, ...(underWay.get(key) ?? []));
  underWay.set(key, [...(underWay.get(key) ?? []), asked]);
  const known = rig.informer.identity(key);
  const before = rig.gets;
  try {
    const object = await rig.informer.get(key);
    const now = rig.informer.identity(key);
    counts.gets += rig.gets - before;
    if (known === undefined) {
      if (object !== undefined) mistakes.push(`${key} was returned though the cache did not list it`);
      return;
    }
    const since = chronicle.since(known, began);
    if (object === undefined) {
      counts.undefined++;
      const isListed = now?.uid === known.uid;
      if (isListed && chronicle.hadAlways(known.uid, asked))
        mistakes.push(`${key} ${known.uid} was there all the time, but the read found nothing`);
      return;
    }
    if (!chronicle.had(object, since))
      mistakes.push(
        `${key}: ${object.metadata.uid} @${object.metadata.resourceVersion} is older than @${known.resourceVersion}, or was never there`,
      );
    if (object.metadata.uid !== known.uid && object.metadata.uid !== now?.uid)
      mistakes.push(`${key}: ${object.metadata.uid} is another object`);
  } catch (error) {
    if (isStaleReadError(error)) counts.stale++;
    else mistakes.push(`${key}: ${String(error)}`);
  } finally {
    const open = underWay.get(key) ?? [];
    underWay.set(key, open.toSpliced(open.indexOf(asked), 1));
  }
}

async function checkedList({ rig, chronicle, mistakes, counts }: Play): Promise<void> {
  const began = new Map(names.map((of) => [shop(of) as string, rig.informer.identity(shop(of))]));
  const at = chronicle.now;
  try {
    for await (const object of rig.informer.list()) {
      const known = began.get(`shop/${object.metadata.name}`);
      if (!chronicle.had(object, known === undefined ? 0 : chronicle.since(known, at)))
        mistakes.push(`listed ${object.metadata.name} is old`);
    }
  } catch (error) {
    if (isStaleReadError(error)) counts.stale++;
    else mistakes.push(`list: ${String(error)}`);
  }
}

async function finish({ rig, chronicle, mistakes, reads }: Play): Promise<void> {
  rig.api.repair();
  rig.delayMs = 0;
  await rig.settled(45 * 60_000);
  chronicle.note(rig.api.objects);
  await Promise.all(reads);
  const { informer, api } = rig;
  const wanted = [...api.objects.keys()].toSorted();
  if (wanted.join() !== informer.keys().toSorted().join())
    mistakes.push(`the cache lists ${informer.keys().join()}, the server has ${wanted.join()}`);
  // Twice: evicted and read again, they are the same.
  for (const key of [...wanted, ...wanted]) {
    const of = key.slice("shop/".length);
    const [found, object] = [await rig.readNow(of), api.objects.get(key)];
    if (JSON.stringify(found?.data) !== JSON.stringify(object?.data) || found?.metadata.uid !== object?.metadata.uid)
      mistakes.push(`${key} @${found?.metadata.resourceVersion} differs from the server's @${object?.metadata.resourceVersion}`);
    const colour = object?.metadata.labels?.["colour"] ?? "none";
    if (!informer.indexKeys("colour", colour).includes(shop(of))) mistakes.push(`${key} is missing from the index under ${colour}`);
  }
  mistakes.push(...ledgerMistakes(rig));
  await rig.stop();
  if (rig.clock.pending.length > 0) mistakes.push(`${rig.clock.pending.length} timers left behind`);
}

/** The changes that the handler received lead to the state of the server. */
function ledgerMistakes({ changes, api }: BoundedRig): string[] {
  const held = new Map<string, string>();
  const mistakes: string[] = [];
  for (const change of changes) {
    const { type, key, uid, resourceVersion } = change;
    const before = held.get(key);
    if (type === "added" && before !== undefined) mistakes.push(`${key} was added over ${before}`);
    if (type === "updated" && before !== `${uid} @${change.resourceVersionBefore}`)
      mistakes.push(`${key} was updated from ${change.resourceVersionBefore}, not ${before}`);
    if (type === "updated" && change.resourceVersionBefore === resourceVersion && !change.isNewEpoch)
      mistakes.push(`${key} was updated without a change`);
    if (type === "deleted" && before === undefined) mistakes.push(`${key} was deleted and not there`);
    if (type === "deleted") held.delete(key);
    else held.set(key, `${uid} @${resourceVersion}`);
  }
  const server = [...api.objects].map(([key, { metadata }]) => `${key} ${metadata.uid} @${metadata.resourceVersion}`).toSorted();
  const told = [...held].map(([key, value]) => `${key} ${value}`).toSorted();
  if (server.join() !== told.join()) mistakes.push(`the handler knows ${told.join()}, the server has ${server.join()}`);
  return mistakes;
}

/** The bodies of a change are those of its versions. */
function bodyMistakes(change: BoundedChange<ConfigMap>): string[] {
  const { key, uid, object } = change;
  const differs = (body: DeepReadonly<ConfigMap> | undefined, version: string): boolean =>
    body !== undefined && (body.metadata.uid !== uid || body.metadata.resourceVersion !== version);
  return [
    ...(differs(object, change.resourceVersion) ? [`${key}: the change has another object`] : []),
    ...(change.type === "updated" && differs(change.before, change.resourceVersionBefore)
      ? [`${key}: the change comes from another object`]
      : []),
  ];
}

const isLong = process.env["DROVER_LONG"] === "1";

describe("a bounded informer", () => {
  it(
    "returns only bodies that the server had at or after the known version, within its limit, under random faults",
    { timeout: isLong ? 3_600_000 : 120_000 },
    async () => {
      const total = { gets: 0, repeated: 0, stale: 0, undefined: 0 };
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 2 ** 31 }),
          fc.boolean(),
          fc.array(anyStep, { minLength: 30, maxLength: 120, size: "max" }),
          async (seed, watchList, steps) => {
            const rig = boundedRig({ seed, bodyBytesMax: limit, api: { watchList }, audit: true, informer: { bodyReadsMax: 2 } });
            const play: Play = {
              rig,
              chronicle: new Chronicle(),
              mistakes: [],
              reads: [],
              underWay: new Map(),
              counts: { gets: 0, stale: 0, undefined: 0 },
              backup: undefined,
            };
            if (seed % 2 === 1)
              rig.informer.addHandler((change) => void play.mistakes.push(...bodyMistakes(change)), { name: "reads bodies" });
            for (const of of names) rig.write(of);
            play.chronicle.note(rig.api.objects);
            await rig.clock.advance(2000);
            for (const each of steps) await take(play, each);
            total.gets += rig.gets;
            await finish(play);
            total.repeated +=
              metricValues(rig.runtime.metrics, "informer_body_requests_repeated_total")["configmaps in all namespaces"] ?? 0;
            total.stale += play.counts.stale;
            total.undefined += play.counts.undefined;
            expect(play.mistakes).toEqual([]);
            if (!steps.some(({ kind }) => kind === "stale" || kind === "lag" || kind === "restore" || kind === "rewind"))
              expect(play.counts.stale).toBe(0);
          },
        ),
        { numRuns: isLong ? 1000 : 30, endOnFailure: true },
      );
      console.log(
        `bounded informer: ${total.gets} reads of the server, ${total.repeated} repeated, ${total.undefined} gone, ${total.stale} stale`,
      );
      expect(total.gets).toBeGreaterThan(50);
    },
  );
});
