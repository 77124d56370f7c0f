import { expect, it } from "vitest";
import { NotSettledError } from "./not-settled-error.ts";

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
