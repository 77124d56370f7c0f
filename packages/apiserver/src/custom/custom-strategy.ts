/** The strategy of custom resources: validates objects against the schema of their version. */
import type { CustomResourceSubresourceScale } from "@drover/api/apiextensions/v1";
import { apiVersionOf, fieldInvalid, validateEmbeddedResources, validateListTypes, validateValue } from "@drover/machinery";
import type { CompiledSchema, FieldError, GroupVersionKind, JsonObject } from "@drover/machinery";
import type { Strategy, UpdateStrategy } from "../registry/strategy.ts";
import { jsonOf } from "../typed-object.ts";
import { finalizerWarnings } from "./finalizer-warnings.ts";
import { ruleCheck } from "./rule-check.ts";
import type { RuleCheck } from "./rule-check.ts";
import { checkScaleSpec, checkScaleStatus } from "./scale-rules.ts";

export interface CustomStrategyOptions {
  /** Paths of the `scale` subresource. @default no `scale` */
  readonly scale?: CustomResourceSubresourceScale | undefined;
}

/** Returns the strategy of one version. Errors that existed before an update and did not change are tolerated (ratcheting). */
export function customStrategy(kind: GroupVersionKind, schema: CompiledSchema, { scale }: CustomStrategyOptions = {}): Strategy {
  const rules = ruleCheck(schema.schema);
  const checkWhole = (object: JsonObject, old: JsonObject | undefined): FieldError[] => {
    const errors = validateValue(object, schema, { old });
    if (scale !== undefined) errors.push(...checkScaleSpec(object, scale), ...checkScaleStatus(object, scale));
    if (schema.holdsEmbedded) errors.push(...validateEmbeddedResources(object, schema));
    if (schema.holdsKeyedLists) errors.push(...validateListTypes(object, schema, { old }));
    return rules.check(errors, object, old);
  };
  return {
    validateType: (object) => typeErrors(jsonOf(object), kind),
    validate: (object) => checkWhole(jsonOf(object), undefined),
    validateUpdate: (object, old) => checkWhole(jsonOf(object), jsonOf(old)),
    warningsOnCreate: ({ metadata }) => finalizerWarnings(metadata),
    warningsOnUpdate: (object, { metadata: before }) => [...rules.warnings(jsonOf(object)), ...finalizerWarnings(object.metadata, before)],
    subresources: { status: statusStrategy(schema, scale, rules) },
  };
}

/** An update of `status` validates only the status, against its part of the schema; embedded resources are not validated. */
function statusStrategy(schema: CompiledSchema, scale: CustomResourceSubresourceScale | undefined, rules: RuleCheck): UpdateStrategy {
  const statusSchema = schema.properties.get("status");
  const check = (object: JsonObject, old: JsonObject): FieldError[] => {
    const { status } = object;
    const errors =
      status === undefined || statusSchema === undefined ? [] : validateValue(status, statusSchema, { path: "status", old: old["status"] });
    if (scale !== undefined) errors.push(...checkScaleStatus(object, scale));
    if (schema.holdsKeyedLists) errors.push(...validateListTypes(object, schema, { old }));
    return rules.check(errors, object, old);
  };
  return {
    validateUpdate: (object, old) => check(jsonOf(object), jsonOf(old)),
    warningsOnUpdate: (object) => rules.warnings(jsonOf(object)),
  };
}

function typeErrors({ kind, apiVersion }: JsonObject, wanted: GroupVersionKind): FieldError[] {
  const wantedVersion = apiVersionOf(wanted);
  return [
    ...(kind === wanted.kind ? [] : [fieldInvalid("kind", kind, `must be ${wanted.kind}`)]),
    ...(apiVersion === wantedVersion ? [] : [fieldInvalid("apiVersion", apiVersion, `must be ${wantedVersion}`)]),
  ];
}
