import type { ReplicationController } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { setReplicationControllerDefaults } from "./replication-controller-defaults.ts";

const made = (controller: Partial<ReplicationController>): ReplicationController => {
  const object = { metadata: {}, ...controller };
  setReplicationControllerDefaults(object);
  return object;
};
const template = { metadata: { labels: { a: "1" } }, spec: { containers: [] } };

describe("defaults of ReplicationController", () => {
  it("copy the template's labels to selector and labels", () => {
    const { metadata, spec } = made({ spec: { template: structuredClone(template) } });
    expect([metadata.labels, spec?.selector, spec?.replicas]).toEqual([{ a: "1" }, { a: "1" }, 1]);
    expect(metadata.labels).not.toBe(spec?.selector);
    expect(spec?.selector).not.toBe(spec?.template?.metadata?.labels);
  });

  it("keep explicit labels and selector", () => {
    const { metadata, spec } = made({
      metadata: { labels: { b: "2" } },
      spec: { selector: { c: "3" }, replicas: 0, template: structuredClone(template) },
    });
    expect([metadata.labels, spec?.selector, spec?.replicas]).toEqual([{ b: "2" }, { c: "3" }, 0]);
  });

  it("tolerate a missing template", () => {
    expect(made({ spec: {} })).toEqual({ metadata: {}, spec: { replicas: 1 } });
  });
});
