/** ValidatingAdmissionPolicyBinding and MutatingAdmissionPolicyBinding: policy and parameters. */
import type { MutatingAdmissionPolicyBinding, ParamRef, ValidatingAdmissionPolicyBinding } from "@drover/api/admissionregistration/v1";
import { compareBytes } from "@drover/machinery";
import type { LabelSelector } from "@drover/machinery";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf } from "../age.ts";
import { ageColumn, column, nameColumn } from "../columns.ts";
import { printer } from "../printer.ts";

export const admissionPolicyBindingPrinter: TablePrinter = printer<ValidatingAdmissionPolicyBinding | MutatingAdmissionPolicyBinding>(
  [nameColumn, column("PolicyName", "The policy that is bound."), column("ParamRef", "The parameters it is bound with."), ageColumn],
  ({ metadata: { name = "", creationTimestamp }, spec }, now) => [
    name,
    spec?.policyName ?? "",
    paramRefText(spec?.paramRef),
    ageOf(creationTimestamp, now),
  ],
);

/** A name without a namespace refers to any namespace. */
function paramRefText({ name = "", namespace = "", selector }: ParamRef = {}): string {
  if (name !== "") return `${namespace || "*"}/${name}`;
  return selector === undefined ? "<unset>" : goTextOf(selector);
}

/** kube-apiserver prints its Go struct here, in the generated String form. */
function goTextOf({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string {
  const labels = Object.entries(matchLabels)
    .toSorted(([a], [b]) => compareBytes(a, b))
    .map(([key, value]) => `${key}: ${value},`);
  const expressions = matchExpressions.map(
    ({ key, operator, values = [] }) => `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(" ")}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join("")}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join("")}},}`;
}
