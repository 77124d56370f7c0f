/**
 * Finds runs that cause each other.
 *
 *     RunRecord[] → findLoops → Loop[]: two writers that overwrite a field in turn, or a controller that triggers itself
 */
import { definedOnly, printGroupKind } from "@drover/machinery";
import type { GroupKind, ObjectKey } from "@drover/machinery";
import type { Loop, LoopWriter } from "./loop.ts";
import type { ChangeRecord, RunRecord, Writer } from "./run-record.ts";

/** Options of `findLoops`. */
export interface FindLoopsOptions {
  /** Number of runs of a key within the window that is normal. @default 10 */
  readonly loopRunsMax?: number;
  /** Window before the newest run of a key, in milliseconds. @default 60000 */
  readonly loopWindowMs?: number;
}

/** How often a field must alternate between two writers; people who try things cause fewer alternations. */
const turnsMin = 4;
const valuesMax = 6;
const loopsPerKeyMax = 5;

/**
 * Returns the loops among these runs, each once. Ignores keys that ran no more often than normal, and objects with generated names, which
 * are new in every run.
 */
export function findLoops(runs: readonly RunRecord[], { loopRunsMax = 10, loopWindowMs = 60_000 }: FindLoopsOptions = {}): readonly Loop[] {
  const found = new Map<string, Loop>();
  for (const ofKey of byKey(runs)) {
    const newest = ofKey.at(-1);
    const recent = ofKey.filter(({ startedAt }) => newest !== undefined && startedAt >= newest.startedAt - loopWindowMs);
    if (newest === undefined || recent.length <= loopRunsMax) continue;
    for (const loop of loopsOfKey(recent, newest, loopRunsMax)) {
      const identity = loopIdentity(loop);
      if (!found.has(identity)) found.set(identity, loop);
    }
  }
  return [...found.values()];
}

/** Returns the same text for the same loop, whichever runs showed it. */
export function loopIdentity({ type, cluster, kind, object, path, writers }: Loop): string {
  return JSON.stringify([type, cluster, printGroupKind(kind), object, path, writers.map((writer) => JSON.stringify(writer)).toSorted()]);
}

function byKey(runs: readonly RunRecord[]): Iterable<readonly RunRecord[]> {
  const groups = new Map<string, RunRecord[]>();
  for (const run of runs) {
    const name = JSON.stringify([run.controller, run.key]);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [run]);
    else group.push(run);
  }
  return groups.values();
}

/** The changes of one object, in the order they were seen. */
interface Story {
  readonly cluster: string;
  readonly kind: GroupKind;
  readonly object: ObjectKey;
  readonly steps: Step[];
}

interface Step {
  readonly change: ChangeRecord;
  /** The run that the change caused. */
  readonly run: RunRecord;
}

/** The key whose runs are examined. */
type Whose = Pick<RunRecord, "controller" | "key">;

function loopsOfKey(runs: readonly RunRecord[], whose: Whose, loopRunsMax: number): readonly Loop[] {
  const stories = storiesOf(runs);
  const fights = stories.flatMap((story) => fightsIn(story, whose));
  // Fighting writers also trigger runs themselves; the fight already reports that.
  const isFought = (story: Story): boolean =>
    fights.some(
      (fight) =>
        fight.object === story.object && fight.cluster === story.cluster && printGroupKind(fight.kind) === printGroupKind(story.kind),
    );
  const own = stories.filter((story) => !isFought(story)).flatMap((story) => ownLoop(story, whose, loopRunsMax));
  return [...fights, ...own].toSorted((a, b) => b.times - a.times).slice(0, loopsPerKeyMax);
}

function storiesOf(runs: readonly RunRecord[]): readonly Story[] {
  const stories = new Map<string, Story>();
  const seen = new Set<string>();
  for (const run of runs) {
    for (const change of run.causes) {
      if (change.type !== "change" || change.event === "initial" || change.event === "resync") continue;
      const { cluster, kind, key: object, uid, resourceVersion, event } = change;
      const name = JSON.stringify([cluster, kind.group, kind.kind, object]);
      const version = JSON.stringify([name, uid, resourceVersion, event]);
      if (seen.has(version)) continue;
      seen.add(version);
      const story = stories.get(name) ?? { cluster, kind, object, steps: [] };
      stories.set(name, story);
      story.steps.push({ change, run });
    }
  }
  return [...stories.values()];
}

/** One write of one field. */
interface Touch {
  readonly writer: LoopWriter;
  readonly before: string;
  readonly after: string;
  readonly at: number;
}

const absent = "nothing";

