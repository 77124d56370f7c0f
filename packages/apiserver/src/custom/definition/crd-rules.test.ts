import { describe, expect, it } from "vitest";
import type { CustomResourceDefinition, CustomResourceDefinitionSpec } from "@drover/api/apiextensions/v1";
import { printFieldError } from "@drover/machinery";
import { checkDefinition, checkStatus } from "./crd-rules.ts";

function crd(spec: Partial<CustomResourceDefinitionSpec> = {}, rest: Partial<CustomResourceDefinition> = {}): CustomResourceDefinition {
  const group = spec.group ?? "ex.io";
  return {
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      names: { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" },
      scope: "Namespaced",
      conversion: { strategy: "None" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
      ...spec,
    },
    status: { storedVersions: ["v1"] },
    ...rest,
  };
}

const errorsOf = (object: CustomResourceDefinition, old?: CustomResourceDefinition): string[] =>
  checkDefinition(object, old).map(printFieldError);
const established = { storedVersions: ["v1"], conditions: [{ type: "Established", status: "True" }] };

describe("checkDefinition", () => {
  it("accepts a valid CustomResourceDefinition", () => {
    expect(errorsOf(crd())).toEqual([]);
  });

  it("requires the name plural.group", () => {
    expect(errorsOf(crd({}, { metadata: { name: "foo" } }))).toEqual([
      'metadata.name: Invalid value: "foo": must be spec.names.plural+"."+spec.group',
    ]);
  });

  it("requires a group with a dot and a scope", () => {
    expect(errorsOf(crd({ group: "ex", scope: "" }))).toEqual([
      'spec.group: Invalid value: "ex": should be a domain with at least one dot',
      "spec.scope: Required value",
    ]);
    expect(errorsOf(crd({ group: "", scope: "x" }))).toEqual([
      "spec.group: Required value",
      'spec.scope: Unsupported value: "x": supported values: "Cluster", "Namespaced"',
    ]);
    expect(errorsOf(crd({ group: "E.io" }))[0]).toContain("a lowercase RFC 1123 subdomain must consist of");
  });

  it("reports errors in shared parts at their hoisted path", () => {
    expect(
      errorsOf(
        crd({
          versions: [
            { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object", properties: { spec: {} } } } },
          ],
        }),
      ),
    ).toEqual(["spec.validation.openAPIV3Schema.properties[spec].type: Required value: must not be empty for specified object fields"]);
  });

  it("requires a schema per version and exactly one storage version", () => {
    expect(errorsOf(crd({ versions: [{ name: "v1", served: true, storage: true }] }))).toEqual([
      "spec.versions[0].schema.openAPIV3Schema: Required value",
    ]);
    expect(errorsOf(crd({ versions: [] }, { status: {} }))).toEqual([
      "spec.versions: Invalid value: []: must have exactly one version marked as storage version",
      "status.storedVersions: Invalid value: null: must have at least one stored version",
    ]);
  });

  it("keeps stored versions in spec.versions", () => {
    const [error] = errorsOf(crd({}, { status: { storedVersions: ["v1", "v0"] } }));
    expect(error).toBe(
      'status.storedVersions[1]: Invalid value: "v0": missing from spec.versions; v0 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v0 and removes v0 from status.storedVersions',
    );
  });

  it("refuses preserveUnknownFields, in particular with defaults or a webhook", () => {
    expect(errorsOf(crd({ preserveUnknownFields: true }))).toEqual([
      "spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead",
    ]);
    const schema = { openAPIV3Schema: { type: "object", properties: { a: { type: "string", default: "x" } } } };
    expect(
      errorsOf(
        crd({
          preserveUnknownFields: true,
          versions: [{ name: "v1", served: true, storage: true, schema }],
          conversion: { strategy: "Magic" },
        }),
      ).slice(0, 2),
    ).toEqual([
      "spec.preserveUnknownFields: Invalid value: true: must be false in order to use defaults in the schema",
      'spec.conversion.strategy: Invalid value: "Magic": must be None if spec.preserveUnknownFields is true',
    ]);
  });

  it("requires API approval in community groups, unless unchanged", () => {
    expect(errorsOf(crd({ group: "x.k8s.io" }))[0]).toMatch(
      /^metadata\.annotations\[api-approved\.kubernetes\.io\]: Required value: protected groups must have/,
    );
    expect(errorsOf(crd({ group: "x.k8s.io" }), crd({ group: "x.k8s.io" }))).toEqual([]);
    const annotated = crd(
      { group: "x.k8s.io" },
      { metadata: { name: "widgets.x.k8s.io", annotations: { "api-approved.kubernetes.io": "odd" } } },
    );
    expect(errorsOf(annotated, crd({ group: "x.k8s.io" }))[0]).toMatch(
      /^metadata\.annotations\[api-approved\.kubernetes\.io\]: Invalid value: "odd"/,
    );
  });

  it("keeps scope and kind of an established definition, and group and plural always", () => {
    const changed = crd({ scope: "Cluster", names: { plural: "ws", singular: "widget", kind: "W", listKind: "WidgetList" } });
    expect(errorsOf(changed, crd())).toEqual(['spec.names.plural: Invalid value: "ws": field is immutable']);
    expect(errorsOf(changed, crd({}, { status: established }))).toEqual([
      'spec.scope: Invalid value: "Cluster": field is immutable',
      'spec.names.kind: Invalid value: "W": field is immutable',
      'spec.names.plural: Invalid value: "ws": field is immutable',
    ]);
  });

  it("refuses an unreadable CA bundle in an established definition, unless it had one", () => {
    const conversion = {
      strategy: "Webhook",
      webhook: { clientConfig: { url: "https://h/", caBundle: "YWJj" }, conversionReviewVersions: ["v1"] },
    };
    expect(errorsOf(crd({ conversion }))).toEqual([]);
    expect(errorsOf(crd({ conversion }), crd({}, { status: established }))).toHaveLength(1);
    expect(errorsOf(crd({ conversion }), crd({ conversion }, { status: established }))).toEqual([]);
  });

  it("checkStatus validates accepted names", () => {
    expect(checkStatus(crd({}, { status: { acceptedNames: { plural: "W", kind: "" } } })).map(({ field }) => field)).toEqual([
      "status.acceptedNames.plural",
    ]);
    expect(checkStatus(crd())).toEqual([]);
  });
});
