import type { Cluster } from "@drover/cache";
import { expect, it } from "vitest";
import { forRun } from "./per-run.ts";

it("forRun returns the value itself, or calls the function with the cluster", () => {
  const cluster = { name: "here" } as Cluster;
  const value = { name: "timer" };
  expect(forRun(value, cluster)).toBe(value);
  expect(forRun(({ name }: Cluster) => ({ name }), cluster)).toEqual({ name: "here" });
});
