import { describe, expect, it } from "vitest";
import { problemsOf, refusalOf, valueAt } from "./admission-problem.ts";

const WebApp = { group: "demo.example.com", kind: "WebApp" };
const object = { spec: { host: "x", ports: [{ name: "web" }] }, metadata: { labels: { "app.kubernetes.io/name": "shop" } } };

describe("the refusal of problems", () => {
  it("reads like an error of the API server, with the value of the field", () => {
    expect(refusalOf(WebApp, "shop", [{ field: "spec.host", message: "must be a host of example.com" }], object)).toEqual({
      isAllowed: false,
      code: 422,
      reason: "Invalid",
      message: 'WebApp.demo.example.com "shop" is invalid: spec.host: Invalid value: "x": must be a host of example.com',
      causes: [{ field: "spec.host", reason: "FieldValueInvalid", message: 'Invalid value: "x": must be a host of example.com' }],
    });
  });

  it("lists several problems in brackets, with the reasons of the author", () => {
    const { message, causes } = refusalOf(
      WebApp,
      "shop",
      [
        { field: "spec.host", message: "is taken", reason: "Duplicate" },
        { field: "spec.image", message: "name an image" },
        { field: "spec.tls", message: "not in this namespace", reason: "Forbidden", value: true },
      ],
      object,
    );
    expect(message).toBe(
      'WebApp.demo.example.com "shop" is invalid: [spec.host: Duplicate value: "x": is taken, spec.image: Required value: name an image, spec.tls: Forbidden: not in this namespace]',
    );
    expect(causes?.map(({ reason }) => reason)).toEqual(["FieldValueDuplicate", "FieldValueRequired", "FieldValueForbidden"]);
  });

  it("puts problems without a field first", () => {
    const { message, causes } = refusalOf(WebApp, "shop", [{ field: "spec.host", message: "is taken" }, "no more shops today"], object);
    expect(message).toBe('WebApp.demo.example.com "shop" is invalid: no more shops today; spec.host: Invalid value: "x": is taken');
    expect(causes?.[0]).toEqual({ field: "", reason: "FieldValueInvalid", message: "no more shops today" });
  });
});

describe("valueAt", () => {
  it.each([
    ["spec.host", "x"],
    ["spec.ports[0].name", "web"],
    ["metadata.labels[app.kubernetes.io/name]", "shop"],
    ["spec.ports[7].name", undefined],
    ["spec.ports.name", undefined],
    ["spec.constructor", undefined],
  ])("reads %s", (field, value) => expect(valueAt(object, field)).toEqual(value));
});

describe("problemsOf", () => {
  it("accepts nothing, one problem and lists", () => {
    expect(problemsOf(undefined)).toEqual([]);
    expect(problemsOf([])).toEqual([]);
    expect(problemsOf("no")).toEqual(["no"]);
    expect(problemsOf({ field: "spec", message: "no" })).toEqual([{ field: "spec", message: "no" }]);
  });

  it.each([true, false, "", 1, {}, [{ field: "spec" }], [undefined]])("refuses %j, which could be meant as yes or no", (verdict) => {
    expect(() => problemsOf(verdict)).toThrow("validate must return nothing, a string, { field, message }");
  });
});
