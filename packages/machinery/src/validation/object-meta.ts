/**
 * The rules every object's metadata obeys, when it is created and when it changes.
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

/** What {@link validateObjectMeta} has to know about the kind. */
export interface ObjectMetaRules {
  /** Whether objects of the kind live in namespaces. */
  readonly namespaced: boolean;
  /**
   * What a name of this kind may be.
   * @default checkPathSegmentName
   */
  readonly checkName?: NameCheck;
  /**
   * Where the metadata stands.
   * @default "metadata"
   */
  readonly path?: FieldPath;
}

/** What is wrong with the metadata of a new object. Expects that a name was already generated where one was asked for. */
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

/**
 * What is wrong with a change of metadata. The server asks {@link validateObjectMeta} about the new metadata as well.
 * Expects well-formed times.
 */
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

// What a client can never change. An empty text and none are the same to the server.
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
