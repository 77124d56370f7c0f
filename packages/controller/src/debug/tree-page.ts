/**
 * An object and everything it owns, as far as the caches of the program show it.
 *
 *     DebugSubject.childrenOf → treePage → ObjectTree
 */
import { objectKeyOf, parseTime } from "@drover/machinery";
import type { DeepReadonly, Kind, KubeObject } from "@drover/machinery";
import { oneLine } from "../tape/one-line.ts";
import { askedObject, elsewhere } from "./asked-object.ts";
import { DebugProblem } from "./debug-problem.ts";
import type { DebugSubject } from "./debug-subject.ts";

/** A node of the tree. */
export interface ObjectTree {
  readonly kind: string;
  readonly key: string;
  /** Milliseconds since its creation; absent if unknown. */
  readonly ageMs?: number;
  /** Finalizers that keep an object which is being deleted; absent if it is not. */
  readonly deleting?: readonly string[];
  /** The Ready condition, or another one that tells the same; absent if there is none. */
  readonly condition?: { readonly type: string; readonly status: string; readonly reason: string };
  readonly children: readonly ObjectTree[];
}

/** The answer of /debug/drover/tree. */
export interface DebugTree {
  readonly at: number;
  readonly tree: ObjectTree;
  /** Kinds of which objects can be shown. */
  readonly kinds: readonly string[];
  /** Number of objects that were left off. */
  readonly leftOff: number;
}

const nodesMax = 2000;
const depthMax = 16;

/** Throws a `DebugProblem` if the object is not in the cache. */
export function treePage(subject: DebugSubject, query: URLSearchParams): DebugTree {
  const asked = askedObject(subject, query);
  const root = subject.cacheOf(asked.kind)?.get(asked.key);
  if (root === undefined)
    throw new DebugProblem(
      404,
      `the cache of ${asked.kind.kind} has no object ${asked.key}`,
      elsewhere(subject, asked) ?? "check the name and the namespace",
    );
  const room = { left: nodesMax, leftOff: 0 };
  const tree = nodeOf(subject, asked.kind, root, { room, depth: 0, above: new Set() });
  return { at: subject.clock.now(), tree, kinds: subject.kinds.map(({ kind }) => kind), leftOff: room.leftOff };
}

interface Place {
  readonly room: { left: number; leftOff: number };
  readonly depth: number;
  /** Uids of the owners: owner references can form a cycle. */
  readonly above: ReadonlySet<string>;
}

function nodeOf(subject: DebugSubject, kind: Kind, object: DeepReadonly<KubeObject>, { room, depth, above }: Place): ObjectTree {
  const { metadata } = object;
  const { uid = "", creationTimestamp, deletionTimestamp, finalizers = [] } = metadata;
  room.left--;
  const owned = depth >= depthMax || uid === "" || above.has(uid) ? [] : (subject.childrenOf?.(object) ?? []);
  const shown = owned.slice(0, Math.max(0, room.left));
  room.leftOff += owned.length - shown.length;
  const place: Place = { room, depth: depth + 1, above: new Set([...above, uid]) };
  const condition = conditionOf(object);
  return {
    kind: kind.kind,
    key: objectKeyOf(object),
    ...(typeof creationTimestamp !== "string" ? {} : { ageMs: Math.max(0, subject.clock.now() - parseTime(creationTimestamp)) }),
    ...(deletionTimestamp === undefined ? {} : { deleting: finalizers.slice(0, 20).map(oneLine) }),
    ...(condition === undefined ? {} : { condition }),
    children: shown
      .toSorted((left, right) => order(left.kind, left.object, right.kind, right.object))
      .map((child) => nodeOf(subject, child.kind, child.object, place)),
  };
}

function order(leftKind: Kind, left: DeepReadonly<KubeObject>, rightKind: Kind, right: DeepReadonly<KubeObject>): number {
  const [first, second] = [`${leftKind.kind} ${objectKeyOf(left)}`, `${rightKind.kind} ${objectKeyOf(right)}`];
  return first < second ? -1 : first > second ? 1 : 0;
}

/** Conditions that tell whether an object works, the best first. */
const telling: readonly string[] = ["Ready", "Available", "Complete", "Reconciled"];

function conditionOf(object: DeepReadonly<KubeObject>): ObjectTree["condition"] {
  const { conditions } = (object as { readonly status?: { readonly conditions?: unknown } }).status ?? {};
  if (!Array.isArray(conditions)) return undefined;
  const found = telling
    .map((type) => (conditions as readonly Partial<Record<string, unknown>>[]).find((condition) => condition?.["type"] === type))
    .find((condition) => condition !== undefined);
  if (found === undefined) return undefined;
  const text = (name: string): string => (typeof found[name] === "string" ? oneLine(found[name]).slice(0, 100) : "");
  return { type: text("type"), status: text("status"), reason: text("reason") };
}
