import { objectKey } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { idleContext } from "../testing/idle-context.ts";
import type { ControllerContext } from "./controller-descriptor.ts";
import { controllerSettings } from "./controller-settings.ts";

const context = (preset: ControllerContext["preset"]): ControllerContext => ({
  ...idleContext().context,
  preset,
});

describe("controllerSettings", () => {
  it("defaults to five workers and unlimited retries", () => {
    expect(controllerSettings(context("drover"), "web")).toMatchObject({ name: "web", workers: 5, retry: {} });
    expect(controllerSettings(context("drover"), "web", { workers: 1, retriesMax: 15 })).toMatchObject({ workers: 1, retry: { max: 15 } });
  });

  it("limits retries of all keys and requests with preset parity", () => {
    const { retry, through } = controllerSettings(context("parity"), "web");
    const waits = Array.from({ length: 120 }, (_, index) => retry?.limiter?.when(objectKey(`k${index}`)) ?? 0);
    expect([waits[0], waits[99], waits[109]].map((wait) => Math.round(wait ?? 0))).toEqual([5, 5, 1000]);
    expect([through?.length, controllerSettings(context("drover"), "web").through?.length]).toEqual([2, 1]);
  });
});
