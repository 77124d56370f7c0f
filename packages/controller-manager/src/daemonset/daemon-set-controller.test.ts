import { describe, expect, it } from "vitest";
import { idleContext } from "../testing/idle-context.ts";
import { daemonSetController } from "./daemon-set-controller.ts";

describe("daemonSetController", () => {
  it("has upstream's names, workers and sources", () => {
    const { context, controllers } = idleContext();
    daemonSetController.add(context);
    expect([daemonSetController.name, ...daemonSetController.aliases]).toEqual(["daemonset-controller", "daemonset"]);
    expect(context.manager.state().controllers).toMatchObject([
      {
        name: "daemonset-controller",
        workers: 2,
        watches: [
          { name: "DaemonSet apps" },
          { name: "Pod of a DaemonSet" },
          { name: "ControllerRevision of a DaemonSet" },
          { name: "Node for DaemonSets" },
        ],
      },
    ]);
    expect(
      controllers[0]?.needs.map(({ resource, subresource, verbs }) =>
        [subresource === undefined ? resource : `${resource}/${subresource}`, ...verbs].join(" "),
      ),
    ).toEqual([
      "pods create delete patch",
      "daemonsets get",
      "daemonsets/status update",
      "controllerrevisions create delete get patch update",
      "daemonsets list watch",
      "pods list watch",
      "controllerrevisions list watch",
      "nodes list watch",
    ]);
  });
});
