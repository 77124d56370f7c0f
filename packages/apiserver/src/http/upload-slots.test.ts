import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UploadSlots } from "./upload-slots.ts";

describe("UploadSlots", () => {
  it("hands out as many slots as it has, and serves waiters in order", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(fc.boolean(), { maxLength: 40 }), async (count, steps) => {
        const slots = new UploadSlots(count);
        const served: number[] = [];
        let [asked, released] = [0, 0];
        for (const isTake of steps) {
          if (isTake) {
            const id = asked++;
            void (slots.take() ?? Promise.resolve()).then(() => served.push(id));
          } else if (served.length > released) {
            released++;
            slots.release();
          }
          await Promise.resolve();
          expect(served).toEqual(Array.from({ length: Math.min(asked, released + count) }, (_, id) => id));
        }
      }),
    );
  });
});
