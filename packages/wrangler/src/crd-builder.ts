/**
 * Wrangler's CRD builder. For new programs use `defineResource`, which creates type, schema and definition from one
 * value.
 *
 *     crd.namespacedType("GitJob.gitjob.cattle.io/v1").withStatus().withColumn("Repo", ".spec.repo").toCustomResourceDefinition()
 */
import type { CustomResourceColumnDefinition, CustomResourceDefinition, JSONSchemaProps } from "@drover/api/apiextensions/v1";
import { deepCopy, definedOnly } from "@drover/machinery";
import type { DeepReadonly, Schema, Scope } from "@drover/machinery";
import { guessPluralName } from "./guess-plural-name.ts";

/** Fields that `kubectl scale` and autoscalers use. */
export interface ScalePaths {
  /** @default ".spec.replicas" */
  readonly specReplicasPath?: string;
  /** @default ".status.replicas" */
  readonly statusReplicasPath?: string;
  /** Status field with the label selector as a string. @default none */
  readonly labelSelectorPath?: string;
}

interface CrdParts {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly scope: Scope;
  readonly plural: string;
  readonly singular: string;
  readonly schema?: Schema;
  readonly columns: readonly CustomResourceColumnDefinition[];
  readonly status: boolean;
  readonly scale?: ScalePaths;
  readonly categories: readonly string[];
  readonly shortNames: readonly string[];
  readonly override?: DeepReadonly<CustomResourceDefinition>;
}

/** Immutable: every `with…` returns a new builder. */
export interface CRD {
  /** Sets the schema of the whole object. @see defineResource for schemas from zod */
  withSchema(schema: Schema): CRD;
  /** Adds a string column with a heading and a path. */
  withColumn(name: string, jsonPath: string): CRD;
  withCustomColumn(...columns: readonly CustomResourceColumnDefinition[]): CRD;
  withStatus(): CRD;
  withScale(paths?: ScalePaths): CRD;
  withCategories(...categories: readonly string[]): CRD;
  withShortNames(...shortNames: readonly string[]): CRD;
  withGroup(group: string): CRD;
  /** @default guessed like Wrangler: "gitjobs" */
  withPlural(plural: string): CRD;
  /** Uses this definition and ignores all other options. */
  override(definition: DeepReadonly<CustomResourceDefinition>): CRD;
  /** Builds the definition. Throws `TypeError` for a path that does not start with a dot. */
  toCustomResourceDefinition(): CustomResourceDefinition;
}

/** Builder for a namespaced kind such as "GitJob.gitjob.cattle.io/v1". Throws `TypeError` for another format. */
function namespacedType(name: string): CRD {
  return fromName(name, "Namespaced");
}

/** Same as `namespacedType`, for a cluster-scoped kind. */
function nonNamespacedType(name: string): CRD {
  return fromName(name, "Cluster");
}

/** Builder from group, version and kind. @param scope - "Namespaced" by default */
function fromGV({ group, version }: { readonly group: string; readonly version: string }, kind: string, scope: Scope = "Namespaced"): CRD {
  return builder({
    group,
    version,
    kind,
    scope,
    plural: guessPluralName(kind).toLowerCase(),
    singular: kind.toLowerCase(),
    columns: [],
    status: false,
    categories: [],
    shortNames: [],
  });
}

function fromName(name: string, scope: Scope): CRD {
  const [, kind, group, version] = /^([A-Za-z][A-Za-z0-9]*)\.([^/]+)\/([a-z0-9]+)$/.exec(name) ?? [];
  if (kind === undefined || group === undefined || version === undefined)
    throw new TypeError(`crd: "${name}" is not a valid kind; write it as "GitJob.gitjob.cattle.io/v1"`);
  return fromGV({ group, version }, kind, scope);
}

function builder(parts: CrdParts): CRD {
  const changed = (more: Partial<CrdParts>): CRD => builder({ ...parts, ...more });
  const withCustomColumn: CRD["withCustomColumn"] = (...columns) => changed({ columns: [...parts.columns, ...columns] });
  return {
    withCustomColumn,
    withSchema: (schema) => changed({ schema }),
    withColumn: (name, jsonPath) => withCustomColumn({ name, type: "string", jsonPath }),
    withStatus: () => changed({ status: true }),
    withScale: (scale = {}) => changed({ scale }),
    withCategories: (...categories) => changed({ categories }),
    withShortNames: (...shortNames) => changed({ shortNames }),
    withGroup: (group) => changed({ group }),
    withPlural: (plural) => changed({ plural }),
    override: (override) => changed({ override }),
    toCustomResourceDefinition: () => toDefinition(parts),
  };
}

function toDefinition({
  group,
  version,
  kind,
  scope,
  plural,
  singular,
  schema = anyObject,
  columns,
  status,
  scale,
  categories,
  shortNames,
  override,
}: CrdParts): CustomResourceDefinition {
  if (override !== undefined) return deepCopy(override);
  const { specReplicasPath = ".spec.replicas", statusReplicasPath = ".status.replicas", labelSelectorPath } = scale ?? {};
  const paths = [
    ...columns.map(({ name, jsonPath }) => [`column ${name}`, jsonPath] as const),
    ["specReplicasPath", specReplicasPath] as const,
    ["statusReplicasPath", statusReplicasPath] as const,
    ["labelSelectorPath", labelSelectorPath ?? "."] as const,
  ];
  for (const [what, path] of paths)
    if (!path.startsWith(".")) throw new TypeError(`crd ${kind}: ${what}: a path starts with a dot: ".spec.repo", not "${path}"`);
  const scaled = definedOnly({ specReplicasPath, statusReplicasPath, labelSelectorPath });
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular,
        ...(categories.length === 0 ? {} : { categories: [...categories] }),
        ...(shortNames.length === 0 ? {} : { shortNames: [...shortNames] }),
      },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: deepCopy(schema) as JSONSchemaProps },
          ...(columns.length === 0 ? {} : { additionalPrinterColumns: columns.map((column) => ({ ...column })) }),
          ...(status || scale !== undefined
            ? { subresources: { ...(status ? { status: {} } : {}), ...(scale === undefined ? {} : { scale: scaled }) } }
            : {}),
        },
      ],
    },
  };
}

/** Default schema: keeps all fields of spec and status. */
const anyObject: Schema = {
  type: "object",
  properties: {
    spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    status: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  },
};

/** Type of `crd`. */
export interface CrdPackage {
  readonly namespacedType: typeof namespacedType;
  readonly nonNamespacedType: typeof nonNamespacedType;
  readonly fromGV: typeof fromGV;
}

/** Wrangler's package crd: the part that describes definitions. */
export const crd: CrdPackage = { namespacedType, nonNamespacedType, fromGV };
