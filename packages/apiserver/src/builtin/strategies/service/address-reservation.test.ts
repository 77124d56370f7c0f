import { describe, expect, it } from "vitest";
import { recordsScene } from "../../../testing/records-scene.ts";
import { AddressReservation } from "./address-reservation.ts";

const owner = { namespace: "default", name: "web" };

describe("AddressReservation", () => {
  it("undoes allocations when the write fails, and releases only when it succeeds", async () => {
    const { records, addresses } = await recordsScene({ cidrs: ["10.0.0.0/30"] });
    const failed = new AddressReservation(records, { owner, dryRun: false });
    expect(await failed.take("10.0.0.1")).toBeUndefined();
    expect(await addresses()).toEqual(["10.0.0.1"]);
    await failed.finish("failed");
    expect(await addresses()).toEqual([]);
    await new AddressReservation(records, { owner, dryRun: false }).take("10.0.0.2");
    for (const [result, left] of [
      ["failed", ["10.0.0.2"]],
      ["unknown", ["10.0.0.2"]],
      ["written", []],
    ] as const) {
      const ending = new AddressReservation(records, { owner, dryRun: false });
      ending.end("10.0.0.2");
      await ending.finish(result);
      expect(await addresses()).toEqual(left);
    }
  });

  it("takes another address when another server was faster", async () => {
    const { records, store } = await recordsScene({ cidrs: ["10.0.0.0/30"] });
    // Knows nothing yet of what the other one takes.
    await records.ranges();
    const other = await recordsScene({ cidrs: ["10.0.0.0/30"], store });
    const first = await new AddressReservation(other.records, { owner: { namespace: "a", name: "b" }, dryRun: false }).takeAny("IPv4");
    const second = await new AddressReservation(records, { owner, dryRun: false }).takeAny("IPv4");
    expect(new Set([first, second])).toEqual(new Set(["10.0.0.1", "10.0.0.2"]));
    expect(await new AddressReservation(records, { owner, dryRun: false }).takeAny("IPv4")).toEqual({ problem: "range is full" });
  });

  it("reports addresses that are taken or in no range", async () => {
    const { records } = await recordsScene({ cidrs: ["10.0.0.0/30"] });
    const reservation = new AddressReservation(records, { owner, dryRun: false });
    await reservation.take("10.0.0.1");
    expect([await reservation.take("10.0.0.1"), await reservation.take("10.0.0.9")]).toEqual([
      { problem: "provided IP is already allocated" },
      { problem: "the provided network does not match the current range" },
    ]);
  });

  it("takes addresses from a range that is added while the server runs, and none from one that is not ready or being deleted", async () => {
    const { records, put } = await recordsScene({ cidrs: ["10.0.0.0/30"] });
    const take = (): Promise<unknown> => new AddressReservation(records, { owner, dryRun: false }).take("10.9.0.1");
    const cidr = (status: string, more = {}) => ({
      apiVersion: "networking.k8s.io/v1",
      kind: "ServiceCIDR",
      metadata: { name: "more", ...more },
      spec: { cidrs: ["10.9.0.0/24"] },
      status: { conditions: [{ type: "Ready", status, reason: "", message: "", lastTransitionTime: "2026-01-01T00:00:00Z" }] },
    });
    const outside = { problem: "the provided network does not match the current range" };
    await put("networking.k8s.io", "servicecidrs", cidr("False"));
    expect(await take()).toEqual(outside);
    await put("networking.k8s.io", "servicecidrs", cidr("True", { deletionTimestamp: "2026-01-01T00:00:00Z" }));
    expect(await take()).toEqual(outside);
    await put("networking.k8s.io", "servicecidrs", cidr("True"));
    expect(await take()).toBeUndefined();
  });

  it("takes nothing in a dry run, which detects addresses outside the ranges and gets the network address", async () => {
    const { records, addresses } = await recordsScene({ cidrs: ["10.0.0.0/30"] });
    const dry = new AddressReservation(records, { owner, dryRun: true });
    expect([await dry.take("10.0.0.1"), await dry.takeAny("IPv4"), await dry.take("10.0.0.9")]).toEqual([
      undefined,
      "10.0.0.0",
      { problem: "the provided IP (10.0.0.9) is not in the valid range. The range of valid IPs is 10.0.0.0/30" },
    ]);
    await dry.finish("failed");
    expect(await addresses()).toEqual([]);
  });
});
