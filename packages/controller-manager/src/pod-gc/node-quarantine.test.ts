import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { NodeQuarantine } from "./node-quarantine.ts";

describe("NodeQuarantine", () => {
  it("names a node after the whole quarantine, and then only after another", async () => {
    const clock = new ManualClock();
    const quarantine = new NodeQuarantine({ clock, quarantineMs: 40_000 });
    const looks: (readonly string[])[] = [];
    for (let round = 0; round < 6; round++) {
      looks.push(quarantine.look(new Set(["a"])));
      await clock.advance(20_000);
    }
    expect(looks).toEqual([[], [], ["a"], [], [], ["a"]]);
  });

  it("starts over when the node was seen in between", async () => {
    const clock = new ManualClock();
    const quarantine = new NodeQuarantine({ clock, quarantineMs: 40_000 });
    quarantine.look(new Set(["a", "b"]));
    await clock.advance(20_000);
    quarantine.look(new Set(["b"]));
    await clock.advance(20_000);
    expect(quarantine.look(new Set(["a", "b"]))).toEqual(["b"]);
  });
});
