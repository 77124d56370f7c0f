import { describe, expect, it } from "vitest";
import { idleContext } from "../testing/idle-context.ts";
import { deploymentController } from "./deployment-controller.ts";

describe("deploymentController", () => {
  it("has upstream's names", () => {
    expect([deploymentController.name, deploymentController.aliases, deploymentController.isDisabledByDefault]).toEqual([
      "deployment-controller",
      ["deployment"],
      undefined,
    ]);
  });

  it("watches Deployments, ReplicaSets and Pods with five workers, and declares its permissions", () => {
    const { context, controllers } = idleContext();
    deploymentController.add(context);
    expect(context.manager.state().controllers).toMatchObject([
      {
        name: "deployment-controller",
        workers: 5,
        watches: [{ name: "Deployment apps" }, { name: "ReplicaSet apps of a Deployment" }, { name: "Pod of a Deployment" }],
      },
    ]);
    expect(
      controllers[0]?.needs.map(({ resource, subresource, verbs }) =>
        [subresource === undefined ? resource : `${resource}/${subresource}`, ...verbs].join(" "),
      ),
    ).toEqual([
      "deployments get update",
      "deployments/status update",
      "replicasets create delete get patch update",
      "deployments list watch",
      "replicasets list watch",
      "pods list watch",
    ]);
  });
});
