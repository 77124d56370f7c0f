/** The status of a CustomResourceDefinition: accepted names, Established and other conditions. */
import type { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { checkStructural, fieldIndex, fieldInvalid, printFieldErrors } from "@drover/machinery";
import { hasCondition, removeCrdCondition, setCrdCondition } from "./crd-conditions.ts";
import type { CrdCondition } from "./crd-conditions.ts";
import { approvalOf } from "./definition/api-approval.ts";
import type { Approval } from "./definition/api-approval.ts";
import { caBundleProblem } from "../webhook/ca-bundle.ts";
import { acceptNames } from "./names-acceptance.ts";

/** Updates the status from the definition and the names of all definitions. Idempotent. */
export function settleCrdStatus(
  crd: CustomResourceDefinition,
  all: readonly CustomResourceDefinition[],
  now: number,
  structureOf: (crd: CustomResourceDefinition) => string = structureViolations,
): void {
  settleNames(crd, all, now);
  if (hasCondition(crd, "NamesAccepted") && !hasCondition(crd, "Established")) setCrdCondition(crd, establishment(crd), now);
  const approval = approvalOf(crd.spec.group, crd.metadata);
  if (approval !== undefined) setCrdCondition(crd, approvalCondition(approval), now);
  const violations = structureOf(crd);
  if (violations === "") removeCrdCondition(crd, "NonStructuralSchema");
  else setCrdCondition(crd, { type: "NonStructuralSchema", status: "True", reason: "Violations", message: violations }, now);
}

function settleNames(crd: CustomResourceDefinition, all: readonly CustomResourceDefinition[], now: number): void {
  const acceptance = acceptNames(crd, all);
  if (acceptance === undefined) return;
  crd.status = { ...crd.status, acceptedNames: acceptance.names };
  setCrdCondition(crd, acceptance.condition, now);
  // An established definition stays established, whatever names it asks for later.
  if (!hasCondition(crd, "Established") && acceptance.condition.status !== "True") {
    setCrdCondition(crd, { type: "Established", status: "False", reason: "NotAccepted", message: "not all names are accepted" }, now);
  }
}

function establishment({ spec: { conversion } }: CustomResourceDefinition): CrdCondition {
  if (caBundleProblem(conversion?.webhook?.clientConfig?.caBundle ?? "") !== undefined) {
    return { type: "Established", status: "False", reason: "InvalidCABundle", message: "The conversion webhook CABundle is invalid" };
  }
  return { type: "Established", status: "True", reason: "InitialNamesAccepted", message: "the initial names have been accepted" };
}

const approvalWords: Readonly<Record<Approval["state"], Pick<CrdCondition, "status" | "reason">>> = {
  invalid: { status: "False", reason: "InvalidAnnotation" },
  missing: { status: "False", reason: "MissingAnnotation" },
  approved: { status: "True", reason: "ApprovedAnnotation" },
  bypassed: { status: "False", reason: "UnapprovedAnnotation" },
};

const approvalCondition = ({ state, reason }: Approval): CrdCondition => ({
  type: "KubernetesAPIApprovalPolicyConformant",
  ...approvalWords[state],
  message: reason,
});

/** Validation refuses such schemas; only objects stored by an older server can have one. */
export function structureViolations({ spec }: CustomResourceDefinition): string {
  return printFieldErrors([
    ...(spec.preserveUnknownFields === true ? [fieldInvalid("spec.preserveUnknownFields", true, "must be false")] : []),
    ...spec.versions.flatMap(({ schema }, index) =>
      schema?.openAPIV3Schema === undefined
        ? []
        : checkStructural(schema.openAPIV3Schema, `${fieldIndex("spec.versions", index)}.schema.openAPIV3Schema`),
    ),
  ]);
}
