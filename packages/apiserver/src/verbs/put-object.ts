/** PUT of an object, or of a subresource that shows the same object. */
import { recordUpdate } from "@drover/machinery";
import type { FieldPath, JsonObject } from "@drover/machinery";
import { deepCopy } from "@drover/machinery";
import { withApplyScope } from "../registry/converted-scope.ts";
import { metaOf } from "../registry/meta-of.ts";
import type { Answer } from "../negotiation/answer.ts";
import type { Backend, RequestContext } from "../request/request-context.ts";
import { checkName, settleNamespace } from "./names.ts";
import { dropDuplicateOwners } from "./owner-references.ts";
import { recordCreate } from "./prepare-create.ts";
import { readObject } from "./read-object.ts";
import { showingEmptyMaps } from "./sent-maps.ts";
import { updateObject } from "./update-pipeline.ts";
import { updateOptions } from "./write-options.ts";

export async function putObject(backend: Backend, context: RequestContext): Promise<Answer> {
  const { info, warnings } = context;
  const options = updateOptions(context);
  const emptyMaps = new Set<FieldPath>();
  const sent = await readObject(backend, context, options.fieldValidation, { emptyMaps });
  settleNamespace(context, sent);
  checkName(context, sent);
  dropDuplicateOwners(sent, warnings);
  const { uid = "" } = metaOf(sent);
  const build = (current: JsonObject | undefined): JsonObject | Promise<JsonObject> => {
    const object = deepCopy(sent);
    if (current === undefined) return recordCreate(backend, context, object, options.fieldManager);
    return recordChange(backend, context, { object, current, subresource: info.subresource, manager: options.fieldManager });
  };
  const update = { name: info.name, subresource: info.subresource, options, build, ...(uid === "" ? {} : { uid }) };
  return await (emptyMaps.size === 0
    ? updateObject(backend, context, update)
    : showingEmptyMaps(emptyMaps, () => updateObject(backend, context, update)));
}

export interface RecordedChange {
  readonly object: JsonObject;
  readonly current: JsonObject;
  readonly subresource: string;
  readonly manager: string;
}

/** Records which manager changed which fields. */
export function recordChange(
  { scopes, runtime }: Backend,
  { resource, now }: Pick<RequestContext, "resource" | "now">,
  { object, current, subresource, manager }: RecordedChange,
): JsonObject | Promise<JsonObject> {
  return withApplyScope(resource, subresource, scopes, (scope) => {
    const { object: recorded, problem } = recordUpdate({ scope, live: current, object, manager, now });
    if (problem !== undefined) runtime.log.warn("managed fields are not recorded", { kind: resource.kind.kind, problem });
    return recorded;
  });
}
