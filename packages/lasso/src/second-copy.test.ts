import { describe, expect, it } from "vitest";
import { findRetryAfter, isRetryAfterError } from "./retry-after-error.ts";
import type * as RetryAfterErrorModule from "./retry-after-error.ts";

/** Loads a module once more, as a program does that has two copies of this package: same code, other classes. */
const secondCopy = async <Module>(path: string): Promise<Module> =>
  (await import(`${new URL(path, import.meta.url).pathname}?copy`)) as Module;

describe("predicates on errors of a second copy of the package", () => {
  it("isRetryAfterError recognises them, and findRetryAfter finds them among causes", async () => {
    const copy = await secondCopy<typeof RetryAfterErrorModule>("./retry-after-error.ts");
    const error = new copy.RetryAfterError(5);
    expect([isRetryAfterError(error), isRetryAfterError(new Error("retry in 5ms"))]).toEqual([true, false]);
    expect(findRetryAfter(new Error("handler", { cause: error }))).toBe(error);
  });
});
