import type { KubeObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { Version } from "./history.ts";
import type { Recording } from "./play.ts";
import { trajectory } from "./trajectory.ts";

const pod = (name: string, more: object = {}, isDeleted = false): Version => ({
  kind: "Pod",
  isDeleted,
  object: { metadata: { name, uid: name, generateName: "web-", ...more }, status: { phase: "Running" } } as KubeObject,
});
const event = (note: string, reason = "Created"): Version => ({
  kind: "Event",
  isDeleted: false,
  object: { metadata: { name: note }, regarding: { kind: "Pod", name: "web-a" }, type: "Normal", reason, note } as unknown as KubeObject,
});
const facts = (recording: Partial<Recording>): readonly Readonly<Record<string, string>>[] =>
  trajectory({ namespace: "play1", versions: [], steps: [], ...recording }).map((step) => Object.fromEntries(step.facts));

describe("a trajectory", () => {
  it("has the end state of each step and the paths to it; objects with one name are counted", () => {
    const versions = [pod("web-a"), pod("web-b"), pod("web-b", { deletionTimestamp: "2026-01-01T00:00:00Z" }), pod("web-b", {}, true)];
    const [first, second] = facts({
      versions,
      steps: [
        { name: "one", end: 2 },
        { name: "two", end: 4 },
      ],
    });
    expect(first).toMatchObject({
      "end of Pod web-*: status.phase": '2× "Running"',
      "end of Pod web-*: there": "2× yes",
      "way of Pod web-*: life": "2×  → there",
    });
    expect(second).toMatchObject({ "end of Pod web-*: there": "yes", "way of Pod web-*: life": "there → marked → gone" });
  });

  it("starts a path where the previous step ended", () => {
    const labelled = (end: string): Version => ({
      kind: "Deployment",
      isDeleted: false,
      object: { metadata: { name: "web", uid: "web" }, spec: { replicas: Number(end) } } as unknown as KubeObject,
    });
    expect(
      facts({
        versions: [labelled("1"), labelled("3")],
        steps: [
          { name: "one", end: 1 },
          { name: "two", end: 2 },
        ],
      })[1],
    ).toMatchObject({ "way of Deployment web: spec.replicas": "1 → 3" });
  });

  it("has each Event once at its end, without aggregated ones and those of a slow loop", () => {
    const versions = [
      pod("web-a"),
      event("a"),
      event("a"),
      event("b"),
      event("(combined from similar events): c"),
      event("d", "RegisteredNode"),
      event("0/7 nodes", "FailedScheduling"),
    ];
    const told = facts({
      versions,
      steps: [
        { name: "one", end: 1 },
        { name: "two", end: 7 },
      ],
    }).map((step) => Object.entries(step).filter(([about]) => about.startsWith("told")));
    expect(told).toEqual([
      [],
      [
        ["told of Pod web-*: Normal Created", "a | b"],
        ["told of Pod web-*: Normal FailedScheduling", ""],
      ],
    ]);
  });

  it("names the problem of a failed step", () => {
    expect(facts({ steps: [{ name: "one", end: 0, problem: "nothing came" }] })).toEqual([{ problem: "nothing came" }]);
  });
});
