/**
 * Validation of metadata, on create and on update.
 *
 *     verbs of the server → FieldError[] → 422 Invalid
 */
import { fieldForbidden, fieldInvalid, fieldRequired } from "../field/field-error.ts";
import type { FieldError } from "../field/field-error.ts";
import { fieldChild } from "../field/field-path.ts";
import type { FieldPath } from "../field/field-path.ts";
import { printGoJson } from "../json/go-json.ts";
import type { ObjectMeta } from "../object/object.ts";
import type { DeepReadonly } from "../json/readonly.ts";
import { canonicalTime, compareTimes } from "../values/time.ts";
import { validateAnnotations } from "./annotations.ts";
import { validateFinalizers, validateNoNewFinalizers } from "./finalizers.ts";
import { validateLabels } from "./label.ts";
import { validateManagedFields } from "./managed-fields.ts";
import { checkLabelName, checkPathSegmentName } from "./object-name.ts";
import type { NameCheck } from "./object-name.ts";
import { validateOwnerReferences } from "./owner-references.ts";

/** What {@link validateObjectMeta} needs to know about the kind. */
export interface ObjectMetaRules {
  /** Whether the kind is namespaced. */
  readonly namespaced: boolean;
  /**
   * Name rule of the kind.
   * @default checkPathSegmentName
   */
  readonly checkName?: NameCheck;
  /**
   * Path of the metadata.
   * @default "metadata"
   */
  readonly path?: FieldPath;
}

/** Validates the metadata of a new object. Expects a name that was already generated if requested. */
export function validateObjectMeta(
  meta: DeepReadonly<ObjectMeta>,
  { namespaced, checkName = checkPathSegmentName, path = "metadata" }: ObjectMetaRules,
): FieldError[] {
  const { name = "", generateName = "", namespace = "", generation = 0 } = meta;
  const errors: FieldError[] = [];
  const invalid = (child: string, value: unknown, problems: readonly string[]): void => {
    errors.push(...problems.map((problem) => fieldInvalid(fieldChild(path, child), value, problem)));
  };
  if (generateName !== "") invalid("generateName", generateName, checkName(generateName, { prefix: true }));
  if (name === "") errors.push(fieldRequired(fieldChild(path, "name"), "name or generateName is required"));
  else invalid("name", name, checkName(name));
  if (namespaced && namespace === "") errors.push(fieldRequired(fieldChild(path, "namespace")));
  else if (namespaced) invalid("namespace", namespace, checkLabelName(namespace));
  else if (namespace !== "") errors.push(fieldForbidden(fieldChild(path, "namespace"), "not allowed on this type"));
  if (generation < 0) invalid("generation", generation, ["must be greater than or equal to 0"]);
  return [
    ...errors,
    ...validateLabels(meta.labels, fieldChild(path, "labels")),
    ...validateAnnotations(meta.annotations, fieldChild(path, "annotations")),
    ...validateOwnerReferences(meta.ownerReferences, fieldChild(path, "ownerReferences")),
    ...validateFinalizers(meta.finalizers, fieldChild(path, "finalizers")),
    ...validateManagedFields(meta.managedFields, fieldChild(path, "managedFields")),
  ];
}

/** Validates a change of metadata. The server runs {@link validateObjectMeta} on the new metadata as well. Expects well-formed times. */
export function validateObjectMetaUpdate(
  meta: DeepReadonly<ObjectMeta>,
  old: DeepReadonly<ObjectMeta>,
  { path = "metadata" }: { readonly path?: FieldPath } = {},
): FieldError[] {
  const errors: FieldError[] = [];
  const { resourceVersion = "", generation = 0 } = meta;
  if (isPresent(old.deletionTimestamp))
    errors.push(...validateNoNewFinalizers(meta.finalizers, old.finalizers, fieldChild(path, "finalizers")));
  if (resourceVersion === "")
    errors.push(fieldInvalid(fieldChild(path, "resourceVersion"), resourceVersion, "must be specified for an update"));
  if (generation < (old.generation ?? 0)) errors.push(fieldInvalid(fieldChild(path, "generation"), generation, "must not be decremented"));
  return [
    ...errors,
    ...validateIdentity(meta, old, path),
    ...validateLabels(meta.labels, fieldChild(path, "labels")),
    ...validateAnnotations(meta.annotations, fieldChild(path, "annotations")),
    ...validateOwnerReferences(meta.ownerReferences, fieldChild(path, "ownerReferences")),
    ...validateManagedFields(meta.managedFields, fieldChild(path, "managedFields")),
  ];
}

// Fields that clients can never change. An empty text equals an absent one, as in the server.
function validateIdentity(meta: DeepReadonly<ObjectMeta>, old: DeepReadonly<ObjectMeta>, path: FieldPath): FieldError[] {
  const immutable = (child: string, value: unknown): FieldError => fieldInvalid(fieldChild(path, child), value, "field is immutable");
  const { name = "", namespace = "", uid = "", creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds: grace = null } = meta;
  const errors: FieldError[] = [];
  if (name !== (old.name ?? "")) errors.push(immutable("name", name));
  if (namespace !== (old.namespace ?? "")) errors.push(immutable("namespace", namespace));
  if (uid !== (old.uid ?? "")) errors.push({ ...immutable("uid", uid), valueText: printGoJson(uid) });
  if (!isSameTime(creationTimestamp, old.creationTimestamp))
    errors.push(immutable("creationTimestamp", canonicalTime(creationTimestamp ?? null)));
  if (!isSameTime(deletionTimestamp, old.deletionTimestamp))
    errors.push(immutable("deletionTimestamp", canonicalTime(deletionTimestamp ?? null)));
  if (grace !== (old.deletionGracePeriodSeconds ?? null)) errors.push(immutable("deletionGracePeriodSeconds", grace));
  return errors;
}

function isPresent(time: string | null | undefined): time is string {
  return time !== undefined && time !== null;
}

function isSameTime(a: string | null | undefined, b: string | null | undefined): boolean {
  return isPresent(a) && isPresent(b) ? a === b || compareTimes(a, b) === 0 : isPresent(a) === isPresent(b);
}
