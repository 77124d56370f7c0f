import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CallSlots } from "./call-slots.ts";

const never = new AbortController().signal;

describe("CallSlots", () => {
  it("runs no more calls at once than it has slots, and all of them in order", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 20 }), async (max, work) => {
        const slots = new CallSlots(max);
        let [running, most] = [0, 0];
        const begun: number[] = [];
        await Promise.all(
          work.map((turns, index) =>
            slots.run(never, async () => {
              begun.push(index);
              most = Math.max(most, ++running);
              for (let turn = 0; turn < turns; turn++) await Promise.resolve();
              running--;
            }),
          ),
        );
        expect(most).toBeLessThanOrEqual(max);
        expect(begun).toEqual(work.map((_, index) => index));
        expect(slots.isFull).toBe(false);
      }),
    );
  });

  it("gives no slot to a caller that stopped waiting", async () => {
    const slots = new CallSlots(1);
    let release = (): void => undefined;
    const first = slots.run(never, () => new Promise<void>((resolve) => (release = resolve)));
    const leaving = new AbortController();
    const second = slots.run(leaving.signal, () => Promise.reject(new Error("ran")));
    leaving.abort(new Error("left"));
    await expect(second).rejects.toThrow("left");
    const third = slots.run(never, () => Promise.resolve("third"));
    release();
    await first;
    expect(await third).toBe("third");
  });
});
