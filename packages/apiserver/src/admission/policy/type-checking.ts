/**
 * Checks the expressions of a ValidatingAdmissionPolicy against the schemas of the kinds that it matches, for its status. The
 * policy works the same, whatever the result: at run time objects have no schema.
 *
 *     ValidatingAdmissionPolicy, Registry → checkPolicyTypes → ExpressionWarning[]
 */
import type { ExpressionWarning, ValidatingAdmissionPolicy, Variable } from "@drover/api/admissionregistration/v1";
import { compareBytes, parseGroupVersion, printGroupVersionKind } from "@drover/machinery";
import type { DeepReadonly, Schema } from "@drover/machinery";
import { admissionEnvironment } from "../../cel/admission/admission-environment.ts";
import type { CelType } from "../../cel/check/cel-type.ts";
import { checkText } from "../../cel/rules/check-text.ts";
import { celType, schemaType } from "../../cel/schema/schema-type.ts";
import type { Registry } from "../../registry/registry.ts";
import type { Resource } from "../../registry/resource.ts";
import { compileVariables } from "./policy-parts.ts";

/** More kinds are not checked. */
const kindsMax = 10;

/** Returns a warning per expression that does not fit one of the kinds. */
export function checkPolicyTypes(
  policy: DeepReadonly<ValidatingAdmissionPolicy>,
  registry: Pick<Registry, "resources" | "find">,
): readonly ExpressionWarning[] {
  const { validations = [], variables = [] } = policy.spec ?? {};
  const params = paramsType(policy, registry);
  const kinds = kindsOf(policy, registry).flatMap((resource) => {
    const type = typeOf(resource);
    return type === undefined ? [] : [{ resource, type }];
  });
  const check = (expression: string, fieldRef: string): readonly ExpressionWarning[] => {
    const texts = kinds.flatMap(({ resource: { kind }, type }) => {
      const issues = issuesOf(expression, variables, type, params);
      return issues === undefined ? [] : [`${printGroupVersionKind(kind)}: ${issues}\n`];
    });
    return texts.length === 0 ? [] : [{ fieldRef, warning: texts.join("\n") }];
  };
  return validations.flatMap(({ expression, messageExpression = "" }, index) => [
    ...check(expression, `spec.validations[${index}].expression`),
    ...(messageExpression === "" ? [] : check(messageExpression, `spec.validations[${index}].messageExpression`)),
  ]);
}

/** The type of `params`; undefined without parameters. */
interface ParamsType {
  /** Undefined if the kind is not served. */
  readonly type: CelType | undefined;
}

function issuesOf(
  expression: string,
  variables: readonly DeepReadonly<Variable>[],
  objectType: CelType,
  params: ParamsType | undefined,
): string | undefined {
  const fields = new Map<string, CelType>();
  const environment = admissionEnvironment({
    hasParams: params !== undefined,
    hasAuthorizer: true,
    hasRequestResource: false,
    variables: fields,
    objectType,
    ...(params?.type === undefined ? {} : { paramsType: params.type }),
  });
  compileVariables(variables, environment, fields);
  const checked = checkText(expression, environment);
  return "issues" in checked ? checked.issues : undefined;
}

function paramsType({ spec }: DeepReadonly<ValidatingAdmissionPolicy>, { resources }: Pick<Registry, "resources">): ParamsType | undefined {
  const { paramKind } = spec ?? {};
  if (paramKind === undefined) return undefined;
  const { group, version } = parseGroupVersion(paramKind.apiVersion ?? "");
  const found = resources.find(({ kind }) => kind.kind === paramKind.kind && kind.group === group && kind.version === version);
  return { type: found === undefined ? undefined : typeOf(found) };
}

/** The type of a kind's objects; undefined if its schema does not say. */
function typeOf({ kind, patchSchema, openApiSchema }: Resource): CelType | undefined {
  const schema = openApiSchema ?? patchSchema;
  const type = schema === undefined ? undefined : schemaType(withoutCycles(schema, new Set()), true);
  return type === undefined ? undefined : celType(type, kind.kind);
}

/** Schemas such as JSONSchemaProps contain themselves; there the copy has an object without fields. */
function withoutCycles(schema: Schema, around: ReadonlySet<Schema>): Schema {
  const { properties, items, additionalProperties } = schema;
  if (properties === undefined && items === undefined && typeof additionalProperties !== "object") return schema;
  if (around.has(schema)) return { type: "object" };
  const inner = new Set(around).add(schema);
  return {
    ...schema,
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, withoutCycles(property, inner)])) }),
    ...(items === undefined ? {} : { items: withoutCycles(items, inner) }),
    ...(typeof additionalProperties === "object" ? { additionalProperties: withoutCycles(additionalProperties, inner) } : {}),
  };
}

/** The kinds that the rules name, sorted by group, version and kind. Rules with wildcards name none. */
function kindsOf({ spec }: DeepReadonly<ValidatingAdmissionPolicy>, registry: Pick<Registry, "find">): readonly Resource[] {
  const found = new Map<string, Resource>();
  for (const { apiGroups = [], apiVersions = [], resources = [] } of spec?.matchConstraints?.resourceRules ?? []) {
    if ([...apiGroups, ...apiVersions].some((name) => name.includes("*"))) continue;
    const plurals = resources.filter((name) => !/[*/]/.test(name));
    const asked = apiGroups
      .toSorted(compareBytes)
      .flatMap((group) =>
        apiVersions
          .toSorted(compareBytes)
          .flatMap((version) => plurals.toSorted(compareBytes).map((resource) => ({ group, version, resource }))),
      );
    const served = asked.flatMap((each) => registry.find(each) ?? []).slice(0, kindsMax);
    for (const resource of served) found.set(printGroupVersionKind(resource.kind), resource);
    if (served.length === kindsMax) break;
  }
  return [...found.values()].toSorted(
    ({ kind: a }, { kind: b }) => compareBytes(a.group, b.group) || compareBytes(a.version, b.version) || compareBytes(a.kind, b.kind),
  );
}
