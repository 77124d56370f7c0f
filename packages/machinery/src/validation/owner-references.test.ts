import { describe, expect, it } from "vitest";
import { printFieldError } from "../field/field-error-text.ts";
import { validateOwnerReferences } from "./owner-references.ts";

const pod = { apiVersion: "v1", kind: "Pod", name: "p", uid: "u" };
const check = (...references: Parameters<typeof validateOwnerReferences>[0] & object): string[] =>
  validateOwnerReferences(references, "o").map(printFieldError);

describe("validateOwnerReferences", () => {
  it("requires complete references", () => {
    expect(check(pod, { ...pod, apiVersion: "apps/v1" })).toEqual([]);
    expect(check({})).toEqual([
      'o.apiVersion: Invalid value: "": version must not be empty',
      'o.kind: Invalid value: "": must not be empty',
      'o.name: Invalid value: "": must not be empty',
      'o.uid: Invalid value: "": must not be empty',
    ]);
    expect(check({ ...pod, apiVersion: "a/b/c" })).toEqual(['o.apiVersion: Invalid value: "a/b/c": version must not be empty']);
  });

  it("rejects an Event of the core group", () => {
    expect(check({ ...pod, kind: "Event", controller: false })).toEqual([
      'o: Invalid value: {"apiVersion":"v1","kind":"Event","name":"p","uid":"u","controller":false}: /v1, Kind=Event is disallowed from being an owner',
    ]);
    expect(check({ ...pod, kind: "Event", apiVersion: "events.k8s.io/v1" })).toEqual([]);
  });

  it("accepts one controller at most", () => {
    const controlled = { ...pod, controller: true };
    expect(check(controlled, pod, { ...controlled, name: "q" })).toEqual([
      'o: Invalid value: [{"apiVersion":"v1","kind":"Pod","name":"p","uid":"u","controller":true},{"apiVersion":"v1","kind":"Pod","name":"p","uid":"u"},{"apiVersion":"v1","kind":"Pod","name":"q","uid":"u","controller":true}]: Only one reference can have Controller set to true. Found "true" in references for Pod/p and Pod/q',
    ]);
    expect(validateOwnerReferences(undefined, "o")).toEqual([]);
  });
});
