import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TaskHeap } from "./task-heap.ts";

describe("TaskHeap", () => {
  it("pops tasks in the order of time, and those of one time in the order of creation", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.nat(5), fc.constant(undefined))), (script) => {
        const heap = new TaskHeap();
        const model: { dueMs: number; order: number }[] = [];
        script.forEach((dueMs, order) => {
          if (dueMs !== undefined) {
            heap.push({ dueMs, order, life: undefined, run: () => undefined });
            model.push({ dueMs, order });
            return;
          }
          model.sort((a, b) => a.dueMs - b.dueMs || a.order - b.order);
          expect(heap.peek()?.order).toBe(model[0]?.order);
          expect(heap.pop()?.order).toBe(model.shift()?.order);
        });
        model.sort((a, b) => a.dueMs - b.dueMs || a.order - b.order);
        for (const { order } of model) expect(heap.pop()?.order).toBe(order);
        expect(heap.pop()).toBeUndefined();
      }),
    );
  });
});
