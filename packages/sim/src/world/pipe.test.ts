import { describe, expect, it } from "vitest";
import { Pipe } from "./pipe.ts";

const readAll = async (pipe: Pipe): Promise<readonly unknown[]> => {
  const seen: unknown[] = [];
  try {
    for await (const piece of pipe) seen.push(piece);
  } catch (error) {
    seen.push(error);
  }
  return seen;
};

describe("Pipe", () => {
  it("yields pieces in order, and its failure after them", async () => {
    const pipe = new Pipe(() => undefined);
    pipe.push("a");
    const read = readAll(pipe);
    await Promise.resolve();
    pipe.push("b");
    pipe.end({ error: "broken" });
    pipe.push("late");
    expect(await read).toEqual(["a", "b", "broken"]);
  });

  it("tells the network when its reader leaves", async () => {
    let left = 0;
    const pipe = new Pipe(() => left++);
    pipe.push("a");
    for await (const piece of pipe) if (piece === "a") break;
    expect(left).toBe(1);
  });
});
