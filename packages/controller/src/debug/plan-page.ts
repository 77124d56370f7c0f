/**
 * What the code of the program would change in the cluster: dry runs of the next run of each object.
 *
 *     DebuggedController.plan → planPage → DebugPlan
 */
import { definedOnly } from "@drover/machinery";
import type { ObjectKey } from "@drover/machinery";
import { askedObject, elsewhere } from "./asked-object.ts";
import { DebugProblem } from "./debug-problem.ts";
import type { DebuggedController, DebugSubject } from "./debug-subject.ts";
import { fitting } from "./fitting.ts";
import type { PlannedRun } from "./planned-run.ts";

/** The plan of one object. */
export interface PlannedObjectRun extends PlannedRun {
  readonly controller: string;
  readonly key: ObjectKey;
}

/** The answer of /debug/drover/plan. */
export interface DebugPlan {
  readonly at: number;
  /** Objects with writes or errors; the one that was asked for in any case. */
  readonly objects: readonly PlannedObjectRun[];
  /** Number of objects that were planned, those that are not listed included. */
  readonly planned: number;
  /** Number of objects whose run would apply nothing: paused, excluded, being deleted. */
  readonly skipped: number;
  /** Controllers whose writes are not declared and therefore not known. */
  readonly unknown: readonly string[];
  /** Number of objects to skip for the rest; absent if this is all. */
  readonly next?: number;
}

/** How long a page may take: commands wait for 15 s. */
const pageMs = 8000;

/** Plans at most `limit` objects after the first `skip`, one after the other. Sends dry runs only. */
export async function planPage(
  subject: DebugSubject,
  query: URLSearchParams,
  { limit, skip, signal }: { readonly limit: number; readonly skip: number; readonly signal: AbortSignal },
): Promise<DebugPlan> {
  const { clock } = subject;
  const { work, unknown, isOne } = wantedPlans(subject, query);
  const until = clock.monotonic() + pageMs;
  const planned: PlannedObjectRun[] = [];
  for (const { controller, plan, key } of work.slice(skip, skip + limit)) {
    if (planned.length > 0 && clock.monotonic() > until) break;
    planned.push({ controller: controller.name, key, ...(await plan(key, signal)) });
  }
  const telling = planned.filter(({ writes, errors }) => isOne || writes.length + errors.length > 0);
  const { items, leftOff } = fitting(telling, (each) => each);
  // What did not fit comes with the next page.
  const last = leftOff === 0 ? undefined : telling[items.length];
  const done = last === undefined ? planned : planned.slice(0, Math.max(1, planned.indexOf(last)));
  const next = skip + done.length;
  return {
    at: clock.now(),
    objects: items,
    planned: done.length,
    skipped: done.filter(({ skipped }) => skipped !== undefined).length,
    unknown,
    ...definedOnly({ next: next < work.length ? next : undefined }),
  };
}

interface WantedPlan {
  readonly controller: DebuggedController["controller"];
  readonly plan: NonNullable<DebuggedController["plan"]>;
  readonly key: ObjectKey;
}

function wantedPlans(
  subject: DebugSubject,
  query: URLSearchParams,
): { readonly work: readonly WantedPlan[]; readonly unknown: readonly string[]; readonly isOne: boolean } {
  const isOne = query.has("kind") || query.has("name");
  const asked = isOne ? oneObject(subject, query) : undefined;
  const chosen = asked?.controllers ?? controllersOf(subject, query.get("controller"));
  const waiting = chosen.flatMap(({ controller }) => controller.state().watches.filter(({ isSynced }) => !isSynced));
  if (waiting[0] !== undefined)
    throw new DebugProblem(
      409,
      `the cache of ${waiting[0].name} has not synced, so a plan would be wrong`,
      "wait; drover status shows the caches",
    );
  const work = chosen.flatMap(({ controller, plan, kind }) =>
    plan === undefined || kind === undefined
      ? []
      : (asked === undefined ? [...(subject.cacheOf(kind)?.keys() ?? [])].toSorted() : [asked.key]).map((key) => ({
          controller,
          plan,
          key,
        })),
  );
  return { work, unknown: chosen.flatMap(({ controller, plan }) => (plan === undefined ? [controller.name] : [])), isOne };
}

function controllersOf({ controllers, name }: DebugSubject, named: string | null): readonly DebuggedController[] {
  const chosen = controllers.filter(({ controller }) => named === null || controller.name === named);
  if (chosen.length > 0) return chosen;
  throw new DebugProblem(
    400,
    `${name} has no controller ${JSON.stringify((named ?? "").slice(0, 100))}`,
    `one of ${controllers.map(({ controller }) => controller.name).join(", ")}`,
  );
}

function oneObject(
  subject: DebugSubject,
  query: URLSearchParams,
): { readonly key: ObjectKey; readonly controllers: readonly DebuggedController[] } {
  const asked = askedObject(subject, query);
  const { kind, key } = asked;
  const controllers = asked.controllers.filter((each) => each.kind === kind);
  if (controllers.length === 0)
    throw new DebugProblem(
      400,
      `${query.get("controller") ?? subject.name} does not reconcile ${kind.kind}`,
      "ask about the object that owns it",
    );
  if (!(subject.cacheOf(kind)?.keys() ?? []).includes(key))
    throw new DebugProblem(
      404,
      `the cache of ${kind.kind} has no object ${key}`,
      elsewhere(subject, asked) ?? "check the name and the namespace",
    );
  return { key, controllers };
}
