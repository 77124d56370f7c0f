import { describe, expect, it } from "vitest";
import { deployment, replicaSet } from "../testing/workload-objects.ts";
import { rollbackPlan, rollbackRevision } from "./rollback.ts";

const asked = (revision: string): ReturnType<typeof deployment> =>
  deployment({ image: "web:3", annotations: { note: "new", "deprecated.deployment.rollback.to": revision } });
const at = (revision: number, image = `web:${revision}`): ReturnType<typeof replicaSet> =>
  replicaSet({
    name: `web-${revision}`,
    image,
    labels: { app: "web", "pod-template-hash": String(revision) },
    annotations: { note: `of ${revision}`, "deployment.kubernetes.io/revision": String(revision) },
  });

describe("rollbackPlan", () => {
  it("follows the number in the annotation", () => {
    expect(["2", "0", "", "x"].map((text) => rollbackRevision(asked(text)))).toEqual([2n, 0n, undefined, undefined]);
    expect(rollbackRevision(deployment())).toBeUndefined();
  });

  it("restores template and annotations of the revision and removes the request", () => {
    const { deployment: after, ...told } = rollbackPlan(asked("1"), [at(1), at(2), at(3)], 1n);
    expect(told).toEqual({ type: "Normal", reason: "DeploymentRollback", note: 'Rolled back deployment "web" to revision 1' });
    expect(after.metadata.annotations).toEqual({ note: "of 1" });
    expect(after.spec?.template).toEqual({ metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "web", image: "web:1" }] } });
  });

  it("restores the previous revision for 0", () => {
    expect(rollbackPlan(asked("0"), [at(1), at(3), at(2)], 0n).note).toBe('Rolled back deployment "web" to revision 2');
  });

  it("records an event for an impossible rollback and removes the request", () => {
    const plans = [
      rollbackPlan(asked("0"), [at(3)], 0n),
      rollbackPlan(asked("9"), [at(1), at(3)], 9n),
      rollbackPlan(asked("3"), [at(1), at(3)], 3n),
    ];
    expect(plans.map(({ type, reason, note }) => [type, reason, note])).toEqual([
      ["Warning", "DeploymentRollbackRevisionNotFound", "Unable to find last revision."],
      ["Warning", "DeploymentRollbackRevisionNotFound", "Unable to find the revision to rollback to."],
      ["Warning", "DeploymentRollbackTemplateUnchanged", 'The rollback revision contains the same template as current deployment "web"'],
    ]);
    expect(plans.map((plan) => [plan.deployment.metadata.annotations, plan.deployment.spec])).toEqual(
      plans.map(() => [{ note: "new" }, asked("0").spec]),
    );
  });
});
