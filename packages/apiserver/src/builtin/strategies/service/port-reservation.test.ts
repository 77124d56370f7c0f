import { createRandom } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { NumberPool } from "./number-pool.ts";
import { PortReservation } from "./port-reservation.ts";
import type { NodePorts } from "./service-records.ts";

const two = (): NodePorts => ({
  range: { from: 30000, to: 30001 },
  taken: new NumberPool(2, { random: createRandom(1), keptForRequests: 0 }),
});

describe("PortReservation", () => {
  it("reports taken, out-of-range and exhausted ports", () => {
    const reservation = new PortReservation(two(), { dryRun: false });
    const outside = { problem: "provided port is not in the valid range. The range of valid ports is 30000-30001" };
    expect([reservation.take(80), reservation.take(30002)]).toEqual([outside, outside]);
    expect(new Set([reservation.takeAny(), reservation.takeAny()])).toEqual(new Set([30000, 30001]));
    expect([reservation.takeAny(), reservation.take(30000)]).toEqual([
      { problem: "range is full" },
      { problem: "provided port is already allocated" },
    ]);
    expect(reservation.taken.toSorted((a, b) => a - b)).toEqual([30000, 30001]);
  });

  it("takes nothing in a dry run, which detects used ports and counts up from a port outside the range", () => {
    const ports = two();
    ports.taken.take(0);
    const dry = new PortReservation(ports, { dryRun: true });
    const used = { problem: "provided port is already allocated" };
    expect([dry.take(30000), dry.take(80), dry.take(80)]).toEqual([used, undefined, used]);
    expect([new PortReservation(ports, { dryRun: true }).takeAny(), ports.taken.has(1)]).toEqual([32769, false]);
  });
});
