import { Pod } from "@drover/api/core/v1";
import type { JsonObject, TableRowCondition } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { samplePod } from "../../testing/workload-sample.ts";
import { printed, printedAt, secondsAgo } from "../../testing/printed.ts";
import { jsonOf } from "../../typed-object.ts";
import { podPrinter } from "./pod-printer.ts";

const pod = (status: JsonObject, spec: JsonObject = {}): JsonObject => ({ spec: { containers: [{ name: "c" }], ...spec }, status });

describe("the table of pods", () => {
  it("says <none> where nothing is known", () => {
    expect(printed(Pod, pod({ phase: "Pending" }))).toEqual({
      Name: "web",
      Ready: "0/1",
      Status: "Pending",
      Restarts: "0",
      Age: "5m",
      IP: "<none>",
      Node: "<none>",
      "Nominated Node": "<none>",
      "Readiness Gates": "<none>",
    });
  });

  it("says where a pod is", () => {
    expect(printed(Pod, pod({ podIPs: [{ ip: "1.2.3.4" }, { ip: "::1" }], nominatedNodeName: "m" }, { nodeName: "n" }))).toMatchObject({
      IP: "1.2.3.4",
      Node: "n",
      "Nominated Node": "m",
    });
  });

  it("says when the last restart was, if it is known", () => {
    const container = (restartCount: number, lastState: JsonObject = {}): JsonObject =>
      pod({ containerStatuses: [{ name: "c", image: "", imageID: "", ready: true, restartCount, state: { running: {} }, lastState }] });
    expect(printed(Pod, container(3, { terminated: { exitCode: 1, finishedAt: secondsAgo(180) } }))).toMatchObject({
      Restarts: "3 (3m ago)",
    });
    expect(printed(Pod, container(3))).toMatchObject({ Restarts: "3" });
    expect(printed(Pod, container(0, { terminated: { exitCode: 1, finishedAt: secondsAgo(180) } }))).toMatchObject({ Restarts: "0" });
  });

  it("counts the gates that are open", () => {
    const readinessGates = [{ conditionType: "a" }, { conditionType: "b" }, { conditionType: "c" }];
    expect(
      printed(
        Pod,
        pod(
          {
            conditions: [
              { type: "a", status: "True" },
              { type: "b", status: "False" },
            ],
          },
          { readinessGates },
        ),
      ),
    ).toMatchObject({ "Readiness Gates": "1/3" });
  });

  it("marks the rows of pods that are over", () => {
    const conditionsOf = (phase: string): TableRowCondition[] | undefined =>
      podPrinter.row(jsonOf({ ...samplePod(), status: { phase } }), printedAt).conditions;
    expect(conditionsOf("Succeeded")).toEqual([
      { type: "Completed", status: "True", reason: "Succeeded", message: "The pod has completed successfully." },
    ]);
    expect(conditionsOf("Failed")).toMatchObject([{ type: "Completed", reason: "Failed" }]);
    expect(conditionsOf("Running")).toBe(undefined);
  });
});
