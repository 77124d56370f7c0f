import type { Node } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { evictionRates, zoneState } from "./zone-state.ts";

const nodes = (ready: number, silent: number, zone = ""): readonly Node[] =>
  Array.from({ length: ready + silent }, (_, index) => ({
    metadata: { name: `${zone}-${index}`, labels: zone === "" ? {} : { "topology.kubernetes.io/zone": zone } },
    status: { conditions: [{ type: "Ready", status: index < ready ? ("True" as const) : ("Unknown" as const) }] },
  }));

describe("zone state", () => {
  it.each([
    [3, 0, "Normal"],
    [2, 1, "Normal"],
    [1, 2, "Normal"],
    [2, 3, "PartialDisruption"],
    [0, 1, "FullDisruption"],
    [0, 3, "FullDisruption"],
  ] as const)("with %i ready and %i silent nodes is %s", (ready, silent, state) => {
    expect(zoneState(nodes(ready, silent))).toBe(state);
  });

  it("evicts one node in ten seconds, none in a small disrupted zone, one in a hundred seconds in a large one", () => {
    expect(evictionRates([...nodes(3, 1, "a"), ...nodes(2, 3, "b"), ...nodes(20, 40, "c"), ...nodes(0, 2, "d")])).toEqual(
      new Map([
        [":a", 0.1],
        [":b", 0],
        [":c", 0.01],
        [":d", 0.1],
      ]),
    );
  });

  it("evicts nothing when every zone is silent, which suggests that this process is cut off", () => {
    expect(evictionRates([...nodes(0, 3, "a"), ...nodes(0, 1, "b")])).toEqual(
      new Map([
        [":a", 0],
        [":b", 0],
      ]),
    );
  });
});
