/** GET, PUT and PATCH of `scale`. */
import { fieldInvalid, fieldRequired, isJsonObject, newConflict, newInvalid } from "@drover/machinery";
import type { FieldError, JsonObject } from "@drover/machinery";
import { metaOf } from "../registry/meta-of.ts";
import type { Answer } from "../negotiation/answer.ts";
import { readBody } from "../request/read-body.ts";
import type { Backend, RequestContext } from "../request/request-context.ts";
import { StatusError } from "../status-error.ts";
import { customScalePrinter, scalePrinter } from "../table/scale-printer.ts";
import { getStored } from "./get-object.ts";
import { checkName, settleNamespace } from "./names.ts";
import { applyDocument, patchTypeOf, readPatch } from "./patch-document.ts";
import { readObject } from "./read-object.ts";
import { applyScale, recordScale, scaleKind, scaleOf, scaleSchema } from "./scale.ts";
import type { ScaleWrite } from "./scale.ts";
import { updateObject } from "./update-pipeline.ts";
import { WriteAdmission } from "./write-admission.ts";
import { patchOptions, updateOptions } from "./write-options.ts";
import type { CheckedWriteOptions } from "./write-options.ts";

export async function getScale(backend: Backend, context: RequestContext): Promise<Answer> {
  const stored = await getStored(backend, context);
  return scaleAnswer(context, backend.objects.views(context.resource).object(stored));
}

const scaleAnswer = ({ resource }: RequestContext, object: JsonObject): Answer => ({
  kind: "value",
  code: 200,
  value: scaleOf(resource, object),
  table: resource.isCustom ? customScalePrinter : scalePrinter,
});

/** kube-apiserver finds no name for the type when it wants to say what is wrong with the Scale of a custom object. */
const unknownScale = 'no kind is registered for the type v1.Scale in scheme "pkg/apiserver/customresource_handler.go:781"';

export async function putScale(backend: Backend, context: RequestContext): Promise<Answer> {
  const options = updateOptions(context);
  const scaled = await readObject(backend, context, options.fieldValidation, {
    codec: backend.bodyCodec(scaleKind),
    kind: scaleKind,
    ...(context.resource.isCustom ? { unreadable: unknownScale } : {}),
  });
  settleNamespace(context, scaled);
  checkName(context, scaled);
  const { uid = "" } = metaOf(scaled);
  return await changeScale(backend, context, { options, uid }, (write) => recordScale(write, scaled));
}

export async function patchScale(backend: Backend, context: RequestContext): Promise<Answer> {
  const { request, resource, warnings } = context;
  const type = patchTypeOf(request.headers, resource.isCustom);
  const text = await readBody(request, backend.limits.bodyBytesMax);
  const options = patchOptions(context, type);
  context.audit?.requestPatch(text);
  const patch = readPatch(type, text, { fieldValidation: options.fieldValidation, warnings });
  const target = { codec: backend.bodyCodec(scaleKind), schema: scaleSchema, fieldValidation: options.fieldValidation, warnings };
  return await changeScale(backend, context, { options, uid: "" }, (write) => {
    if (patch.type === "apply") return applyScale(write, patch.document, options.force);
    const scaled = applyDocument(scaleOf(resource, write.current, { isLenient: true }), patch, target);
    settleNamespace(context, scaled);
    checkName(context, scaled);
    return recordScale(write, scaled);
  });
}

interface ScaleChange {
  readonly options: CheckedWriteOptions;
  /** Precondition on the uid; "" accepts any. */
  readonly uid: string;
}

/** Updates the object behind a Scale and answers with the Scale. The Scale's resourceVersion is optional for every kind. */
async function changeScale(
  backend: Backend,
  context: RequestContext,
  { options, uid: meant }: ScaleChange,
  change: (write: ScaleWrite) => Promise<JsonObject>,
): Promise<Answer> {
  const {
    resource,
    info: { name },
    now,
  } = context;
  const codec = backend.bodyCodec(scaleKind);
  const admit: ScaleWrite["admit"] = async (object, old) => {
    const write = { operation: "UPDATE", subresource: "scale", name, object, old, dryRun: options.dryRun, codec } as const;
    await backend.admission.mutate(new WriteAdmission(context, write));
    checkScale(context, object);
  };
  const build = async (current: JsonObject | undefined): Promise<JsonObject> => {
    const live = current ?? {};
    const { resourceVersion = "", uid } = metaOf(live);
    const changed = await change({ resource, registry: backend.registry, current: live, manager: options.fieldManager, now, admit });
    const meta = metaOf(changed);
    meta.resourceVersion ||= resourceVersion;
    // The Scale of a custom object carries no uid, so the object keeps its own.
    if (resource.isCustom) {
      Object.assign(meta, uid === undefined ? {} : { uid });
      // The count may be the first field of its parent, whose other fields have defaults.
      return resource.codec.decodeValue(changed).object;
    }
    if (uid !== undefined && meta.uid !== uid) {
      throw new StatusError(
        newConflict(
          { group: resource.kind.group, resource: resource.kind.plural },
          name,
          `Precondition failed: UID in precondition: ${meta.uid ?? ""}, UID in object meta: ${uid}`,
        ),
      );
    }
    return changed;
  };
  const answer = await updateObject(backend, context, {
    name,
    subresource: "scale",
    options,
    build,
    shownAs: (object, old) => ({ object: scaleOf(resource, object), old: scaleOf(resource, old, { isLenient: true }), codec }),
    ...(meant === "" ? {} : { uid: meant }),
  });
  return answer.kind === "object" ? scaleAnswer(context, answer.body.object()) : answer;
}

function checkScale({ info, resource }: RequestContext, scaled: JsonObject): void {
  // Custom resources are validated as a whole by their own rules.
  if (resource.isCustom) return;
  const { name = "" } = metaOf(scaled);
  const errors: FieldError[] = name === "" ? [fieldRequired("metadata.name", "name or generateName is required")] : [];
  const { spec } = scaled;
  const replicas = isJsonObject(spec) ? spec["replicas"] : undefined;
  if (typeof replicas === "number" && replicas < 0)
    errors.push(fieldInvalid("spec.replicas", replicas, "must be greater than or equal to 0"));
  if (errors.length > 0) throw new StatusError(newInvalid(scaleKind, info.name, errors));
}
