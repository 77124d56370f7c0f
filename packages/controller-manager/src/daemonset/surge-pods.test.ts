import { describe, expect, it } from "vitest";
import { daemonPod, daemonSet } from "../testing/daemon-set-objects.ts";
import type { DaemonPodParts } from "../testing/daemon-set-objects.ts";
import { start } from "../testing/workload-objects.ts";
import { surgePods } from "./surge-pods.ts";
import type { UpdatePlace } from "./surge-pods.ts";

const runs = { shouldRun: true, shouldContinue: true };
const stays = { shouldRun: false, shouldContinue: true };
const ready = { readyFor: 60 };
const at = (name: string, pods: readonly DaemonPodParts[], fit: UpdatePlace["fit"] = runs): UpdatePlace => ({
  name,
  fit,
  pods: pods.map((parts) => daemonPod({ on: name, ...parts })),
});
const old = { hash: "old", ...ready };

function surged(
  places: readonly UpdatePlace[],
  surgeMax = 1,
  desired = places.length,
): { readonly nodes: readonly string[]; readonly deletions: readonly (string | undefined)[] } {
  const { nodes, deletions } = surgePods(daemonSet(), places, { hash: "new", now: start, surgeMax, desired });
  return { nodes, deletions: deletions.map(({ metadata }) => metadata.name) };
}

describe("surgePods", () => {
  it("creates as many new pods beside old ones as maxSurge allows", () => {
    expect(surged([at("a", [old]), at("b", [old]), at("c", [old])])).toEqual({ nodes: ["a"], deletions: [] });
    expect(surged([at("a", [old]), at("b", [old]), at("c", [old])], 2)).toEqual({ nodes: ["a", "b"], deletions: [] });
  });

  it("deletes the old pod once the new one is available, and continues", () => {
    expect(surged([at("a", [old, {}]), at("b", [old])])).toEqual({ nodes: [], deletions: [] });
    expect(surged([at("a", [old, ready]), at("b", [old])])).toEqual({ nodes: ["b"], deletions: ["a-old"] });
  });

  it("creates a pod at once where the old one is unavailable, beyond maxSurge", () => {
    expect(surged([at("a", [{ hash: "old" }]), at("b", [{ hash: "old" }]), at("c", [old])])).toEqual({
      nodes: ["a", "b", "c"],
      deletions: [],
    });
  });

  it("counts a node with too many pods as a surge", () => {
    expect(
      surged([
        at("a", [
          { name: "x", hash: "old" },
          { name: "y", hash: "old" },
        ]),
        at("b", [old]),
      ]),
    ).toEqual({ nodes: [], deletions: [] });
  });

  it("leaves nodes with only new pods, or none, alone", () => {
    expect(surged([at("a", [ready]), at("b", []), at("c", [{ isDeleting: true, hash: "old" }])])).toEqual({ nodes: [], deletions: [] });
  });

  it("deletes an old pod where none should run, once others suffice, or at once if it is unavailable", () => {
    expect(surged([at("a", [old], stays), at("b", [{}])], 1, 1)).toEqual({ nodes: [], deletions: [] });
    expect(surged([at("a", [old], stays), at("b", [ready])], 1, 1)).toEqual({ nodes: [], deletions: ["a-old"] });
    expect(surged([at("a", [{ hash: "old" }], stays), at("b", [{}])], 1, 1)).toEqual({ nodes: [], deletions: ["a-old"] });
  });

  it("leaves pods of nodes that are gone alone", () => {
    expect(
      surgePods(daemonSet(), [{ name: "a", fit: undefined, pods: [daemonPod({ on: "a", ...old })] }], {
        hash: "new",
        now: start,
        surgeMax: 1,
        desired: 0,
      }),
    ).toEqual({ nodes: [], deletions: [] });
  });
});
