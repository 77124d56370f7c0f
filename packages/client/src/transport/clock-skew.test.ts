import { definedOnly } from "@drover/machinery";
import type { HttpRequest } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { clockSkew } from "./clock-skew.ts";

const request: HttpRequest = { method: "GET", path: "/version", headers: {} };

function rig(skewMaxMs?: number): {
  readonly answerWith: (offsetMs: number | undefined) => Promise<void>;
  readonly warnings: () => readonly unknown[];
} {
  const { clock, log } = testRuntime();
  let date: string | undefined;
  const response = (): { status: number; headers: Record<string, string>; body: string } => ({
    status: 200,
    headers: definedOnly({ date }),
    body: "ok",
  });
  const send = clockSkew({ clock, log, host: "api:6443", ...definedOnly({ skewMaxMs }) })(() => Promise.resolve(response()));
  const answerWith = async (offsetMs: number | undefined): Promise<void> => {
    date = offsetMs === undefined ? undefined : new Date(clock.now() + offsetMs).toUTCString();
    expect(await send(request)).toEqual(response());
  };
  return { answerWith, warnings: () => log.entries.map(({ level, message, fields }) => [level, message.slice(0, 38), fields]) };
}

describe("clockSkew", () => {
  it("T12, C20: passes responses with an hour of skew, and warns once", async () => {
    const { answerWith, warnings } = rig();
    for (let call = 0; call < 3; call++) await answerWith(3_600_000);
    expect(warnings()).toEqual([
      ["warn", "this machine's clock is behind the ser", { host: "api:6443", skewMs: -3_600_000, code: "DRV0340" }],
    ]);
  });

  it("warns again only after the clocks agreed in between", async () => {
    const { answerWith, warnings } = rig();
    for (const offset of [-3_600_000, 0, undefined, -7_200_000]) await answerWith(offset);
    expect(warnings()).toEqual([
      ["warn", "this machine's clock is ahead of the s", { host: "api:6443", skewMs: 3_600_000, code: "DRV0340" }],
      ["warn", "this machine's clock is ahead of the s", { host: "api:6443", skewMs: 7_200_000, code: "DRV0340" }],
    ]);
  });

  it("logs nothing within the limit, or for a response without a date", async () => {
    const { answerWith, warnings } = rig();
    for (const offset of [60_000, -60_000, undefined]) await answerWith(offset);
    expect(warnings()).toEqual([]);
    const strict = rig(1000);
    await strict.answerWith(2000);
    expect(strict.warnings()).toHaveLength(1);
  });
});
