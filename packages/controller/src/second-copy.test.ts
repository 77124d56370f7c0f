import { describe, expect, it } from "vitest";
import { isFenced } from "./leader/fenced-error.ts";
import { isDeadline } from "./reconcile/deadline-error.ts";
import { isRunOver } from "./reconcile/run-over-error.ts";
import type * as FencedErrorModule from "./leader/fenced-error.ts";
import type * as DeadlineErrorModule from "./reconcile/deadline-error.ts";
import type * as RunOverErrorModule from "./reconcile/run-over-error.ts";

/** Loads a module once more, as a program does that has two copies of this package: same code, other classes. */
const secondCopy = async <Module>(path: string): Promise<Module> =>
  (await import(`${new URL(path, import.meta.url).pathname}?copy`)) as Module;

describe("predicates on errors of a second copy of the package", () => {
  it("isFenced recognises them, also as a cause", async () => {
    const copy = await secondCopy<typeof FencedErrorModule>("./leader/fenced-error.ts");
    const error = new copy.FencedError({ lease: "shop/operator", sinceMs: undefined, why: "never held" });
    expect([isFenced(error), isFenced(new Error("sync", { cause: error }))]).toEqual([true, true]);
  });

  it("isDeadline recognises them", async () => {
    const copy = await secondCopy<typeof DeadlineErrorModule>("./reconcile/deadline-error.ts");
    expect(isDeadline(new copy.DeadlineError({ controller: "web", key: "shop/a", deadlineMs: 5 }))).toBe(true);
  });

  it("isRunOver recognises them", async () => {
    const copy = await secondCopy<typeof RunOverErrorModule>("./reconcile/run-over-error.ts");
    expect(isRunOver(new copy.RunOverError({ run: "1", controller: "web" }, undefined))).toBe(true);
  });
});
