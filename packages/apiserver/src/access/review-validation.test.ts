import type { LocalSubjectAccessReview, SubjectAccessReview } from "@drover/api/authorization/v1";
import { printFieldError } from "@drover/machinery";
import type { ObjectMeta } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { validateLocalSubjectAccessReview, validateSelfSubjectAccessReview, validateSubjectAccessReview } from "./review-validation.ts";

const subject = (spec: SubjectAccessReview["spec"], metadata: ObjectMeta = {}): string[] =>
  validateSubjectAccessReview({ metadata, spec }).map(printFieldError);
const local = (spec: LocalSubjectAccessReview["spec"], metadata: ObjectMeta): string[] =>
  validateLocalSubjectAccessReview({ metadata, spec }).map(printFieldError);

// All texts were recorded from a real server.
describe("validateSubjectAccessReview", () => {
  it("requires a user or group and exactly one of resource and path", () => {
    expect(subject({})).toEqual([
      "spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified",
      'spec.user: Invalid value: "": at least one of user or group must be specified',
    ]);
    expect(subject({ groups: ["g"], resourceAttributes: {} })).toEqual([]);
    expect(subject({ user: "u", nonResourceAttributes: {} })).toEqual([]);
    expect(subject({ user: "u", resourceAttributes: { verb: "get" }, nonResourceAttributes: { path: "/x" } })).toEqual([
      'spec.nonResourceAttributes: Invalid value: {"Path":"/x","Verb":""}: cannot be specified in combination with resourceAttributes',
    ]);
  });

  it("requires empty metadata except for managed fields", () => {
    const managedFields = [
      {
        manager: "curl",
        operation: "Update" as const,
        apiVersion: "authorization.k8s.io/v1",
        time: "2026-11-15T20:19:12Z",
        fieldsType: "FieldsV1" as const,
        fieldsV1: { "f:spec": { "f:user": {}, "f:a": {} } },
      },
    ];
    const spec = { user: "u", resourceAttributes: {} };
    expect(subject(spec, { managedFields, name: "", labels: {} })).toEqual([]);
    expect(subject(spec, { labels: { b: "<", a: "1" }, managedFields, name: "x" })).toEqual([
      'metadata: Invalid value: {"name":"x","labels":{"a":"1","b":"\\u003c"},"managedFields":[{"manager":"curl","operation":"Update","apiVersion":"authorization.k8s.io/v1","time":"2026-11-15T20:19:12Z","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:a":{},"f:user":{}}}}]}: must be empty',
    ]);
    expect(validateSelfSubjectAccessReview({ metadata: { name: "x" }, spec: {} }).map(printFieldError)).toEqual([
      "spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified",
      'metadata: Invalid value: {"name":"x"}: must be empty',
    ]);
  });

  it("refuses selectors with both or neither of rawSelector and requirements", () => {
    expect(subject({ user: "u", resourceAttributes: { fieldSelector: {}, labelSelector: {} } })).toEqual(
      ["fieldSelector", "labelSelector"].map(
        (name) =>
          `spec.resourceAttributes.${name}.requirements: Required value: when spec.resourceAttributes.${name} is specified, requirements or rawSelector is required`,
      ),
    );
    expect(
      subject({
        user: "u",
        resourceAttributes: {
          fieldSelector: {
            rawSelector: "a=b",
            requirements: [
              { key: "", operator: "In" },
              { key: "x", operator: "Exists", values: ["1"] },
              { key: "x", operator: "Foo" },
            ],
          },
          labelSelector: {
            requirements: [
              { key: "x", operator: "In" },
              { key: "x", operator: "Foo" as "In" },
            ],
          },
        },
      }),
    ).toEqual([
      'spec.resourceAttributes.fieldSelector.rawSelector: Invalid value: "a=b": may not specified at the same time as requirements',
      "spec.resourceAttributes.fieldSelector.requirements[0].key: Required value: must be specified",
      "spec.resourceAttributes.fieldSelector.requirements[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
      "spec.resourceAttributes.fieldSelector.requirements[1].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
      "spec.resourceAttributes.labelSelector.requirements[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
    ]);
  });
});

describe("validateLocalSubjectAccessReview", () => {
  it("requires resource attributes of its own namespace", () => {
    expect(local({ user: "a", resourceAttributes: { namespace: "default" } }, { namespace: "default" })).toEqual([]);
    expect(local({ user: "a", resourceAttributes: {} }, { namespace: "default" })).toEqual([
      'spec.resourceAttributes.namespace: Invalid value: "": must match metadata.namespace',
    ]);
    expect(local({ user: "a", nonResourceAttributes: { verb: "get", path: "/" } }, { namespace: "default", name: "n" })).toEqual([
      'metadata: Invalid value: {"name":"n","namespace":"default"}: must be empty except for namespace',
      'spec.nonResourceAttributes: Invalid value: {"Path":"/","Verb":"get"}: disallowed on this kind of request',
    ]);
  });
});
