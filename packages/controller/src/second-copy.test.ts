import { objectKey } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { isFenced } from "./leader/fenced-error.ts";
import { isGracePeriodError, isLeaderElectionLostError } from "./manager/manager-error.ts";
import { isMissingPermissionsError } from "./permissions/check-permissions.ts";
import { isBadResultError } from "./reconcile/bad-result-error.ts";
import { isDeadline, isDeadlineError } from "./reconcile/deadline-error.ts";
import { isRunOver, isRunOverError } from "./reconcile/run-over-error.ts";
import { isTapeFormatError } from "./tape/tape-format-error.ts";
import type * as FencedErrorModule from "./leader/fenced-error.ts";
import type * as ManagerErrorModule from "./manager/manager-error.ts";
import type * as CheckPermissionsModule from "./permissions/check-permissions.ts";
import type * as BadResultErrorModule from "./reconcile/bad-result-error.ts";
import type * as DeadlineErrorModule from "./reconcile/deadline-error.ts";
import type * as RunOverErrorModule from "./reconcile/run-over-error.ts";
import type * as TapeFormatErrorModule from "./tape/tape-format-error.ts";

/** Loads a module once more, as a program does that has two copies of this package: same code, other classes. */
const secondCopy = async <Module>(path: string): Promise<Module> =>
  (await import(`${new URL(path, import.meta.url).pathname}?copy`)) as Module;

describe("predicates on errors of a second copy of the package", () => {
  it("isFenced recognises them, also as a cause", async () => {
    const copy = await secondCopy<typeof FencedErrorModule>("./leader/fenced-error.ts");
    const error = new copy.FencedError({ lease: "shop/operator", sinceMs: undefined, why: "never held" });
    expect([isFenced(error), isFenced(new Error("sync", { cause: error }))]).toEqual([true, true]);
  });

  it("isDeadline and isDeadlineError recognise them", async () => {
    const copy = await secondCopy<typeof DeadlineErrorModule>("./reconcile/deadline-error.ts");
    const error = new copy.DeadlineError({ controller: "web", key: "shop/a", deadlineMs: 5 });
    expect([isDeadline(error), isDeadlineError(error)]).toEqual([true, true]);
  });

  it("isRunOver and isRunOverError recognise them", async () => {
    const copy = await secondCopy<typeof RunOverErrorModule>("./reconcile/run-over-error.ts");
    const error = new copy.RunOverError({ run: "1", controller: "web" }, undefined);
    expect([isRunOver(error), isRunOverError(error)]).toEqual([true, true]);
  });

  it("isBadResultError and isTapeFormatError recognise them", async () => {
    const result = await secondCopy<typeof BadResultErrorModule>("./reconcile/bad-result-error.ts");
    const tape = await secondCopy<typeof TapeFormatErrorModule>("./tape/tape-format-error.ts");
    const badResult = new result.BadResultError({ controller: "web", key: objectKey("a", "shop"), result: 1 });
    expect([isBadResultError(badResult), isTapeFormatError(new tape.TapeFormatError("line 1"))]).toEqual([true, true]);
    expect([isTapeFormatError(badResult), isBadResultError(new Error("web"))]).toEqual([false, false]);
  });

  it("isLeaderElectionLostError and isGracePeriodError recognise them and no other error", async () => {
    const copy = await secondCopy<typeof ManagerErrorModule>("./manager/manager-error.ts");
    const errors = [new copy.LeaderElectionLostError("shop/operator", undefined), new copy.GracePeriodError(["web"], 5)];
    expect([errors.map(isLeaderElectionLostError), errors.map(isGracePeriodError)]).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  it("isMissingPermissionsError recognises them", async () => {
    const copy = await secondCopy<typeof CheckPermissionsModule>("./permissions/check-permissions.ts");
    expect(isMissingPermissionsError(new copy.MissingPermissionsError({ missing: [], username: "web", yaml: "" }))).toBe(true);
  });
});
