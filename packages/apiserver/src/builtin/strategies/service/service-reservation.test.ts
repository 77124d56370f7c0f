import { createRandom } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { AddressPool } from "./address-pool.ts";
import { NumberPool } from "./number-pool.ts";
import { ServiceReservation } from "./service-reservation.ts";
import type { ServicePools } from "./service-reservation.ts";

function pools(): ServicePools {
  const random = createRandom(1);
  return {
    addresses: new Map([["IPv4", new AddressPool("10.0.0.0/30", { random })]]),
    ports: new NumberPool(2, { random, keptForRequests: 0 }),
    portRange: { from: 30000, to: 30001 },
  };
}

describe("ServiceReservation", () => {
  it("undoes allocations when the write fails", () => {
    const shared = pools();
    const reservation = new ServiceReservation(shared, { dryRun: false });
    expect([reservation.takeAddress("10.0.0.1"), reservation.takePort(30000)]).toEqual([undefined, undefined]);
    reservation.finish(false);
    const next = new ServiceReservation(shared, { dryRun: false });
    expect([next.takeAddress("10.0.0.1"), next.takePort(30000)]).toEqual([undefined, undefined]);
  });

  it("releases only when the write succeeds", () => {
    const shared = pools();
    new ServiceReservation(shared, { dryRun: false }).takePort(30000);
    const end = (success: boolean) => {
      const reservation = new ServiceReservation(shared, { dryRun: false });
      reservation.endPort(30000);
      reservation.finish(success);
      return shared.ports.has(0);
    };
    expect([end(false), end(true)]).toEqual([true, false]);
  });

  it("reports taken, out-of-range and exhausted numbers", () => {
    const reservation = new ServiceReservation(pools(), { dryRun: false });
    reservation.takeAnyAddress("IPv4");
    reservation.takeAnyAddress("IPv4");
    expect([
      reservation.takeAddress("10.0.0.1"),
      reservation.takeAddress("10.0.0.9"),
      reservation.takeAnyAddress("IPv4"),
      reservation.takePort(80),
    ]).toEqual([
      { problem: "provided IP is already allocated" },
      { problem: "the provided network does not match the current range" },
      { problem: "range is full" },
      { problem: "provided port is not in the valid range. The range of valid ports is 30000-30001" },
    ]);
    reservation.takeAnyPort();
    reservation.takeAnyPort();
    expect([reservation.takeAnyPort(), reservation.takePort(30000)]).toEqual([
      { problem: "range is full" },
      { problem: "provided port is already allocated" },
    ]);
  });

  it("allocates nothing in a dry run, which detects used ports but not addresses", () => {
    const shared = pools();
    new ServiceReservation(shared, { dryRun: false }).takePort(30000);
    new ServiceReservation(shared, { dryRun: false }).takeAddress("10.0.0.1");
    const dry = new ServiceReservation(shared, { dryRun: true });
    expect([dry.takeAddress("10.0.0.1"), dry.takePort(30000), dry.takePort(80), dry.takePort(80)]).toEqual([
      undefined,
      { problem: "provided port is already allocated" },
      undefined,
      { problem: "provided port is already allocated" },
    ]);
    expect(dry.takeAddress("10.0.0.9")).toEqual({
      problem: "the provided IP (10.0.0.9) is not in the valid range. The range of valid IPs is 10.0.0.0/30",
    });
    dry.finish(false);
    expect(shared.ports.has(0)).toBe(true);
  });

  it("returns placeholder numbers in a dry run", () => {
    const dry = new ServiceReservation(pools(), { dryRun: true });
    expect([dry.takeAnyAddress("IPv4"), dry.takeAnyPort(), dry.takeAnyPort()]).toEqual(["10.0.0.0", 32769, 32770]);
  });
});
