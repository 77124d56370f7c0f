import { expect, it } from "vitest";
import { isNotSettledError, NotSettledError } from "./not-settled-error.ts";
import type * as NotSettledErrorModule from "./not-settled-error.ts";

it("NotSettledError fits on a screen", () => {
  const { message, reason } = new NotSettledError(
    "failing",
    "settled: still failing after 5m:",
    Array.from({ length: 100 }, (_, index) => `  key ${index} ${"x".repeat(1000)}`),
  );
  const lines = message.split("\n");
  expect([reason, lines.length, lines.at(-1), Math.max(...lines.map(({ length }) => length))]).toEqual([
    "failing",
    42,
    "  … and 60 more lines",
    401,
  ]);
});

it("isNotSettledError recognises errors of a second copy of the package", async () => {
  const copy = (await import(`${new URL("./not-settled-error.ts", import.meta.url).pathname}?copy`)) as typeof NotSettledErrorModule;
  const error = new copy.NotSettledError("stuck", "no progress", []);
  expect([isNotSettledError(error), error instanceof NotSettledError, isNotSettledError(new Error("other"))]).toEqual([true, false, false]);
});
