import { describe, expect, it } from "vitest";
import { idleContext } from "../testing/idle-context.ts";
import { statefulSetController } from "./stateful-set-controller.ts";

describe("statefulSetController", () => {
  it("has upstream's names", () => {
    expect([statefulSetController.name, statefulSetController.aliases, statefulSetController.isDisabledByDefault]).toEqual([
      "statefulset-controller",
      ["statefulset"],
      undefined,
    ]);
  });

  it("watches sets, pods, claims and revisions with five workers, and declares its permissions", () => {
    const { context, controllers } = idleContext();
    statefulSetController.add(context);
    expect(context.manager.state().controllers).toMatchObject([
      {
        name: "statefulset-controller",
        workers: 5,
        watches: [
          { name: "StatefulSet apps" },
          { name: "Pod of a StatefulSet" },
          { name: "PersistentVolumeClaim of a StatefulSet" },
          { name: "ControllerRevision of a StatefulSet" },
        ],
      },
    ]);
    expect(
      controllers[0]?.needs.map(({ resource, subresource, verbs }) =>
        [subresource === undefined ? resource : `${resource}/${subresource}`, ...verbs].join(" "),
      ),
    ).toEqual([
      "statefulsets get",
      "statefulsets/status update",
      "pods create delete get patch update",
      "persistentvolumeclaims create update",
      "controllerrevisions create delete get patch update",
      "statefulsets list watch",
      "pods list watch",
      "persistentvolumeclaims list watch",
      "controllerrevisions list watch",
    ]);
  });
});
