import { describe, expect, it } from "vitest";
import { Latch } from "./latch.ts";

const { signal } = new AbortController();

describe("Latch", () => {
  it("resolves waiters before and after it opens", async () => {
    const latch = new Latch();
    const waiting = [latch.wait(signal), latch.wait(signal)];
    expect(latch.isOpen).toBe(false);
    latch.open();
    latch.break(new Error("too late"));
    await Promise.all([...waiting, latch.wait(signal), latch.wait(AbortSignal.abort())]);
    expect(latch.isOpen).toBe(true);
  });

  it("lets one go with the signal's reason while the others wait on", async () => {
    const latch = new Latch();
    const patient = latch.wait(signal);
    await expect(latch.wait(AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough");
    latch.open();
    await patient;
  });

  it("rejects waiters with the error when it is broken", async () => {
    const latch = new Latch();
    const waiting = latch.wait(signal);
    latch.break(new Error("removed"));
    await expect(waiting).rejects.toThrow("removed");
    await expect(latch.wait(signal)).rejects.toThrow("removed");
    expect(latch.isOpen).toBe(false);
  });
});
