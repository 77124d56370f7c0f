import { expect, it } from "vitest";
import { transportLimits } from "./transport-limits.ts";

it("keeps what is given, and waits longer than the server where the server gives up first, shorter where it closes first", () => {
  expect(transportLimits({ callsMax: 3 })).toMatchObject({ callsMax: 3, connectionAgeMaxMs: 600_000 });
  const { headersTimeoutMs, keepAliveMs, streamIdleTimeoutMs } = transportLimits({});
  expect(headersTimeoutMs).toBeGreaterThan(60_000);
  expect(keepAliveMs).toBeLessThan(60_000);
  expect(streamIdleTimeoutMs).toBe(Infinity);
});
