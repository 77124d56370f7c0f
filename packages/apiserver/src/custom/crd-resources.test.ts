import { describe, expect, it } from "vitest";
import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from "@drover/api/apiextensions/v1";
import { customResource, customResources, storageVersionOf } from "./crd-resources.ts";

const schema = {
  openAPIV3Schema: {
    type: "object",
    properties: { spec: { type: "object", properties: { color: { type: "string" }, n: { type: "integer" } } } },
  },
};
const version = (name: string, rest: Partial<CustomResourceDefinitionVersion> = {}): CustomResourceDefinitionVersion => ({
  name,
  served: true,
  storage: false,
  schema,
  ...rest,
});

function crd(...versions: CustomResourceDefinitionVersion[]): CustomResourceDefinition {
  const names = { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList", shortNames: ["wd"], categories: ["all"] };
  return {
    metadata: { name: "widgets.ex.io" },
    spec: { group: "ex.io", names: { ...names, shortNames: ["other"] }, scope: "Namespaced", versions },
    status: { acceptedNames: names },
  };
}

describe("customResources", () => {
  it("returns a resource per served version, with the accepted names", () => {
    const resources = customResources(crd(version("v1", { storage: true, served: false }), version("v2"), version("v3")));
    expect(resources.map(({ kind }) => kind.version)).toEqual(["v2", "v3"]);
    expect(resources[0]).toMatchObject({
      isCustom: true,
      storagePrefix: "/registry/ex.io/widgets/",
      storageVersion: "v1",
      emptyObject: { apiVersion: "ex.io/v2", kind: "Widget" },
      openApiSchema: schema.openAPIV3Schema,
      kind: {
        group: "ex.io",
        kind: "Widget",
        listKind: "WidgetList",
        plural: "widgets",
        singular: "widget",
        shortNames: ["wd"],
        categories: ["all"],
        scope: "Namespaced",
        subresources: {},
        verbs: ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"],
      },
      rules: {
        generation: "all",
        unconditionalUpdate: false,
        createOnUpdate: false,
        statusMetadata: "none",
        unknownFieldSelector: "label-not-supported",
      },
    });
  });

  it("gives each resource the subresources of its version", () => {
    const [resource] = customResources(
      crd(
        version("v1", {
          storage: true,
          subresources: {
            status: {},
            scale: { specReplicasPath: ".spec.n", statusReplicasPath: ".status.n", labelSelectorPath: ".status.sel.x" },
          },
        }),
      ),
    );
    expect(resource?.kind.subresources).toEqual({
      status: { group: "ex.io", version: "v1", kind: "Widget", verbs: ["get", "patch", "update"] },
      scale: { group: "autoscaling", version: "v1", kind: "Scale", verbs: ["get", "patch", "update"] },
    });
    expect(resource?.scale).toEqual({ specReplicas: ["spec", "n"], statusReplicas: ["status", "n"], selector: ["status", "sel", "x"] });
    expect(resource?.rules.generation).toBe("all-but-status");
  });

  it("reads selectable fields as strings", () => {
    const [resource] = customResources(
      crd(
        version("v1", {
          storage: true,
          selectableFields: [{ jsonPath: ".spec.color" }, { jsonPath: ".spec.n" }, { jsonPath: ".spec.a b" }],
        }),
      ),
    );
    const read = (path: string, spec: Parameters<typeof JSON.stringify>[0]): string | undefined =>
      resource?.selectableFields.get(path)?.({ spec: spec as string });
    expect([...(resource?.selectableFields.keys() ?? [])]).toEqual(["spec.color", "spec.n", "spec.a b"]);
    expect([
      read("spec.color", { color: "red" }),
      read("spec.n", { n: 3 }),
      read("spec.n", {}),
      read("spec.n", { n: null }),
      read("spec.a b", {}),
    ]).toEqual(["red", "3", "", "", ""]);
  });

  it("warns about a deprecated version and names the best alternative", () => {
    const warnings = (...versions: CustomResourceDefinitionVersion[]): (string | undefined)[] =>
      customResources(crd(...versions)).map(({ deprecation }) => deprecation);
    expect(
      warnings(
        version("v1", { storage: true }),
        version("v1beta1", { deprecated: true }),
        version("v2"),
        version("v3", { deprecated: true }),
      ),
    ).toEqual([undefined, "ex.io/v1beta1 Widget is deprecated; use ex.io/v2 Widget", undefined, "ex.io/v3 Widget is deprecated"]);
    expect(warnings(version("v1", { storage: true, deprecated: true, deprecationWarning: "go away" }))).toEqual(["go away"]);
  });

  it("converts only between versions with different schemas", () => {
    const other = version("v2", { schema: { openAPIV3Schema: { type: "object" } } });
    const [first, second, third] = customResources(crd(version("v1", { storage: true }), other, version("v3")));
    expect([first?.conversion, third?.conversion]).toEqual([undefined, undefined]);
    expect(second?.conversion?.fromStored({ apiVersion: "ex.io/v1", kind: "Widget", metadata: {}, spec: { color: "red" } })).toEqual({
      apiVersion: "ex.io/v2",
      kind: "Widget",
      metadata: {},
    });
  });

  it("customResource returns a version that is not served", () => {
    const definition = crd(version("v1", { storage: true, served: false }));
    expect(customResource(definition, storageVersionOf(definition)).kind.version).toBe("v1");
    expect(() => storageVersionOf(crd(version("v1")))).toThrow("widgets.ex.io has no storage version");
  });
});
