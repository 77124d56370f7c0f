import { createRandom } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultPortRange, noPorts, portRecordText, portsOf, readPortRecord } from "./port-record.ts";

describe("the record of node ports", () => {
  it("is one number in big-endian bytes with a bit for each port", () => {
    const ports = noPorts(defaultPortRange, createRandom(1));
    for (const port of [30_000, 30_009, 30_015]) ports.taken.take(port - 30_000);
    // Bits 0, 9 and 15: 0x8201.
    expect(portRecordText(ports)).toBe('{"metadata":{},"range":"30000-32767","data":"ggE="}');
    expect(portsOf(readPortRecord('{"metadata":{},"range":"30000-32767","data":"ggE="}', createRandom(1)))).toEqual([
      30_000, 30_009, 30_015,
    ]);
  });

  it("has the ports that were written, for any ports", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 30_000, max: 32_767 })), (chosen) => {
        const ports = noPorts(defaultPortRange, createRandom(1));
        for (const port of chosen) ports.taken.take(port - 30_000);
        const text = portRecordText(ports);
        const read = readPortRecord(text, createRandom(1));
        expect(portsOf(read)).toEqual(chosen.toSorted((a, b) => a - b));
        expect(portRecordText(read)).toBe(text);
      }),
    );
  });

  it("keeps the range of another server, and refuses a record without one", () => {
    expect(readPortRecord('{"range":"31000-31999","data":""}', createRandom(1)).range).toEqual({ from: 31_000, to: 31_999 });
    for (const range of ["", "5-4", "1-99999", "a-b"])
      expect(() => readPortRecord(JSON.stringify({ range }), createRandom(1))).toThrow("has no range such as 30000-32767");
  });
});
