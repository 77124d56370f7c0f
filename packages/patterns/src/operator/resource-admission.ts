/**
 * `default`, `validate` and converters of a defined resource as webhooks.
 *
 *     Resource → resourceWebhooks → AdmissionWebhook[];   Resource → resourceConversion → ConversionWebhook
 */
import type { AdmissionWebhook, ConversionWebhook } from "@drover/controller";
import type { Client } from "@drover/client";
import { definedOnly } from "@drover/machinery";
import type { Resource } from "../resource/resource.ts";
import { defaultHandler, validateHandler } from "./admission-answers.ts";
import { timeoutSecondsOf } from "./declared-admission.ts";

/**
 * An object that is being deleted may lose its finalizers even if it is invalid, and while the operator is down. A deletion has no new
 * object.
 */
const notBeingDeleted = {
  name: "not-being-deleted",
  expression: 'request.operation == "DELETE" || !has(object.metadata.deletionTimestamp)',
} as const;

/** Returns the webhooks of a resource: none without functions. Throws `MistakeError` for an invalid timeout. */
export function resourceWebhooks(resource: Resource, client: () => Client): readonly AdmissionWebhook[] {
  const { admission, group, version, kind, plural, scope, schema } = resource;
  if (admission === undefined) return [];
  const { default: fill, validate, options } = admission;
  const { failurePolicy, deletions = false } = options;
  const shared = {
    matchConditions: [notBeingDeleted],
    timeoutSeconds: timeoutSecondsOf(options, `webhook of ${kind}`),
    ...definedOnly({ failurePolicy }),
  };
  const rule = { apiGroups: [group], apiVersions: [version], resources: [plural], scope };
  return [
    ...(fill === undefined
      ? []
      : [
          {
            type: "mutating" as const,
            name: `default.${plural}.${group}`,
            path: `/default/${group}/${version}/${plural}`,
            rules: [{ operations: ["CREATE" as const, "UPDATE" as const], ...rule }],
            ...shared,
            handle: defaultHandler(fill, { where: `default of ${kind}`, schema, client }),
          },
        ]),
    ...(validate === undefined
      ? []
      : [
          {
            type: "validating" as const,
            name: `validate.${plural}.${group}`,
            path: `/validate/${group}/${version}/${plural}`,
            rules: [{ operations: ["CREATE" as const, "UPDATE" as const, ...(deletions ? ["DELETE" as const] : [])], ...rule }],
            ...shared,
            handle: validateHandler(validate, { where: `validate of ${kind}`, schema, client }),
          },
        ]),
  ];
}

/** Returns the converter of a resource whose versions are converted by code; undefined if the server converts them itself. */
export function resourceConversion(resource: Resource): ConversionWebhook | undefined {
  if (resource.needsConversion !== true) return undefined;
  return {
    group: resource.group,
    resource: resource.plural,
    kind: resource.kind,
    convert: (object, version) => resource.convert(object, version),
  };
}
