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

describe("defaults of Deployment", () => {
  it("set one replica, a 25 % rolling update, ten revisions and a ten minute deadline", () => {
    expect(made({}).spec).toMatchObject({
      replicas: 1,
      strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "25%", maxSurge: "25%" } },
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      template: { spec: { restartPolicy: "Always" } },
    });
  });

  it("keep zeros and explicit rolling update values", () => {
    expect(made({ replicas: 0, revisionHistoryLimit: 0, strategy: { rollingUpdate: { maxSurge: 0 } } }).spec).toMatchObject({
      replicas: 0,
      revisionHistoryLimit: 0,
      strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "25%", maxSurge: 0 } },
    });
  });

  it("set no rolling update for Recreate", () => {
    expect(made({ strategy: { type: "Recreate" } }).spec?.strategy).toEqual({ type: "Recreate" });
    expect(made({ strategy: { type: "Recreate", rollingUpdate: {} } }).spec?.strategy).toEqual({
      type: "Recreate",
      rollingUpdate: { maxUnavailable: 0, maxSurge: 0 },
    });
  });

  it("require a number in the rollback annotation", () => {
    const name = "deprecated.deployment.rollback.to";
    expect(made({}, { [name]: "+5" }).metadata.annotations).toEqual({ [name]: "5" });
    expect(made({}, { [name]: "" }).metadata).toEqual({});
    expect(() => made({}, { [name]: "x" })).toThrow(
      'failed to parse annotation[deprecated.deployment.rollback.to]=x as int64: strconv.ParseInt: parsing "x": invalid syntax',
    );
  });
});
