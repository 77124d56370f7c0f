/** DELETE of one object. */
import { isJsonObject, newNotFound } from "@drover/machinery";
import type { DeleteOptions, JsonObject } from "@drover/machinery";
import { metaOf } from "../registry/meta-of.ts";
import { keyOf } from "../registry/object-store.ts";
import type { Resource } from "../registry/resource.ts";
import type { Answer } from "../negotiation/answer.ts";
import type { Backend, RequestContext } from "../request/request-context.ts";
import { StatusError } from "../status-error.ts";
import type { Revision, Stored } from "../storage/store.ts";
import { deletionStep } from "./deletion-state.ts";
import type { DeletionStep } from "./deletion-state.ts";
import { readDeleteOptions } from "./delete-options.ts";
import { namespaceOf } from "./names.ts";
import { unstoredAnswer } from "./object-answer.ts";
import { asKubeObject } from "./validation.ts";
import { WriteAdmission } from "./write-admission.ts";

/** The result of a deletion: the object is gone, or it is terminating. */
export interface Deletion {
  readonly object: JsonObject;
  readonly isGone: boolean;
}

export interface DeletionSight {
  /** Whether admission plug-ins see the deletion; kube-apiserver hides that of an eviction, and of a deleted definition. @default true */
  readonly isAdmitted?: boolean;
  /** The name that admission plug-ins see; kube-apiserver shows none for the objects of a collection. @default that of the object */
  readonly shownName?: string;
}

export async function deleteObject(backend: Backend, context: RequestContext): Promise<Answer> {
  const { info, resource } = context;
  const options = await readDeleteOptions(backend, context);
  const deletion = await deleteNamed(backend, context, info.name, options);
  if (deletion === undefined) throw new StatusError(newNotFound({ group: resource.kind.group, resource: resource.kind.plural }, info.name));
  const code = !deletion.isGone && options.orphanDependents === false ? 202 : 200;
  return deletionAnswer(resource, deletion, code);
}

/** Answers with the object or with a Status, whichever the kind returns. */
function deletionAnswer(resource: Resource, { object, isGone }: Deletion, code: number): Answer {
  if (!isGone || resource.rules.returnsDeleted) return unstoredAnswer(resource, code, object);
  const {
    kind: { group, plural },
  } = resource;
  const { name = "", uid = "" } = metaOf(object);
  const details = { name, ...(group === "" ? {} : { group }), kind: plural, uid };
  return { kind: "value", code, value: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details } };
}

/** Deletes an object of the request's resource and namespace; undefined when it does not exist. Throws a `StatusError`. */
export async function deleteNamed(
  backend: Backend,
  context: RequestContext,
  name: string,
  options: DeleteOptions,
  { isAdmitted = true, shownName = name }: DeletionSight = {},
): Promise<Deletion | undefined> {
  const { resource, user, now, warnings } = context;
  const dryRun = (options.dryRun ?? []).length > 0;
  const key = keyOf(resource, namespaceOf(context), name);
  for (;;) {
    const current = await backend.objects.get(resource, key);
    if (current === undefined) return undefined;
    const { stored, object: old } = current;
    for (const warning of resource.strategy.warningsOnDelete?.(asKubeObject(old), options) ?? []) warnings.add(warning);
    const step = deletionStep(resource, old, options, { now, user, dryRun });
    if (step.kind !== "keep" && isAdmitted) {
      const write = {
        operation: "DELETE",
        subresource: "",
        name: shownName,
        object: undefined,
        old,
        dryRun,
        deleteOptions: options,
      } as const;
      const request = new WriteAdmission(context, write);
      await backend.admission.mutate(request);
      await backend.admission.validate(request);
    }
    const deletion = await carryOut(backend, context, { key, stored, step, dryRun });
    if (deletion !== undefined) return deletion;
  }
}

interface Work {
  readonly key: string;
  readonly stored: Stored;
  readonly step: DeletionStep;
  readonly dryRun: boolean;
}

/** Carries out the step; undefined when another write came first. */
async function carryOut(
  backend: Backend,
  { resource, request: { pause } }: RequestContext,
  { key, stored, step: { kind, object }, dryRun }: Work,
): Promise<Deletion | undefined> {
  const { objects } = backend;
  if (kind === "keep") return { object, isGone: false };
  if (dryRun) return { object, isGone: kind !== "mark" };
  let revision = stored.modRevision;
  if (kind !== "remove") {
    const marked = await objects.put(resource, key, object, { expected: revision });
    if (marked === undefined) return undefined;
    revision = marked.modRevision;
    if (kind === "mark") {
      await resource.afterWrite?.(pause);
      return { object: atRevision(object, revision), isGone: false };
    }
  }
  const deleted = await objects.delete(key, revision);
  if (deleted === undefined) return undefined;
  const gone = atRevision(object, deleted);
  await resource.strategy.afterDelete?.(asKubeObject(gone));
  await resource.afterWrite?.(pause);
  return { object: gone, isGone: true };
}

const atRevision = (object: JsonObject, revision: Revision): JsonObject => ({
  ...object,
  metadata: { ...(isJsonObject(object["metadata"]) ? object["metadata"] : {}), resourceVersion: String(revision) },
});
