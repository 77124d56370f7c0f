/**
 * Defines a custom resource as one value: type, schema, CRD and parser.
 *
 *     defineResource({ group, version, kind, spec: z.object({ … }) }) → Resource, which is a Kind
 */
import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from "@drover/api/apiextensions/v1";
import { checkOptions, definedOnly, guessResource } from "@drover/machinery";
import type { Kind, KubeObject, OptionNames, Schema, Scope, Subresource, Verb } from "@drover/machinery";
import { withCode } from "@drover/machinery/codes";
import type { Default, ResourceAdmission, ResourceWebhookOptions, Validate } from "../admission/admission-declaration.ts";
import { referencesIn } from "../schema/reference.ts";
import type { ZodOutput, ZodSchema } from "../schema/zod-schema.ts";
import { objectParser } from "./parse-object.ts";
import { printerColumns } from "./printer-columns.ts";
import { resourceSchema } from "./resource-schema.ts";
import { convertObject } from "./resource-versions.ts";
import type { ResourceVersions } from "./resource-versions.ts";
import type {
  DefinitionOptions,
  OlderVersion,
  Resource,
  ResourceDefinition,
  ResourceObject,
  ScaleDefinition,
  StatusBasics,
} from "./resource.ts";

/** The status type if none is defined. */
export type NoStatus = ZodSchema<StatusBasics>;

const definitionNames = {
  group: true,
  version: true,
  kind: true,
  plural: true,
  singular: true,
  shortNames: true,
  categories: true,
  scope: true,
  spec: true,
  status: true,
  rules: true,
  columns: true,
  scale: true,
  selectableFields: true,
  olderVersions: true,
  description: true,
  default: true,
  validate: true,
  webhook: true,
} satisfies OptionNames<ResourceDefinition<ZodSchema, ZodSchema, Scope, ScaleDefinition | undefined>>;

/**
 * Defines a resource. Throws `UnsayableSchemaError` for schemas that the server cannot check, and `TypeError` for
 * invalid names and paths.
 */
export function defineResource<
  Spec extends ZodSchema,
  Status extends ZodSchema = NoStatus,
  S extends Scope = "Namespaced",
  Scaled extends ScaleDefinition | undefined = undefined,
>(
  definition: ResourceDefinition<Spec, Status, S, Scaled>,
): Resource<ResourceObject<ZodOutput<Spec>, ZodOutput<Status>>, S, SubresourcesOf<Scaled>> {
  checkOptions("defineResource", definition, definitionNames);
  const { group, version, kind, spec, status, rules = [], description, olderVersions = {}, scope = "Namespaced" as S } = definition;
  checkNames(definition);
  const schema = resourceSchema({ name: `${kind} in ${group}/${version}`, spec, status, rules, description });
  const columns = printerColumns(definition.columns ?? {}, schema);
  const parse = objectParser({ apiVersion: `${group}/${version}`, kind, schema, spec, status });
  const versions: ResourceVersions = { kind, group, version, older: olderVersions };
  const names = namesOf(definition);
  const present: CustomResourceDefinitionVersion = {
    ...versionDefinition(version, schema, definition),
    storage: true,
    additionalPrinterColumns: columns,
  };
  const older = Object.entries(olderVersions).map(([name, old]) => olderDefinition(name, old, definition));
  return {
    ...descriptor<ResourceObject<ZodOutput<Spec>, ZodOutput<Status>>, S, SubresourcesOf<Scaled>>(definition, names, scope),
    schema,
    references: referencesIn(spec, [{ field: "spec" }]),
    parse: parse as (object: unknown) => ResourceObject<ZodOutput<Spec>, ZodOutput<Status>>,
    convert: (object, target) => convertObject(object, target, versions),
    ...(convertedVersions(definition).length === 0 ? {} : { needsConversion: true }),
    ...admissionOf(definition),
    definition: (options = {}) => ({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: `${names.plural}.${group}` },
      spec: { group, scope, names, versions: [present, ...older], ...conversion(definition, options) },
    }),
  };
}

const verbs: readonly Verb[] = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];

/** Subresources: always status, and scale if defined. */
export type SubresourcesOf<Scaled> = Scaled extends ScaleDefinition ? "status" | "scale" : "status";

function descriptor<T extends KubeObject, S extends Scope, Sub extends string>(
  { group, version, kind, scale }: Named,
  names: Names,
  scope: S,
): Kind<T, S, Sub> {
  const status: Subresource = { group, version, kind, verbs: ["get", "patch", "update"] };
  const scaled: Subresource = { group: "autoscaling", version: "v1", kind: "Scale", verbs: ["get", "patch", "update"] };
  const subresources: Readonly<Record<string, Subresource>> = scale === undefined ? { status } : { status, scale: scaled };
  return {
    group,
    version,
    kind,
    listKind: names.listKind,
    plural: names.plural,
    singular: names.singular,
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    scope,
    verbs,
    subresources,
  };
}

