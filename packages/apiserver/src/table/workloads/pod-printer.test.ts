import { Pod } from "@drover/api/core/v1";
import type { JsonObject, TableRowCondition } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { samplePod } from "../../testing/workload-sample.ts";
import { printed, printedAt, secondsAgo } from "../../testing/printed.ts";
import { jsonOf } from "../../typed-object.ts";
import { podPrinter } from "./pod-printer.ts";

const pod = (status: JsonObject, spec: JsonObject = {}): JsonObject => ({ spec: { containers: [{ name: "c" }], ...spec }, status });

describe("Pod table", () => {
  it("prints <none> for unset fields", () => {
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

  it("prints IP and node", () => {
    expect(printed(Pod, pod({ podIPs: [{ ip: "1.2.3.4" }, { ip: "::1" }], nominatedNodeName: "m" }, { nodeName: "n" }))).toMatchObject({
      IP: "1.2.3.4",
      Node: "n",
      "Nominated Node": "m",
    });
  });

  it("prints the time of the last restart, if known", () => {
    const container = (restartCount: number, lastState: JsonObject = {}): JsonObject =>
      pod({ containerStatuses: [{ name: "c", image: "", imageID: "", ready: true, restartCount, state: { running: {} }, lastState }] });
    expect(printed(Pod, container(3, { terminated: { exitCode: 1, finishedAt: secondsAgo(180) } }))).toMatchObject({
      Restarts: "3 (3m ago)",
    });
    expect(printed(Pod, container(3))).toMatchObject({ Restarts: "3" });
    expect(printed(Pod, container(0, { terminated: { exitCode: 1, finishedAt: secondsAgo(180) } }))).toMatchObject({ Restarts: "0" });
  });

  it("counts satisfied readiness gates", () => {
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

  it("marks rows of finished pods with the condition Completed", () => {
    const conditionsOf = (phase: string): TableRowCondition[] | undefined =>
      podPrinter.row(jsonOf({ ...samplePod(), status: { phase } }), printedAt).conditions;
    expect(conditionsOf("Succeeded")).toEqual([
      { type: "Completed", status: "True", reason: "Succeeded", message: "The pod has completed successfully." },
    ]);
    expect(conditionsOf("Failed")).toMatchObject([{ type: "Completed", reason: "Failed" }]);
    expect(conditionsOf("Running")).toBe(undefined);
  });
});
