import type { Node } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { evictionRates, zoneState } from "./zone-state.ts";

const nodes = (ready: number, silent: number, zone = ""): readonly Node[] =>
  Array.from({ length: ready + silent }, (_, index) => ({
    metadata: { name: `${zone}-${index}`, labels: zone === "" ? {} : { "topology.kubernetes.io/zone": zone } },
    status: { conditions: [{ type: "Ready", status: index < ready ? ("True" as const) : ("Unknown" as const) }] },
  }));

describe("a zone", () => {
  it.each([
    [3, 0, "Normal"],
    [2, 1, "Normal"],
    [1, 2, "Normal"],
    [2, 3, "PartialDisruption"],
    [0, 1, "FullDisruption"],
    [0, 3, "FullDisruption"],
  ] as const)("with %i nodes that are ready and %i that are silent is in the state %s", (ready, silent, state) => {
    expect(zoneState(nodes(ready, silent))).toBe(state);
  });

  it("empties a node every ten seconds, a small one that is disrupted none, a large one one in a hundred", () => {
    expect(evictionRates([...nodes(3, 1, "a"), ...nodes(2, 3, "b"), ...nodes(20, 40, "c"), ...nodes(0, 2, "d")])).toEqual(
      new Map([
        [":a", 0.1],
        [":b", 0],
        [":c", 0.01],
        [":d", 0.1],
      ]),
    );
  });

  it("drives nobody away when every zone is silent: then it is us who hear nothing", () => {
    expect(evictionRates([...nodes(0, 3, "a"), ...nodes(0, 1, "b")])).toEqual(
      new Map([
        [":a", 0],
        [":b", 0],
      ]),
    );
  });
});
