/** Validation of `metadata.ownerReferences`. */
import { errorsOfEach } from "../field/errors-of-each.ts";
import { fieldInvalid } from "../field/field-error.ts";
import type { FieldError } from "../field/field-error.ts";
import { fieldChild } from "../field/field-path.ts";
import type { FieldPath } from "../field/field-path.ts";
import { printGoJson } from "../json/go-json.ts";
import { groupVersionKindFrom, printGroupVersionKind } from "../object/group-version.ts";
import type { OwnerReference } from "../object/object.ts";

/** A reference as received, possibly incomplete. */
type GivenReference = Readonly<Partial<OwnerReference>>;

/** Every reference is complete, none names an Event, and at most one is the controller. */
export function validateOwnerReferences(references: readonly GivenReference[] | undefined, path: FieldPath): FieldError[] {
  let controller = "";
  let shown: string | undefined;
  return errorsOfEach(references ?? [], (reference) => {
    const errors = validateOwnerReference(reference, path);
    if (reference.controller !== true) return errors;
    const name = `${reference.kind ?? ""}/${reference.name ?? ""}`;
    if (controller === "") {
      controller = name;
      return errors;
    }
    shown ??= `[${(references ?? []).map(printReference).join(",")}]`;
    return [...errors, secondController(references ?? [], shown, controller, name, path)];
  });
}

function validateOwnerReference(reference: GivenReference, path: FieldPath): FieldError[] {
  const { apiVersion = "", kind = "", name = "", uid = "" } = reference;
  const errors: FieldError[] = [];
  const identity = groupVersionKindFrom(apiVersion, kind);
  if (identity.version === "") errors.push(fieldInvalid(fieldChild(path, "apiVersion"), apiVersion, "version must not be empty"));
  if (kind === "") errors.push(fieldInvalid(fieldChild(path, "kind"), kind, "must not be empty"));
  if (name === "") errors.push(fieldInvalid(fieldChild(path, "name"), name, "must not be empty"));
  if (uid === "") errors.push(fieldInvalid(fieldChild(path, "uid"), uid, "must not be empty"));
  if (identity.group === "" && identity.version === "v1" && kind === "Event") {
    const detail = `${printGroupVersionKind(identity)} is disallowed from being an owner`;
    errors.push({ ...fieldInvalid(path, reference, detail), valueText: printReference(reference) });
  }
  return errors;
}

function secondController(
  references: readonly GivenReference[],
  shown: string,
  first: string,
  second: string,
  path: FieldPath,
): FieldError {
  const detail = `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${second}`;
  return { ...fieldInvalid(path, references, detail), valueText: shown };
}

// In the field order of the server's Go type; nil pointers are left out.
function printReference({ apiVersion = "", kind = "", name = "", uid = "", controller, blockOwnerDeletion }: GivenReference): string {
  const optional = Object.entries({ controller, blockOwnerDeletion }).filter(([, value]) => typeof value === "boolean");
  const members = [["apiVersion", apiVersion], ["kind", kind], ["name", name], ["uid", uid], ...optional] as const;
  return `{${members.map(([key, value]) => `"${key}":${printGoJson(value)}`).join(",")}}`;
}
