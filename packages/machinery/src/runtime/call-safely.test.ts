import { describe, expect, it } from "vitest";
import { hostileValues } from "../testing/hostile-values.ts";
import { callSafely } from "./call-safely.ts";

describe("callSafely", () => {
  it.each(hostileValues.map(({ name, make }) => [name, make] as const))("passes on %s, thrown or rejected (SEC6)", async (_, make) => {
    const failures: unknown[] = [];
    const value = make();
    const fail = (): never => {
      // oxlint-disable-next-line typescript/only-throw-error -- that is the point
      throw value;
    };
    callSafely(fail, (error) => failures.push([error]));
    callSafely(
      async () => fail(),
      (error) => failures.push([error]),
    );
    callSafely(
      () => make(),
      () => undefined,
    );
    await new Promise((resolve) => setImmediate(resolve));
    expect(failures.length).toBe(2);
    for (const [failure] of failures as [unknown][]) expect(Object.is(failure, value)).toBe(true);
  });
});
