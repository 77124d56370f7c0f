import { describe, expect, it } from "vitest";
import { envelopeKind, internalPackage, isSameStoredKind, readBodyKind } from "./body-kind.ts";

const endpoint = { group: "apps", version: "v1", kind: "Deployment" };

describe("readBodyKind", () => {
  it("takes from the endpoint what the body does not say", () => {
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
  it("does not care about capitals, and takes the last", () => {
    expect(readBodyKind('{"kind":"A","KIND":"B","ApiVersion":"v2"}', endpoint)).toEqual({ group: "", version: "v2", kind: "B" });
  });
  it("cannot tell where the two are no text", () => {
    expect(() => readBodyKind('{"kind":{}}', endpoint)).toThrow(
      "couldn't get version/kind; json parse error: json: cannot unmarshal object into Go struct field .kind of type string",
    );
    expect(() => readBodyKind('{"apiVersion":"a/b/c"}', endpoint)).toThrow("unexpected GroupVersion string: a/b/c");
  });
});

describe("envelopeKind", () => {
  it("takes from the endpoint what the envelope does not say, or says in no known form", () => {
    for (const apiVersion of ["", "a/b/c", "apps/", "/"])
      expect(envelopeKind({ apiVersion, kind: "" }, endpoint), apiVersion).toEqual(endpoint);
    expect(envelopeKind({ apiVersion: "v1", kind: "Pod" }, endpoint)).toEqual({ group: "", version: "v1", kind: "Pod" });
    expect(envelopeKind({ apiVersion: "batch/v1", kind: "" }, endpoint)).toEqual({ group: "batch", version: "v1", kind: "Deployment" });
  });
});

describe("kinds that are stored as one", () => {
  it("are those of the same group, and events of both", () => {
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
  it("have a package named after the group", () => {
    expect(["", "events.k8s.io", "rbac.authorization.k8s.io", "apps"].map(internalPackage)).toEqual(["core", "core", "rbac", "apps"]);
  });
});
