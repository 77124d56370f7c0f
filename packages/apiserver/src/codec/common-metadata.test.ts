import { describe, expect, it } from "vitest";
import { commonMetadata } from "./common-metadata.ts";

const generation = "deprecated.daemonset.template.generation";

describe("commonMetadata", () => {
  it("leaves out annotations that stand for fields of other versions", () => {
    const daemonSet = { apiVersion: "apps/v1", kind: "DaemonSet" };
    expect(commonMetadata({ ...daemonSet, metadata: { name: "a", annotations: { [generation]: "1" } } })).toEqual({ name: "a" });
    expect(commonMetadata({ ...daemonSet, metadata: { name: "a", annotations: { [generation]: "1", own: "2" } } })).toEqual({
      name: "a",
      annotations: { own: "2" },
    });
  });

  it("returns the metadata of other kinds itself", () => {
    const metadata = { name: "a", annotations: { [generation]: "1" } };
    expect(commonMetadata({ apiVersion: "v1", kind: "Pod", metadata })).toBe(metadata);
    expect(commonMetadata({ apiVersion: "v1", kind: "Pod" })).toEqual({});
  });
});