function touchesOf(steps: readonly Step[]): ReadonlyMap<string, readonly Touch[]> {
  const touches = new Map<string, Touch[]>();
  const add = (path: string, touch: Touch): void => {
    const same = touches.get(path);
    if (same === undefined) touches.set(path, [touch]);
    else same.push(touch);
  };
  for (const { change, run } of steps) {
    // With several writers it is not known who wrote which field.
    const [first, second] = change.writers;
    const writer = first === undefined || second !== undefined ? undefined : loopWriter(first);
    if (writer === undefined) continue;
    const at = run.startedAt;
    if (change.event === "added") add("", { writer, before: "gone", after: "there", at });
    else if (change.event === "deleted") add("", { writer, before: "there", after: "gone", at });
    else for (const { path, before = absent, after = absent } of change.fields ?? []) add(path, { writer, before, after, at });
  }
  return touches;
}

function loopWriter(writer: Writer): LoopWriter {
  if (writer.type === "self") return { type: "controller", name: writer.controller };
  if (writer.type === "unknown") return writer;
  return { type: "manager", name: writer.manager, ...definedOnly({ subresource: writer.subresource }) };
}

const sameWriter = (a: LoopWriter, b: LoopWriter): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Returns the fields that two writers overwrite in turn. */
function fightsIn(story: Story, whose: Whose): readonly Loop[] {
  const loops: Loop[] = [];
  for (const [path, touches] of touchesOf(story.steps)) {
    const pair = fightingPair(touches);
    if (pair !== undefined)
      loops.push(
        loopOf(
          "fight",
          story,
          whose,
          pair,
          path,
          touches.filter(({ writer }) => pair.some((side) => sameWriter(side, writer))),
        ),
      );
  }
  return loops;
}

/** Returns the two writers that alternate most often, if often enough. */
function fightingPair(touches: readonly Touch[]): readonly [LoopWriter, LoopWriter] | undefined {
  const turns = new Map<string, { readonly pair: readonly [LoopWriter, LoopWriter]; count: number }>();
  for (const [index, { writer }] of touches.entries()) {
    const before = touches[index - 1]?.writer;
    if (before === undefined || sameWriter(before, writer)) continue;
    const name = [before, writer]
      .map((side) => JSON.stringify(side))
      .toSorted()
      .join(" ");
    const known = turns.get(name);
    if (known === undefined) turns.set(name, { pair: [before, writer], count: 1 });
    else known.count++;
  }
  const most = [...turns.values()].toSorted((a, b) => b.count - a.count)[0];
  return most === undefined || most.count < turnsMin ? undefined : most.pair;
}

/** Returns a loop if the controller's writes to this object were the only cause of its next runs, which wrote again. */
function ownLoop(story: Story, whose: Whose, loopRunsMax: number): readonly Loop[] {
  const isOwn = (writer: Writer): boolean => writer.type === "self" && writer.controller === whose.controller && writer.key === whose.key;
  const isOwnChange = (cause: RunRecord["causes"][number]): boolean =>
    cause.type === "change" && cause.writers.length > 0 && cause.writers.every(isOwn);
  const links = story.steps.filter(
    ({ change, run }) => isOwnChange(change) && run.causes.every(isOwnChange) && run.calls.some(({ wrote }) => wrote !== undefined),
  );
  if (links.length < Math.max(turnsMin, Math.ceil(loopRunsMax / 2))) return [];
  const [mostTouched] = [...touchesOf(links)].toSorted(([, a], [, b]) => b.length - a.length);
  const writer: LoopWriter = { type: "controller", name: whose.controller };
  const touches = links.map(({ run }) => ({ writer, before: "", after: "", at: run.startedAt }));
  const loop = loopOf("self", story, whose, [writer], mostTouched?.[0], touches);
  return [{ ...loop, values: mostTouched === undefined ? [] : valuesOf(mostTouched[1]) }];
}

function loopOf(
  type: Loop["type"],
  { cluster, kind, object }: Story,
  { controller, key }: Whose,
  writers: readonly LoopWriter[],
  path: string | undefined,
  touches: readonly Touch[],
): Loop {
  const since = touches[0]?.at ?? 0;
  return {
    type,
    controller,
    key,
    cluster,
    kind,
    object,
    ...definedOnly({ path }),
    writers,
    times: touches.length,
    values: valuesOf(touches),
    since,
    spanMs: (touches.at(-1)?.at ?? since) - since,
  };
}

function valuesOf(touches: readonly Touch[]): readonly string[] {
  const newest = touches.slice(1 - valuesMax);
  return newest.flatMap(({ before, after }, index) => (index === 0 ? [before, after] : [after]));
}
