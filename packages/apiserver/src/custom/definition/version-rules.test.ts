import { describe, expect, it } from "vitest";
import { printFieldError } from "@drover/machinery";
import type { InternalVersion } from "./internal-spec.ts";
import { checkColumns, checkSchema, checkSubresources, checkVersion } from "./version-rules.ts";

const errorsOf = (version: Partial<InternalVersion>): string[] =>
  checkVersion({ name: "v1", served: true, storage: true, ...version }, "spec.versions[0]", false).map(printFieldError);

describe("checkVersion", () => {
  it("allows a deprecation warning of printable characters in a deprecated version", () => {
    expect(errorsOf({ deprecated: true, deprecationWarning: "use v2" })).toEqual([]);
    expect(errorsOf({ deprecationWarning: "use v2" })).toEqual([
      'spec.versions[0].deprecationWarning: Invalid value: "use v2": can only be set for deprecated versions',
    ]);
    expect(errorsOf({ deprecated: true, deprecationWarning: "" })[0]).toContain("must not be an empty string");
    expect(errorsOf({ deprecated: true, deprecationWarning: "é\u0007" })).toEqual([
      'spec.versions[0].deprecationWarning: Invalid value: "é\\u0007": must only contain printable UTF-8 characters; non-printable character found at index 2',
    ]);
    expect(errorsOf({ deprecated: true, deprecationWarning: "é".repeat(129) })[0]).toContain("must be <= 256 characters long");
  });

  it("requires a schema for selectable fields", () => {
    expect(errorsOf({ selectableFields: [{ jsonPath: ".a" }] })).toEqual([
      'spec.versions[0].selectableFields: Invalid value: "": may only be set when `version.schema.openAPIV3Schema` is not included',
    ]);
    expect(
      errorsOf({
        selectableFields: [{ jsonPath: ".a" }],
        schema: { openAPIV3Schema: { type: "object", properties: { a: { type: "string" } } } },
      }),
    ).toEqual([]);
  });
});

describe("parts of a definition's version", () => {
  it("require replicas paths below spec and status", () => {
    const scale = (specReplicasPath: string, statusReplicasPath: string, labelSelectorPath?: string): string[] =>
      checkSubresources(
        { scale: { specReplicasPath, statusReplicasPath, ...(labelSelectorPath === undefined ? {} : { labelSelectorPath }) } },
        "p",
      ).map(printFieldError);
    expect(checkSubresources(undefined, "p")).toEqual([]);
    expect(scale(".spec.a", ".status.a", ".spec.s")).toEqual([]);
    expect(scale("", "")).toEqual(["p.scale.specReplicasPath: Required value", "p.scale.statusReplicasPath: Required value"]);
    expect(scale("spec.a", ".spec.a", ".x")).toEqual([
      'p.scale.specReplicasPath: Invalid value: "spec.a": must be a simple json path starting with .',
      'p.scale.statusReplicasPath: Invalid value: ".spec.a": should be a json path under .status',
      'p.scale.labelSelectorPath: Invalid value: ".x": should be a json path under either .spec or .status',
    ]);
  });

  it("require columns with a name, a known type and a path", () => {
    expect(
      checkColumns(
        [
          { name: "", type: "x", format: "y", jsonPath: "z" },
          { name: "a", type: "", jsonPath: "" },
        ],
        "c",
      ).map(printFieldError),
    ).toEqual([
      "c[0].name: Required value",
      'c[0].type: Invalid value: "x": must be one of boolean,date,integer,number,string',
      'c[0].format: Invalid value: "y": must be one of byte,date,date-time,double,float,int32,int64,password',
      'c[0].JSONPath: Invalid value: "z": must be a simple json path starting with .',
      "c[1].type: Required value: must be one of boolean,date,integer,number,string",
      "c[1].JSONPath: Required value",
    ]);
  });

  it("require a structural schema, with fewer root keywords next to a status subresource", () => {
    expect(checkSchema({ openAPIV3Schema: { type: "object", properties: { a: {} } } }, "p", false).map(printFieldError)).toEqual([
      "p.openAPIV3Schema.properties[a].type: Required value: must not be empty for specified object fields",
    ]);
    expect(checkSchema({ openAPIV3Schema: { type: "object", enum: [{}] } }, "p", false)).toEqual([]);
    expect(checkSchema({ openAPIV3Schema: { type: "object", enum: [{}] } }, "p", true)).toHaveLength(1);
    expect(checkSchema({}, "p", true)).toEqual([]);
  });
});
