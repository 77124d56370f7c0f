import { objectKey } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { shop } from "../tape/testing/tape-scene.ts";
import type { DebugPlan } from "./plan-page.ts";
import type { PlannedRun } from "./planned-run.ts";
import { debugScene } from "./testing/debug-scene.ts";
import type { DebugScene } from "./testing/debug-scene.ts";

const changing: PlannedRun = {
  writes: [{ kind: "Pod", key: "web/p", type: "created", fields: [], fieldCount: 0 }],
  unchanged: 0,
  held: [],
  errors: [],
};

/** A program with the objects a, b, c and d, of which b and d would change. */
function scene(): DebugScene {
  const made = debugScene();
  for (const name of ["d", "b", "c", "a"]) made.objects.set(`Deployment web/${name}`, shop(1));
  for (const name of ["b", "d"]) made.plans.set(objectKey(name, "web"), changing);
  return made;
}
const keysOf = ({ objects }: DebugPlan): readonly string[] => objects.map(({ key }) => key);

describe("GET /debug/drover/plan", () => {
  it("lists objects that would change, page by page", async () => {
    const made = scene();
    made.plans.set(objectKey("a", "web"), { skipped: "it is paused", writes: [], unchanged: 0, held: [], errors: [] });
    const whole = await made.get<DebugPlan>("plan");
    expect(whole).toMatchObject({ planned: 4, skipped: 1, unknown: [], objects: [{ controller: "web", key: "web/b", ...changing }, {}] });
    expect(whole.next).toBeUndefined();
    const first = await made.get<DebugPlan>("plan?limit=3");
    expect([keysOf(first), first.planned, first.next]).toEqual([["web/b"], 3, 3]);
    const rest = await made.get<DebugPlan>("plan?limit=3&skip=3");
    expect([keysOf(rest), rest.planned, rest.next]).toEqual([["web/d"], 1, undefined]);
  });

  it("ends a page that takes long, after at least one object", async () => {
    const made = scene();
    made.onPlan = () => made.clock.advance(9000);
    const page = await made.get<DebugPlan>("plan?skip=1");
    expect([keysOf(page), page.next]).toEqual([["web/b"], 2]);
  });

  it("answers for one object in any case, and names one that is not there or not reconciled", async () => {
    const made = scene();
    expect(await made.get("plan?kind=deploy&name=a")).toMatchObject({ planned: 1, objects: [{ key: "web/a", unchanged: 1 }] });
    expect((await made.ask("plan?kind=deploy&name=none")).status).toBe(404);
    expect((await made.ask("plan?kind=po&name=p")).status).toBe(400);
    expect((await made.ask("plan?controller=nope")).body).toContain("one of web");
  });

  it("refuses before the caches have synced, and while another plan is made", async () => {
    const made = scene();
    made.controllerState = { watches: [{ name: "Pods", isSynced: false, waitingFor: "its list" }] };
    expect(await made.get("plan")).toMatchObject({ error: "the cache of Pods has not synced, so a plan would be wrong" });
    made.controllerState = {};
    let end: () => void = () => undefined;
    made.onPlan = () => new Promise<void>((resolve) => (end = resolve));
    const open = made.ask("plan?limit=1");
    expect((await made.ask("plan")).status).toBe(503);
    end();
    expect((await open).status).toBe(200);
    made.onPlan = () => undefined;
    expect((await made.ask("plan")).status).toBe(200);
  });
});
