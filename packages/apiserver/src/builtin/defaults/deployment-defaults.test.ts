import type { Deployment, DeploymentSpec } from "@drover/api/apps/v1";
import { describe, expect, it } from "vitest";
import { setDeploymentDefaults } from "./deployment-defaults.ts";

const made = (spec: Partial<DeploymentSpec>, annotations?: Record<string, string>): Deployment => {
  const deployment: Deployment = {
    metadata: annotations === undefined ? {} : { annotations },
    spec: { selector: {}, template: {}, ...spec },
  };
  setDeploymentDefaults(deployment);
  return deployment;
};

describe("a deployment", () => {
  it("has one pod, rolls over a quarter at a time, keeps ten revisions and waits ten minutes", () => {
    expect(made({}).spec).toMatchObject({
      replicas: 1,
      strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "25%", maxSurge: "25%" } },
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      template: { spec: { restartPolicy: "Always" } },
    });
  });

  it("keeps zeros, and what it says of rolling over", () => {
    expect(made({ replicas: 0, revisionHistoryLimit: 0, strategy: { rollingUpdate: { maxSurge: 0 } } }).spec).toMatchObject({
      replicas: 0,
      revisionHistoryLimit: 0,
      strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "25%", maxSurge: 0 } },
    });
  });

  it("that is recreated does not roll", () => {
    expect(made({ strategy: { type: "Recreate" } }).spec?.strategy).toEqual({ type: "Recreate" });
    expect(made({ strategy: { type: "Recreate", rollingUpdate: {} } }).spec?.strategy).toEqual({
      type: "Recreate",
      rollingUpdate: { maxUnavailable: 0, maxSurge: 0 },
    });
  });

  it("goes back to a revision that is a number, or to none", () => {
    const name = "deprecated.deployment.rollback.to";
    expect(made({}, { [name]: "+5" }).metadata.annotations).toEqual({ [name]: "5" });
    expect(made({}, { [name]: "" }).metadata).toEqual({});
    expect(() => made({}, { [name]: "x" })).toThrow(
      'failed to parse annotation[deprecated.deployment.rollback.to]=x as int64: strconv.ParseInt: parsing "x": invalid syntax',
    );
  });
});
