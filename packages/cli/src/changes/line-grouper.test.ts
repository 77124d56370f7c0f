import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { printLine, printLineAsJson } from "./print-line.ts";
import { LineGrouper } from "./line-grouper.ts";
import type { ChangeLine } from "./change-line.ts";

async function linesOf(...changes: readonly ChangeLine[]): Promise<readonly string[]> {
  const clock = new ManualClock();
  const lines: string[] = [];
  const grouper = new LineGrouper({ clock, write: (group) => lines.push(printLine(group, { hasColor: false }).trimEnd()) });
  for (const change of changes) grouper.report(change);
  await clock.advance(1000);
  return lines;
}

const pod = (name: string): ChangeLine => ({
  who: "replicaset-controller",
  did: "created",
  kind: "Pod",
  name,
  of: "shop/web",
  why: "ReplicaSet shop/web was created",
});

describe("LineGrouper", () => {
  it("prints changes with their causes", async () => {
    expect(await linesOf({ who: "kubectl", did: "created", kind: "Deployment", name: "shop/web" })).toEqual([
      "00:00:00  kubectl            created Deployment shop/web",
    ]);
    expect(await linesOf(pod(""))).toEqual([
      "00:00:00  replicaset         created a Pod for shop/web, because ReplicaSet shop/web was created",
    ]);
    expect(await linesOf({ who: "endpointslice-controller", did: "created", kind: "EndpointSlice", name: "" })).toEqual([
      "00:00:00  endpointslice      created an EndpointSlice",
    ]);
    expect(await linesOf({ who: "logger", did: "any words", kind: "", name: "" })).toEqual(["00:00:00  logger             any words"]);
  });

  it("groups simultaneous changes of one sort, in the order of the first", async () => {
    const other: ChangeLine = { who: "node-1", did: "runs", kind: "Pod", name: "shop/a" };
    expect(await linesOf(pod(""), other, pod(""), pod(""))).toEqual([
      "00:00:00  replicaset         created 3 Pods for shop/web, because ReplicaSet shop/web was created",
      "00:00:00  node-1             runs Pod shop/a",
    ]);
    expect(await linesOf(...["a", "b", "c", "d", "e", "f"].map((name) => ({ ...other, name })))).toEqual([
      "00:00:00  node-1             runs 6 Pods a, b, c, d and 2 more",
    ]);
  });

  it("prints every line of a program at once, also equal and empty ones, below the changes before it", () => {
    const lines: string[] = [];
    const grouper = new LineGrouper({
      clock: new ManualClock(),
      write: (group) => lines.push(printLine(group, { hasColor: false }).slice(10).trimEnd()),
    });
    grouper.report(pod("shop/a"));
    for (const did of ["one", "", "one"]) grouper.report({ who: "logger", did, kind: "", name: "", isOutput: true });
    expect(lines).toEqual([
      "replicaset         created Pod shop/a for shop/web, because ReplicaSet shop/web was created",
      "logger             one",
      "logger",
      "logger             one",
    ]);
  });

  it("prints JSON lines for programs", () => {
    expect(JSON.parse(printLineAsJson({ at: 0, who: "node-1", did: "runs", kind: "Pod", names: ["shop/a"], count: 1 }))).toEqual({
      time: "1970-01-01T00:00:00.000Z",
      who: "node-1",
      did: "runs",
      kind: "Pod",
      names: ["shop/a"],
      count: 1,
    });
  });
});
