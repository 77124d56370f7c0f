import { describe, expect, it } from "vitest";
import { WaitingNodes } from "./waiting-nodes.ts";

describe("WaitingNodes", () => {
  it("waits longer each time, and starts over once forgotten", () => {
    const waiting = new WaitingNodes();
    expect([waiting.wait("a"), waiting.wait("a"), waiting.wait("b"), waiting.wait("a")]).toEqual([5, 10, 5, 20]);
    expect(waiting.uids()).toEqual(["a", "b"]);
    waiting.forget("a");
    expect([waiting.uids(), waiting.wait("a")]).toEqual([["b"], 5]);
  });
});
