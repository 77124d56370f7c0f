import { describe, expect, it } from "vitest";
import { envelopeKind, internalPackage, isSameStoredKind, readBodyKind } from "./body-kind.ts";

const endpoint = { group: "apps", version: "v1", kind: "Deployment" };

describe("readBodyKind", () => {
  it("fills in missing parts from the endpoint", () => {
    for (const text of [
      "{}",
      "null",
      '{"kind":null}',
      '{"kind":"","apiVersion":""}',
      '{"apiVersion":"apps/"}',
      '{"apiVersion":"/"}',
      '{"apiVersion":"apps/v1","kind":"Deployment"}',
    ])
      expect(readBodyKind(text, endpoint), text).toEqual(endpoint);
    expect(readBodyKind('{"kind":"Pod"}', endpoint)).toEqual({ ...endpoint, kind: "Pod" });
    expect(readBodyKind('{"apiVersion":"v1"}', endpoint)).toEqual({ group: "", version: "v1", kind: "Deployment" });
    expect(readBodyKind('{"apiVersion":"batch/"}', endpoint)).toEqual({ group: "batch", version: "", kind: "Deployment" });
  });
  it("matches names case-insensitively and takes the last", () => {
    expect(readBodyKind('{"kind":"A","KIND":"B","ApiVersion":"v2"}', endpoint)).toEqual({ group: "", version: "v2", kind: "B" });
  });
  it("throws when kind or apiVersion is not a string", () => {
    expect(() => readBodyKind('{"kind":{}}', endpoint)).toThrow(
      "couldn't get version/kind; json parse error: json: cannot unmarshal object into Go struct field .kind of type string",
    );
    expect(() => readBodyKind('{"apiVersion":"a/b/c"}', endpoint)).toThrow("unexpected GroupVersion string: a/b/c");
  });
});

describe("envelopeKind", () => {
  it("fills in missing or malformed parts from the endpoint", () => {
    for (const apiVersion of ["", "a/b/c", "apps/", "/"])
      expect(envelopeKind({ apiVersion, kind: "" }, endpoint), apiVersion).toEqual(endpoint);
    expect(envelopeKind({ apiVersion: "v1", kind: "Pod" }, endpoint)).toEqual({ group: "", version: "v1", kind: "Pod" });
    expect(envelopeKind({ apiVersion: "batch/v1", kind: "" }, endpoint)).toEqual({ group: "batch", version: "v1", kind: "Deployment" });
  });
});

describe("stored kinds", () => {
  it("isSameStoredKind holds within a group, and for both kinds of events", () => {
    expect(isSameStoredKind({ group: "events.k8s.io", version: "v1", kind: "Event" }, { group: "", version: "v1", kind: "Event" })).toBe(
      true,
    );
    expect(isSameStoredKind({ group: "autoscaling", version: "v1", kind: "A" }, { group: "autoscaling", version: "v2", kind: "A" })).toBe(
      true,
    );
    expect(isSameStoredKind({ group: "autoscaling", version: "v1", kind: "A" }, { group: "autoscaling", version: "v1", kind: "B" })).toBe(
      false,
    );
  });
  it("internalPackage is named after the group", () => {
    expect(["", "events.k8s.io", "rbac.authorization.k8s.io", "apps"].map(internalPackage)).toEqual(["core", "core", "rbac", "apps"]);
  });
});
