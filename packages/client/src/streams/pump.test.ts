import { describe, expect, it } from "vitest";
import { pump } from "./pump.ts";

async function* numbers(count: number, closed: { value: boolean }): AsyncGenerator<number> {
  try {
    for (let number = 0; number < count; number++) yield await Promise.resolve(number);
  } finally {
    closed.value = true;
  }
}

describe("pump", () => {
  it("writes items one at a time, and resolves to true at the end", async () => {
    const seen: string[] = [];
    const ended = await pump(
      numbers(2, { value: false }),
      async (number) => {
        seen.push(`begin ${number}`);
        await Promise.resolve();
        seen.push(`end ${number}`);
      },
      new AbortController().signal,
    );
    expect(ended).toBe(true);
    expect(seen).toEqual(["begin 0", "end 0", "begin 1", "end 1"]);
  });

  it("stops at the signal, also while the source is blocked, and resolves to false", async () => {
    const controller = new AbortController();
    const silent: AsyncIterable<number> = { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) };
    const running = pump(silent, async () => undefined, controller.signal);
    controller.abort();
    expect(await running).toBe(false);
  });

  it("rethrows what write throws, and calls the source's return", async () => {
    const closed = { value: false };
    await expect(pump(numbers(5, closed), () => Promise.reject(new Error("full")), new AbortController().signal)).rejects.toThrow("full");
    expect(closed.value).toBe(true);
  });

  it("rethrows what the source throws", async () => {
    const failing: AsyncIterable<number> = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error("dry")) }) };
    await expect(pump(failing, async () => undefined, new AbortController().signal)).rejects.toThrow("dry");
  });
});
