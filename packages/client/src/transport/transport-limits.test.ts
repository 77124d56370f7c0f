import { expect, it } from "vitest";
import { transportLimits } from "./transport-limits.ts";

it("transportLimits keeps given values; defaults wait longer than the server's timeouts and close before its idle limit", () => {
  expect(transportLimits({ callsMax: 3 })).toMatchObject({ callsMax: 3, connectionAgeMaxMs: 600_000 });
  const { headersTimeoutMs, keepAliveMs, streamIdleTimeoutMs } = transportLimits({});
  expect(headersTimeoutMs).toBeGreaterThan(60_000);
  expect(keepAliveMs).toBeLessThan(60_000);
  expect(streamIdleTimeoutMs).toBe(Infinity);
});
