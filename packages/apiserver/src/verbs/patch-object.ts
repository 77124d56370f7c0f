/** PATCH of an object, or of a subresource that shows the same object. */
import { applyPatch, newConflict, newFailure, newNotFound, printGroupVersionKind } from "@drover/machinery";
import { DecodeError } from "../codec/codec.ts";
import type { FieldPath, JsonObject, ObjectMeta } from "@drover/machinery";
import { withApplyScope } from "../registry/converted-scope.ts";
import { metaOf } from "../registry/meta-of.ts";
import type { Resource } from "../registry/resource.ts";
import type { Answer } from "../negotiation/answer.ts";
import { readBody } from "../request/read-body.ts";
import { pauseFor } from "../request/pause.ts";
import type { Backend, RequestContext } from "../request/request-context.ts";
import { StatusError } from "../status-error.ts";
import { checkName, settleNamespace } from "./names.ts";
import { dropDuplicateOwners } from "./owner-references.ts";
import { applyDocument, patchTypeOf, readPatch, valueProblem } from "./patch-document.ts";
import { recordChange } from "./put-object.ts";
import { showingEmptyMaps } from "./sent-maps.ts";
import { updateObject } from "./update-pipeline.ts";
import { patchOptions } from "./write-options.ts";

export async function patchObject(backend: Backend, context: RequestContext): Promise<Answer> {
  const {
    info: { name, subresource },
    request,
    resource,
    warnings,
  } = context;
  const type = patchTypeOf(request.headers, resource.isCustom);
  const text = await readBody(request, backend.limits.bodyBytesMax);
  const options = patchOptions(context, type);
  context.audit?.requestPatch(text);
  const patch = readPatch(type, text, { fieldValidation: options.fieldValidation, warnings });
  const groupResource = { group: resource.kind.group, resource: resource.kind.plural };
  const emptyMaps = new Set<FieldPath>();
  const target = { codec: resource.codec, schema: resource.patchSchema, fieldValidation: options.fieldValidation, warnings, emptyMaps };
  const build = async (current: JsonObject | undefined): Promise<JsonObject> => {
    await pauseFor(context);
    if (patch.type === "apply") return settled(context, await applied(backend, context, current, patch.document, options));
    // Of the four patch types only apply creates a missing object, even for kinds that PUT creates.
    if (current === undefined) throw new StatusError(newNotFound(groupResource, name));
    const object = settled(context, applyDocument(current, patch, target));
    await pauseFor(context);
    return recordChange(backend, context, { object, current, subresource, manager: options.fieldManager });
  };
  const update = { name, subresource, options, build, forceCreate: type === "apply" };
  return await showingEmptyMaps(emptyMaps, () => updateObject(backend, context, update));
}

function settled(context: RequestContext, object: JsonObject): JsonObject {
  settleNamespace(context, object);
  checkName(context, object);
  dropDuplicateOwners(object, context.warnings, "patched");
  return object;
}

/**
 * Decodes the result of an apply, whose values have the types of the configuration and were not checked against the kind yet.
 * Throws a 500 for values that do not fit.
 */
function decodingMerged<T>({ kind }: Resource, { namespace = "", name = "" }: ObjectMeta, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const type = printGroupVersionKind(kind);
    throw new StatusError(
      newFailure(
        500,
        "",
        `failed to convert new object (${namespace}/${name}; ${type}) to proper version: unable to convert unstructured object to ${type}: ${valueProblem(error)}`,
      ),
    );
  }
}

async function applied(
  { scopes }: Backend,
  context: RequestContext,
  current: JsonObject | undefined,
  config: JsonObject,
  { fieldManager: manager, force }: ReturnType<typeof patchOptions>,
): Promise<JsonObject> {
  const { resource, info, now } = context;
  const merged = await withApplyScope(resource, info.subresource, scopes, (scope) =>
    decodingMerged(resource, metaOf(config), () => {
      const result = applyPatch({ scope, live: current, config, manager, force, now });
      if (result.kind === "refused") throw new StatusError(result.status);
      return result.object;
    }),
  );
  await pauseFor(context);
  const { object } = decodingMerged(resource, metaOf(config), () => resource.codec.decodeValue(merged, { keepsNulls: true }));
  const { managedFields, uid } = metaOf(merged);
  if (current === undefined && uid) {
    const { group, plural } = resource.kind;
    throw new StatusError(
      newConflict(
        { group, resource: plural },
        info.name,
        `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
      ),
    );
  }
  if (managedFields !== undefined) metaOf(object).managedFields = managedFields;
  return object;
}
