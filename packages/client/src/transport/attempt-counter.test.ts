import type { HttpRequest } from "@drover/machinery";
import { expect, it } from "vitest";
import { attemptCounter } from "./attempt-counter.ts";

it("attemptCounter counts per request object, and each counter separately", () => {
  const [first, second]: HttpRequest[] = [1, 2].map(() => ({ method: "GET", path: "/", headers: {} }));
  const count = attemptCounter();
  expect([first, second, first, first].map((request) => count(request as HttpRequest))).toEqual([1, 1, 2, 3]);
  expect(attemptCounter()(first as HttpRequest)).toBe(1);
});
