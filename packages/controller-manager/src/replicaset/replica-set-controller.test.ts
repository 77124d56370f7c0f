import { describe, expect, it } from "vitest";
import { idleContext } from "../testing/idle-context.ts";
import { replicaSetController } from "./replica-set-controller.ts";

describe("replicaSetController", () => {
  it("has upstream's names", () => {
    expect([replicaSetController.name, replicaSetController.aliases, replicaSetController.isDisabledByDefault]).toEqual([
      "replicaset-controller",
      ["replicaset"],
      undefined,
    ]);
  });

  it("watches ReplicaSets and Pods with five workers, and declares its permissions", () => {
    const { context, controllers } = idleContext();
    replicaSetController.add(context);
    expect(context.manager.state().controllers).toMatchObject([
      { name: "replicaset-controller", workers: 5, watches: [{ name: "ReplicaSet apps" }, { name: "Pod of a ReplicaSet" }] },
    ]);
    expect(
      controllers[0]?.needs.map(({ resource, subresource, verbs }) =>
        [subresource === undefined ? resource : `${resource}/${subresource}`, ...verbs].join(" "),
      ),
    ).toEqual(["pods create delete patch", "replicasets get", "replicasets/status update", "replicasets list watch", "pods list watch"]);
  });
});
