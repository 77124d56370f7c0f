import type { ReplicationController } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { setReplicationControllerDefaults } from "./replication-controller-defaults.ts";

const made = (controller: Partial<ReplicationController>): ReplicationController => {
  const object = { metadata: {}, ...controller };
  setReplicationControllerDefaults(object);
  return object;
};
const template = { metadata: { labels: { a: "1" } }, spec: { containers: [] } };

describe("a replication controller", () => {
  it("selects and bears the labels of its template, each on its own", () => {
    const { metadata, spec } = made({ spec: { template: structuredClone(template) } });
    expect([metadata.labels, spec?.selector, spec?.replicas]).toEqual([{ a: "1" }, { a: "1" }, 1]);
    expect(metadata.labels).not.toBe(spec?.selector);
    expect(spec?.selector).not.toBe(spec?.template?.metadata?.labels);
  });

  it("keeps labels and selector of its own", () => {
    const { metadata, spec } = made({
      metadata: { labels: { b: "2" } },
      spec: { selector: { c: "3" }, replicas: 0, template: structuredClone(template) },
    });
    expect([metadata.labels, spec?.selector, spec?.replicas]).toEqual([{ b: "2" }, { c: "3" }, 0]);
  });

  it("may lack a template", () => {
    expect(made({ spec: {} })).toEqual({ metadata: {}, spec: { replicas: 1 } });
  });
});
