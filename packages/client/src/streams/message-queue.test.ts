import { describe, expect, it } from "vitest";
import { MessageQueue } from "./message-queue.ts";

const queueOf = (limit: number): { queue: MessageQueue<string>; full: boolean[] } => {
  const full: boolean[] = [];
  return { queue: new MessageQueue<string>({ onFull: (is) => full.push(is), limit }), full };
};
const all = async (queue: MessageQueue<string>): Promise<string[]> => {
  const items: string[] = [];
  for await (const item of queue) items.push(item);
  return items;
};

describe("MessageQueue", () => {
  it("yields everything in order, before and after the reader starts", async () => {
    const { queue } = queueOf(100);
    queue.push("a");
    const read = all(queue);
    queue.push("b");
    await Promise.resolve();
    queue.push("c");
    queue.end();
    expect(await read).toEqual(["a", "b", "c"]);
  });

  it("pauses the sender above the limit, and resumes it once everything is read", async () => {
    const { queue, full } = queueOf(3);
    queue.push("123");
    expect(full).toEqual([]);
    queue.push("4");
    queue.push("5");
    expect(full).toEqual([true]);
    const iterator = queue[Symbol.asyncIterator]();
    await iterator.next();
    await iterator.next();
    expect(full).toEqual([true]);
    await iterator.next();
    expect(full).toEqual([true, false]);
  });

  it("fails only after all earlier items have been read", async () => {
    const { queue } = queueOf(100);
    queue.push("a");
    queue.fail(new Error("cut"));
    queue.push("too late");
    const iterator = queue[Symbol.asyncIterator]();
    expect((await iterator.next()).value).toBe("a");
    await expect(iterator.next()).rejects.toThrow("cut");
  });

  it("throws at once when cut, and drops unread items", async () => {
    const { queue } = queueOf(100);
    queue.push("a");
    queue.cut(new Error("enough"));
    await expect(queue[Symbol.asyncIterator]().next()).rejects.toThrow("enough");
  });

  it("ends the loop on discard, and drops unread items", async () => {
    const { queue } = queueOf(100);
    const read = all(queue);
    queue.push("a");
    queue.discard();
    queue.push("b");
    expect(await read).toEqual([]);
  });
});