type Named = Pick<
  ResourceDefinition<ZodSchema, ZodSchema, Scope, ScaleDefinition | undefined>,
  "group" | "version" | "kind" | "plural" | "singular" | "shortNames" | "categories" | "scale" | "selectableFields" | "olderVersions"
>;

interface Names {
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly shortNames?: string[];
  readonly categories?: string[];
}

function namesOf({ kind, plural, singular, shortNames = [], categories = [] }: Named): Names {
  const guessed = guessResource(kind);
  return {
    plural: plural ?? guessed.plural,
    singular: singular ?? guessed.singular,
    kind,
    listKind: `${kind}List`,
    ...(shortNames.length === 0 ? {} : { shortNames: [...shortNames] }),
    ...(categories.length === 0 ? {} : { categories: [...categories] }),
  };
}

function versionDefinition(name: string, schema: Schema, { scale, selectableFields = [] }: Named): CustomResourceDefinitionVersion {
  return {
    name,
    served: true,
    storage: false,
    schema: { openAPIV3Schema: schema as NonNullable<NonNullable<CustomResourceDefinitionVersion["schema"]>["openAPIV3Schema"]> },
    subresources: { status: {}, ...(scale === undefined ? {} : { scale: scalePaths(scale) }) },
    ...(selectableFields.length === 0 ? {} : { selectableFields: selectableFields.map((jsonPath) => ({ jsonPath })) }),
  };
}

function olderDefinition(
  name: string,
  { spec, status, served = true, deprecated }: OlderVersion,
  definition: Named,
): CustomResourceDefinitionVersion {
  const { group, kind } = definition;
  const schema = resourceSchema({ name: `${kind} in ${group}/${name}`, spec, status, rules: [], description: undefined });
  return {
    ...versionDefinition(name, schema, definition),
    served,
    ...(deprecated === undefined ? {} : { deprecated: true, deprecationWarning: deprecated }),
  };
}

function scalePaths({ replicas, readyReplicas, selector }: ScaleDefinition): {
  specReplicasPath: string;
  statusReplicasPath: string;
  labelSelectorPath?: string;
} {
  return definedOnly({ specReplicasPath: replicas, statusReplicasPath: readyReplicas, labelSelectorPath: selector });
}

/** Versions with converters need a conversion webhook; the server by itself only changes apiVersion. */
function conversion(
  { kind, olderVersions = {} }: Named,
  { conversionWebhook }: DefinitionOptions,
): Pick<CustomResourceDefinition["spec"], "conversion"> {
  const [first] = convertedVersions({ olderVersions });
  if (first === undefined) return {};
  if (conversionWebhook === undefined) {
    throw new TypeError(
      `${kind}: version ${first} is converted by code, so the definition needs a webhook: definition({ conversionWebhook: { service: { namespace, name, path: "/convert" } } }); or stop serving it: olderVersions.${first}.served: false`,
    );
  }
  return { conversion: { strategy: "Webhook", webhook: { clientConfig: conversionWebhook, conversionReviewVersions: ["v1"] } } };
}

/** Served versions that only code can convert. */
const convertedVersions = ({ olderVersions = {} }: Pick<Named, "olderVersions">): readonly string[] =>
  Object.entries(olderVersions).flatMap(([name, { served = true, up, down }]) => (served && (up ?? down) !== undefined ? [name] : []));

/** Erases the types: only the author of the functions needs them. Refuses an async `default` at once. */
function admissionOf({
  kind,
  default: fill,
  validate,
  webhook,
}: {
  readonly kind: string;
  readonly default?: unknown;
  readonly validate?: unknown;
  readonly webhook?: ResourceWebhookOptions | undefined;
}): { readonly admission?: ResourceAdmission } {
  if (fill === undefined && validate === undefined) {
    if (webhook === undefined) return {};
    throw new TypeError(`${kind}: webhook has no effect without default or validate; remove it`);
  }
  if (typeof fill === "function" && fill.constructor.name === "AsyncFunction")
    throw new TypeError(
      `${kind}: default is async, but must be a pure function of the object; reads of other objects belong into app.admit(${kind}, { mutate })`,
    );
  return {
    admission: {
      ...definedOnly({ default: fill as Default | undefined, validate: validate as Validate | undefined }),
      options: webhook ?? {},
    },
  };
}

function checkNames({ group, version, kind, olderVersions = {} }: Named): void {
  if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$/.test(group))
    throw invalidName(`group: "${group}" must be your domain, such as "demo.example.com"`);
  for (const name of [version, ...Object.keys(olderVersions)]) {
    if (!/^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$/.test(name))
      throw invalidName(`version: "${name}" must look like "v1", "v1beta1" or "v2alpha3"`);
  }
  if (!/^[A-Z][A-Za-z0-9]*$/.test(kind)) throw invalidName(`kind: "${kind}" must be one word in CamelCase, such as "WebApp"`);
  if (Object.hasOwn(olderVersions, version))
    throw new TypeError(`olderVersions.${version}: this is the current version; its schema is "spec" and "status"`);
}

const invalidName = (text: string): TypeError => new TypeError(withCode(text, "DRV0102"));
