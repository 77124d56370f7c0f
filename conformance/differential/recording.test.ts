import { describe, expect, it } from "vitest";
import { printRecording } from "./recording.ts";

describe("printRecording", () => {
  it("is JSON with one line per step", () => {
    const text = printRecording([
      [
        "P1 a",
        [
          { fact: "x", value: 1 },
          { request: "GET /x", status: 200, headers: {}, body: null },
        ],
      ],
      ["P2 b", []],
    ]);
    expect(JSON.parse(text)).toEqual({
      "P1 a": [
        { fact: "x", value: 1 },
        { request: "GET /x", status: 200, headers: {}, body: null },
      ],
      "P2 b": [],
    });
    expect(text.split("\n").filter((line) => line.startsWith("  {"))).toHaveLength(2);
  });
});
