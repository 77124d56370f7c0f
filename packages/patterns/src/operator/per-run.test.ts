import type { Cluster } from "@drover/cache";
import { expect, it } from "vitest";
import { forRun } from "./per-run.ts";

it("is the value itself, or one made for the cluster", () => {
  const cluster = { name: "here" } as Cluster;
  const value = { name: "timer" };
  expect(forRun(value, cluster)).toBe(value);
  expect(forRun(({ name }: Cluster) => ({ name }), cluster)).toEqual({ name: "here" });
});
