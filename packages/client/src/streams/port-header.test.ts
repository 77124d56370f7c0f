import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PortHeader } from "./port-header.ts";

describe("PortHeader", () => {
  it("is removed for any chunk boundaries", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 65_535 }),
        fc.uint8Array({ maxLength: 12 }),
        fc.array(fc.integer({ min: 0, max: 14 }), { maxLength: 4 }),
        (port, data, cuts) => {
          const stream = Uint8Array.of(port & 255, port >> 8, ...data);
          const places = [0, ...cuts.map((cut) => Math.min(cut, stream.length)).toSorted((a, b) => a - b), stream.length];
          const header = new PortHeader(port);
          const parts = places.slice(1).map((end, index) => header.cut(stream.subarray(places[index], end)));
          expect(parts.flatMap((part) => [...part])).toEqual([...data]);
        },
      ),
    );
  });

  it("names the port that the server opened if it is a different one", () => {
    expect(() => new PortHeader(80).cut(Uint8Array.of(0x90, 0x1f))).toThrow("opened port 8080 instead of 80");
  });
});
