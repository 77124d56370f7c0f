/** ValidatingAdmissionPolicy and MutatingAdmissionPolicy: numbers of validations or mutations. */
import type { MutatingAdmissionPolicy, ParamKind, ValidatingAdmissionPolicy } from "@drover/api/admissionregistration/v1";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf } from "../age.ts";
import { ageColumn, column, nameColumn } from "../columns.ts";
import { printer } from "../printer.ts";

export const validatingAdmissionPolicyPrinter: TablePrinter = printer<ValidatingAdmissionPolicy>(
  [
    nameColumn,
    column("Validations", "The number of validations.", { type: "integer" }),
    column("ParamKind", "The kind of the parameters."),
    ageColumn,
  ],
  ({ metadata: { name = "", creationTimestamp }, spec }, now) => [
    name,
    (spec?.validations ?? []).length,
    paramKindText(spec?.paramKind),
    ageOf(creationTimestamp, now),
  ],
);

export const mutatingAdmissionPolicyPrinter: TablePrinter = printer<MutatingAdmissionPolicy>(
  [
    nameColumn,
    column("Mutations", "The number of mutations.", { type: "integer" }),
    column("ParamKind", "The kind of the parameters."),
    ageColumn,
  ],
  ({ metadata: { name = "", creationTimestamp }, spec }, now) => [
    name,
    (spec?.mutations ?? []).length,
    paramKindText(spec?.paramKind),
    ageOf(creationTimestamp, now),
  ],
);

const paramKindText = (paramKind: ParamKind | undefined): string =>
  paramKind === undefined ? "<unset>" : `${paramKind.apiVersion ?? ""}/${paramKind.kind ?? ""}`;
