import type { DaemonSet, DaemonSetSpec } from "@drover/api/apps/v1";
import { describe, expect, it } from "vitest";
import { setDaemonSetDefaults } from "./daemon-set-defaults.ts";

const made = (spec: Partial<DaemonSetSpec>, annotations: Record<string, string> = {}): DaemonSet => {
  const daemonSet: DaemonSet = { metadata: { annotations }, spec: { selector: {}, template: {}, ...spec } };
  setDaemonSetDefaults(daemonSet);
  return daemonSet;
};

describe("defaults of DaemonSet", () => {
  it("set a rolling update of one pod and a history of ten revisions", () => {
    expect(made({}).spec).toMatchObject({
      updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
      revisionHistoryLimit: 10,
      template: { spec: { dnsPolicy: "ClusterFirst" } },
    });
  });

  it("set no rolling update for OnDelete", () => {
    expect(made({ updateStrategy: { type: "OnDelete" } }).spec?.updateStrategy).toEqual({ type: "OnDelete" });
    expect(made({ updateStrategy: { type: "OnDelete", rollingUpdate: {} } }).spec?.updateStrategy).toEqual({
      type: "OnDelete",
      rollingUpdate: { maxUnavailable: 0, maxSurge: 0 },
    });
  });

  it("require a number in the template generation annotation", () => {
    const name = "deprecated.daemonset.template.generation";
    expect(made({}, { [name]: "05" }).metadata.annotations).toEqual({ [name]: "5" });
    expect(() => made({}, { [name]: "x" })).toThrow(/^strconv\.ParseInt: parsing "x": invalid syntax$/);
  });
});
