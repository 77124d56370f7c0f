/**
 * `drover plan` and `drover diff`: what the code of an operator would change in the cluster.
 *
 *     /debug/drover/plan, page by page → objectPlanText, planSummary → lines, exit code
 */
import type { DebugPlan, PlannedObjectRun } from "@drover/controller";
import { jsonLine } from "../terminal-text.ts";
import { askEndpoint } from "./ask-endpoint.ts";
import type { AskOptions } from "./ask-options.ts";
import { nameParameters } from "./asked-name.ts";
import type { Endpoint } from "./endpoint.ts";
import { objectPlanText, planSummary } from "./plan-text.ts";
import type { PlanTotals } from "./plan-text.ts";
import type { AskPlace } from "./reach-operator.ts";

/** Objects planned unless --limit says otherwise. */
const limitPreset = 1000;
const pageSize = 100;

/** Resolves with the exit code: 1 if something would fail, else 0. Rejects with a `CommandError` if the operator refuses. */
export async function plan(
  endpoint: Endpoint,
  options: AskOptions,
  { write, signal }: Pick<AskPlace, "write" | "signal">,
): Promise<number> {
  const { object, controller, limit = limitPreset, json } = options;
  const query = new URLSearchParams(object === undefined ? [] : nameParameters(object));
  if (controller !== undefined) query.set("controller", controller);
  const [all, totals] = [new Array<PlannedObjectRun>(), { planned: 0, skipped: 0, changing: 0, failing: 0, isCut: false }];
  let unknown: readonly string[] = [];
  for (let skip: number | undefined = 0; skip !== undefined;) {
    query.set("skip", String(skip));
    query.set("limit", String(Math.min(pageSize, limit - skip)));
    const page = (await askEndpoint(endpoint, `/debug/drover/plan?${query.toString()}`, signal)) as DebugPlan;
    ({ unknown } = page);
    add(totals, page);
    if (json) all.push(...page.objects);
    else write(page.objects.flatMap((each) => objectPlanText(each).map((line) => `${line}\n`)).join(""));
    totals.isCut = page.next !== undefined && page.next >= limit;
    skip = totals.isCut ? undefined : page.next;
  }
  if (json) write(`${jsonLine({ ...totals, unknown, objects: all })}\n`);
  else if (object === undefined)
    write(
      planSummary(totals, unknown)
        .map((line) => `${line}\n`)
        .join(""),
    );
  return totals.failing === 0 ? 0 : 1;
}

function add(totals: { -readonly [K in keyof PlanTotals]: PlanTotals[K] }, { planned, skipped, objects }: DebugPlan): void {
  totals.planned += planned;
  totals.skipped += skipped;
  totals.changing += objects.filter(({ writes }) => writes.length > 0).length;
  totals.failing += objects.filter(({ errors }) => errors.length > 0).length;
}
