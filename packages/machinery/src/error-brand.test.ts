import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { errorBrand } from "./error-brand.ts";
import { ApiError, findApiError, isApiError } from "./errors/api-error.ts";
import { isConflict, isNotFound, reasonForError } from "./errors/error-reason.ts";
import * as errorReasons from "./errors/error-reason.ts";
import { hostileValues } from "./testing/hostile-values.ts";
import { UnknownOutcomeError, isOutcomeUnknown } from "./errors/unknown-outcome.ts";
import { isInterrupted, isTimeoutError } from "./runtime/timeout-error.ts";
import { isAmbiguousError, isNoMatchError } from "./scheme/no-match.ts";
import { newConflict, newNotFound } from "./errors/status-error.ts";
import { isWatchFrameError } from "./wire/watch-frame.ts";
import type * as ApiErrorModule from "./errors/api-error.ts";
import type * as UnknownOutcomeModule from "./errors/unknown-outcome.ts";
import type * as TimeoutErrorModule from "./runtime/timeout-error.ts";
import type * as NoMatchModule from "./scheme/no-match.ts";
import type * as WatchFrameModule from "./wire/watch-frame.ts";

/** Loads a module once more, as a program does that has two copies of a package: same code, other classes. */
const secondCopy = async <Module>(path: string): Promise<Module> =>
  (await import(`${new URL(path, import.meta.url).pathname}?copy`)) as Module;

const pods = { group: "", resource: "pods" };

describe("errorBrand", () => {
  it("recognises an instance of its class and nothing else", () => {
    const brand = errorBrand<RangeError>("Test");
    class Marked extends RangeError {
      static {
        brand.mark(this);
      }
    }
    expect([new Marked(), new RangeError(), "Test", null, undefined, { name: "Test" }].map((value) => brand.is(value))).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  it("adds no property that an error shows", () => {
    const error = new ApiError(newNotFound(pods, "web"));
    expect(Object.getOwnPropertySymbols(error)).toEqual([]);
  });
});

describe("predicates on errors of a second copy of the package", () => {
  it("ApiError: isApiError, findApiError, isConflict, isNotFound, reasonForError", async () => {
    const copy = await secondCopy<typeof ApiErrorModule>("./errors/api-error.ts");
    const conflict = new copy.ApiError(newConflict(pods, "web", "changed"));
    expect(conflict).not.toBeInstanceOf(ApiError);
    const wrapped = new Error("sync web", { cause: conflict });
    expect([isApiError(conflict), findApiError(wrapped), isConflict(wrapped), isNotFound(wrapped)]).toEqual([true, conflict, true, false]);
    expect(isNotFound(new copy.ApiError(newNotFound(pods, "web")))).toBe(true);
    expect(reasonForError(wrapped)).toBe("Conflict");
    expect(copy.isApiError(new ApiError(newNotFound(pods, "web")))).toBe(true);
  });

  it("UnknownOutcomeError: isOutcomeUnknown", async () => {
    const copy = await secondCopy<typeof UnknownOutcomeModule>("./errors/unknown-outcome.ts");
    const error = new copy.UnknownOutcomeError({ attempt: "create pods/web", why: "no answer" });
    expect(error).not.toBeInstanceOf(UnknownOutcomeError);
    expect([isOutcomeUnknown(error), isOutcomeUnknown(new Error("x", { cause: error }))]).toEqual([true, true]);
  });

  it("TimeoutError, WatchFrameError, no match, ambiguous", async () => {
    const timeouts = await secondCopy<typeof TimeoutErrorModule>("./runtime/timeout-error.ts");
    const frames = await secondCopy<typeof WatchFrameModule>("./wire/watch-frame.ts");
    const matches = await secondCopy<typeof NoMatchModule>("./scheme/no-match.ts");
    const late = new timeouts.TimeoutError("late");
    expect([isTimeoutError(late), isInterrupted(late)]).toEqual([true, true]);
    expect(isWatchFrameError(new frames.WatchFrameError("half a line", { truncated: true }))).toBe(true);
    expect(isNoMatchError(new matches.NoResourceMatchError({ group: "", version: "v1", resource: "pods" }))).toBe(true);
    expect(isAmbiguousError(new matches.AmbiguousResourceError({ group: "", version: "v1", resource: "pods" }, {}))).toBe(true);
  });

  it("find an ApiError behind an error of another realm", () => {
    const cause = new ApiError(newNotFound(pods, "web"));
    const foreign: unknown = runInNewContext("new Error('outer', { cause })", { cause });
    expect([foreign instanceof Error, isNotFound(foreign)]).toEqual([false, true]);
  });
});

describe("predicates on hostile values", () => {
  const predicates = Object.entries({ ...errorReasons, isApiError, isOutcomeUnknown, isInterrupted, isTimeoutError })
    .filter(([name]) => name.startsWith("is") && name !== "isInterrupted")
    .map(([, predicate]) => predicate as (error: unknown) => boolean);

  it.each(hostileValues.map(({ name, make }) => [name, make] as const))("take %s for nothing they know (SEC6)", (_, make) => {
    expect(predicates.length).toBeGreaterThan(20);
    expect(predicates.map((predicate) => predicate(make()))).toEqual(predicates.map(() => false));
    expect([isNoMatchError(make()), isAmbiguousError(make()), isWatchFrameError(make()), reasonForError(make())]).toEqual([
      false,
      false,
      false,
      "",
    ]);
    expect([errorReasons.suggestsClientDelay(make()), findApiError(make())]).toEqual([undefined, undefined]);
    expect(() => isInterrupted(make())).not.toThrow();
  });

  it("take an ApiError whose fields throw for none of their reasons (SEC6)", () => {
    const error = new ApiError(newConflict(pods, "web", "changed"));
    for (const key of ["reason", "code", "details", "retryAfterSeconds"]) {
      Object.defineProperty(error, key, {
        get: () => {
          throw new Error("refused");
        },
      });
    }
    expect(predicates.filter((predicate) => predicate(error))).toEqual([isApiError]);
    expect([reasonForError(error), errorReasons.suggestsClientDelay(error), errorReasons.statusCause(error, "x")]).toEqual([
      "",
      undefined,
      undefined,
    ]);
  });
});

describe("predicates on errors of other libraries", () => {
  it("do not take an error for ours because it has the same name", () => {
    const other = Object.assign(new Error("no"), { name: "ApiError", code: 409 });
    expect([isApiError(other), isConflict(other), reasonForError(other)]).toEqual([false, false, ""]);
  });
});
