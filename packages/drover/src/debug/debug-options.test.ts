import { describe, expect, it } from "vitest";
import { debugPort } from "./debug-options.ts";

describe("debugPort", () => {
  it("is a fixed port that may be replaced, unless the option or DROVER_DEBUG choose one or none", () => {
    expect(debugPort(undefined, {})).toEqual({ port: 4679, isChosen: false });
    expect(debugPort({}, {})).toEqual({ port: 4679, isChosen: false });
    expect(debugPort({ port: 9000 }, { DROVER_DEBUG: "off" })).toEqual({ port: 9000, isChosen: true });
    expect(debugPort(undefined, { DROVER_DEBUG: "9001" })).toEqual({ port: 9001, isChosen: true });
    expect(debugPort(undefined, { DROVER_DEBUG: "0" })).toEqual({ port: 0, isChosen: false });
    expect([debugPort(false, { DROVER_DEBUG: "9001" }), debugPort({}, { DROVER_DEBUG: "off" })]).toEqual([undefined, undefined]);
  });

  it("rejects what is no port, naming the option or the variable", () => {
    for (const port of [-1, 65_536, 1.5, Number.NaN]) expect(() => debugPort({ port }, {})).toThrow("debug.port");
    for (const text of ["on", "70000", "-1", "1.5"]) expect(() => debugPort(undefined, { DROVER_DEBUG: text })).toThrow("DROVER_DEBUG");
  });
});
