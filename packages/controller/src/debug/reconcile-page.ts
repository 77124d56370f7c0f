/**
 * Enqueues keys because a person asks for it: the one page that does something. It writes nothing; the reconcile may.
 *
 *     POST /debug/drover/reconcile → reconcilePage → Controller.enqueue
 */
import { budget } from "@drover/machinery";
import type { ObjectKey } from "@drover/machinery";
import { lowPriority } from "../handlers/request.ts";
import { askedObject, elsewhere } from "./asked-object.ts";
import { DebugProblem } from "./debug-problem.ts";
import type { DebuggedController, DebugSubject } from "./debug-subject.ts";

const keysMax = budget({
  name: "controller/asked-reconciles",
  limit: 100_000,
  unit: "items",
  atLimit: "the request is refused, and no key is enqueued; one controller can be asked for instead of all",
  uncounted: "The caller gets an answer that says so.",
});

/** The answer of /debug/drover/reconcile. */
export interface DebugReconcile {
  readonly at: number;
  /** The cause that the runs have, in words: "asked by drover reconcile (request 3)". */
  readonly note: string;
  /** Number of keys that were enqueued, by controller; without those that were not, because another replica holds their shard. */
  readonly enqueued: readonly { readonly controller: string; readonly keys: number }[];
  /** Position of the tape before these runs; absent without a tape. */
  readonly cursor?: number;
}

/** Enqueues a key, or with `all=true` every cached object. Throws a `DebugProblem` if nothing would run. */
export function reconcilePage(subject: DebugSubject, query: URLSearchParams, request: number): DebugReconcile {
  requireActive(subject);
  const isAll = query.get("all") === "true";
  const work = isAll ? allKeys(subject, query) : oneKey(subject, query);
  const count = work.reduce((sum, { keys }) => sum + keys.length, 0);
  if (count > keysMax.limit)
    throw new DebugProblem(400, `${count} keys would be enqueued, more than ${keysMax.limit}`, "controller=NAME, or one object");
  const { clock, tape } = subject;
  const at = clock.now();
  const note = `asked by drover reconcile (request ${request})`;
  // No controller has this name: the position after everything that has ended, without describing a run.
  const cursor = tape?.ended(0, 1, { controller: "" }).cursor;
  const priority = isAll ? lowPriority : 0;
  const enqueued = work.map(({ controller, keys }) => {
    for (const key of keys) controller.enqueue(key, { note, priority });
    return { controller: controller.name, keys: keys.filter((key) => controller.inspect(key) !== undefined).length };
  });
  if (count > 0 && enqueued.every(({ keys }) => keys === 0))
    throw new DebugProblem(409, "another replica holds the shard of these keys, so nothing was enqueued", "ask that replica");
  return { at, note, enqueued, ...(cursor === undefined ? {} : { cursor }) };
}

/** A key that is enqueued elsewhere would wait for the lease, and then run because of the start. */
function requireActive({ manager }: DebugSubject): void {
  const { phase, election } = manager.state();
  if (phase !== "running")
    throw new DebugProblem(409, `the operator is ${phase}, so nothing would run`, "wait until drover status says running");
  if (election === undefined || election.isLeader) return;
  const holder = election.leader === "" ? "no replica is known to hold" : `${election.leader} holds`;
  throw new DebugProblem(409, `${holder} the lease ${election.lease}, so this replica reconciles nothing`, "ask the replica that holds it");
}

interface Keys {
  readonly controller: DebuggedController["controller"];
  readonly keys: readonly ObjectKey[];
}

function oneKey(subject: DebugSubject, query: URLSearchParams): readonly Keys[] {
  const asked = askedObject(subject, query);
  const { kind, key } = asked;
  const controllers = asked.controllers.filter((each) => each.kind === kind);
  if (controllers.length === 0)
    throw new DebugProblem(
      400,
      `${query.get("controller") ?? subject.name} does not reconcile ${kind.kind}`,
      `an object of ${subject.controllers.flatMap((each) => (each.kind === undefined ? [] : [each.kind.kind])).join(", ")}`,
    );
  if (!(subject.cacheOf(kind)?.keys() ?? []).includes(key))
    throw new DebugProblem(
      404,
      `the cache of ${kind.kind} has no object ${key}`,
      elsewhere(subject, asked) ?? "check the name and the namespace",
    );
  return controllers.map(({ controller }) => ({ controller, keys: [key] }));
}

function allKeys({ controllers, cacheOf, name }: DebugSubject, query: URLSearchParams): readonly Keys[] {
  const odd = ["kind", "namespace", "name"].find((each) => query.has(each));
  if (odd !== undefined) throw new DebugProblem(400, `all=true and ${odd} exclude each other`, "one of them");
  const named = query.get("controller");
  const chosen = controllers.filter(({ controller }) => named === null || controller.name === named);
  if (chosen.length === 0)
    throw new DebugProblem(
      400,
      `${name} has no controller ${JSON.stringify((named ?? "").slice(0, 100))}`,
      `one of ${controllers.map(({ controller }) => controller.name).join(", ")}`,
    );
  return chosen.map(({ controller, kind }) => ({ controller, keys: kind === undefined ? [] : [...(cacheOf(kind)?.keys() ?? [])] }));
}
