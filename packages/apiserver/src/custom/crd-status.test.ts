import { describe, expect, it } from "vitest";
import type { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { deepCopy } from "@drover/machinery";
import { settleCrdStatus } from "./crd-status.ts";

const crd = (kind: string, group = "ex.io"): CustomResourceDefinition => ({
  metadata: { name: `${kind.toLowerCase()}s.${group}` },
  spec: {
    group,
    names: { plural: `${kind.toLowerCase()}s`, kind, singular: kind.toLowerCase(), listKind: `${kind}List` },
    scope: "Cluster",
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
  },
});
const reasons = ({ status }: CustomResourceDefinition): string[] =>
  (status?.conditions ?? []).map(({ type, status: is, reason }) => `${type} ${is} ${reason}`);

describe("settleCrdStatus", () => {
  it("establishes a definition and is idempotent", () => {
    const definition = crd("A", "a.k8s.io");
    settleCrdStatus(definition, [], 0);
    expect(reasons(definition)).toEqual([
      "NamesAccepted True NoConflicts",
      "Established True InitialNamesAccepted",
      "KubernetesAPIApprovalPolicyConformant False MissingAnnotation",
    ]);
    const before = deepCopy(definition);
    settleCrdStatus(definition, [definition], 60_000);
    expect(definition).toEqual(before);
  });

  it("accepts names once they become free", () => {
    const [first, second] = [crd("A"), { ...crd("B"), spec: { ...crd("B").spec, names: { ...crd("B").spec.names, kind: "A" } } }];
    settleCrdStatus(first, [], 0);
    settleCrdStatus(second, [first], 0);
    expect(reasons(second)).toEqual(["NamesAccepted False KindConflict", "Established False NotAccepted"]);
    settleCrdStatus(second, [], 1000);
    expect(reasons(second)).toEqual(["NamesAccepted True NoConflicts", "Established True InitialNamesAccepted"]);
  });

  it("sets NonStructuralSchema for a schema that is not structural", () => {
    const definition = crd("A");
    definition.spec.versions = [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: {} } }];
    settleCrdStatus(definition, [], 0);
    expect(definition.status?.conditions?.at(-1)).toMatchObject({
      type: "NonStructuralSchema",
      status: "True",
      reason: "Violations",
      message: "spec.versions[0].schema.openAPIV3Schema.type: Required value: must not be empty at the root",
    });
  });
});
