/**
 * A recording, reduced to what must be the same wherever the scene is played: for each step its end state, the path of
 * each object to it, and the Events.
 *
 *     Recording → trajectory → steps, each with facts:
 *       "end of ReplicaSet web-#1: spec.replicas"
 *       "way of Deployment web: condition Progressing"
 *       "told of Pod web-#1-*: Normal Scheduled"
 */
import type { KubeObject } from "@drover/machinery";
import { facetsOf } from "./facets.ts";
import type { Version } from "./history.ts";
import { stableNames } from "./names.ts";
import type { StableNames } from "./names.ts";
import type { Recording } from "./play.ts";
import { counted, shown } from "./shown.ts";
import { way } from "./way.ts";

/** Values by the name of the fact. */
export type Facts = ReadonlyMap<string, string>;

export interface TrajectoryStep {
  readonly name: string;
  readonly facts: Facts;
}

export function trajectory({ namespace, versions, steps }: Recording): readonly TrajectoryStep[] {
  const names = stableNames(versions, namespace);
  return steps.map(({ name, end, problem }, index) => {
    const begin = steps[index - 1]?.end ?? 0;
    const facts = new Map([
      ...endFacts(versions.slice(0, end), names),
      ...wayFacts(versions.slice(0, begin), versions.slice(begin, end), names),
      // Events may be late, so they are compared once for the whole scene.
      ...(index === steps.length - 1 ? told(versions, names) : []),
      ...(problem === undefined ? [] : [["problem", problem] as const]),
    ]);
    return { name, facts };
  });
}

const groupOf = ({ kind, object }: Version, names: StableNames): string => `${kind} ${names.nameOf(object)}`;

/** The last version of every object, by uid. */
function latest(versions: readonly Version[]): ReadonlyMap<string, Version> {
  return new Map(versions.filter(({ kind }) => kind !== "Event").map((version) => [version.object.metadata.uid ?? "", version]));
}

/** Objects with one stable name are merged: for each leaf the number of objects with each value. */
function endFacts(versions: readonly Version[], names: StableNames): Facts {
  const present = [...latest(versions).values()].filter(({ isDeleted }) => !isDeleted);
  const values = new Map<string, string[]>();
  for (const version of present) {
    const about = `end of ${groupOf(version, names)}`;
    for (const [path, value] of [["there", "yes"] as const, ...shown(version.kind, version.object, names)])
      put(values, `${about}: ${path}`, value);
  }
  return together(values);
}

function put(values: Map<string, string[]>, about: string, value: string): void {
  const known = values.get(about);
  if (known === undefined) values.set(about, [value]);
  else known.push(value);
}

const together = (values: ReadonlyMap<string, readonly string[]>): Facts =>
  new Map([...values].map(([about, all]) => [about, counted(all)]));

/** The paths of the objects that changed in this step, facet by facet; objects with one stable name are counted. */
function wayFacts(before: readonly Version[], during: readonly Version[], names: StableNames): Facts {
  const known = latest(before);
  const lives = new Map<string, Version[]>();
  for (const version of during) {
    if (version.kind === "Event") continue;
    const { uid = "" } = version.object.metadata;
    const first = known.get(uid);
    lives.set(uid, [...(lives.get(uid) ?? (first === undefined ? [] : [first])), version]);
  }
  const ways = new Map<string, string[]>();
  for (const versions of lives.values()) {
    const [first] = versions;
    if (first === undefined) continue;
    for (const facet of facetsOf(first.kind)) {
      const values =
        facet.name === "life"
          ? versions.map(({ object, isDeleted }) => (isDeleted ? "gone" : (facet.of(object) ?? "")))
          : versions.filter(isFollowed).map(({ object }) => maskedValue(facet.of(object), names));
      const stations = known.has(first.object.metadata.uid ?? "") || facet.name !== "life" ? values : ["", ...values];
      const text = way(stations, facet.part);
      if (text === "-" || text === "") continue;
      const about = `way of ${groupOf(first, names)}: ${facet.name}`;
      put(ways, about, text);
    }
  }
  return together(ways);
}

/** A pod after its deletion timestamp depends only on its node and its finalizers. */
const isFollowed = ({ kind, object, isDeleted }: Version): boolean =>
  !isDeleted && (kind !== "Pod" || object.metadata.deletionTimestamp === undefined);

const maskedValue = (value: string | undefined, names: StableNames): string => (value === undefined ? "-" : names.text(value));

interface EventFields extends KubeObject {
  readonly regarding?: { readonly kind?: string; readonly name?: string };
  readonly type?: string;
  readonly reason?: string;
  readonly note?: string;
}

/** From the tenth Event of one kind on the recorder aggregates them and chooses which one to name. */
const combined = "(combined from similar events)";

/** Reported by a loop that runs every five seconds, for nodes that may be gone by then. */
const untold: ReadonlySet<string> = new Set(["RegisteredNode", "RemovingNode"]);

/**
 * The different Events of each object. Their count is random, because repetitions are only counted. The reason why a
 * pod is unschedulable names all nodes, those of other scenes included.
 */
function told(versions: readonly Version[], names: StableNames): Facts {
  const all = new Map<string, Set<string>>();
  for (const { kind, object } of versions) {
    if (kind !== "Event") continue;
    const { regarding = {}, type = "", reason = "", note = "" } = object as EventFields;
    if (note.startsWith(combined) || untold.has(reason)) continue;
    const about = `told of ${regarding.kind ?? ""} ${names.text(regarding.name ?? "")}: ${type} ${reason}`;
    all.set(about, (all.get(about) ?? new Set()).add(reason === "FailedScheduling" ? "" : names.text(note)));
  }
  return new Map([...all].map(([about, notes]) => [about, [...notes].toSorted().join(" | ")]));
}
