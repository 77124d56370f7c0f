/** Types of `defineResource`: the definition and the resulting value. */
import type { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import type { Condition, DeepReadonly, Int64, Kind, KubeObject, ObjectMeta, Schema, Scope } from "@drover/machinery";
import type { Default, ResourceAdmission, ResourceWebhookOptions, Validate } from "../admission/admission-declaration.ts";
import type { ResourceReference } from "../schema/reference.ts";
import type { ZodOutput, ZodSchema } from "../schema/zod-schema.ts";

/** Fields that every status has, whether or not its schema lists them. */
export interface StatusBasics {
  conditions?: Condition[];
  /** The `metadata.generation` this status was computed from. */
  observedGeneration?: Int64;
}

/** An object of a defined resource as the server returns it, with defaults. */
export interface ResourceObject<Spec, Status> extends KubeObject {
  metadata: ObjectMeta;
  spec: Spec;
  status?: Status & StatusBasics;
}

/** A column of `kubectl get`. */
export interface ColumnDefinition {
  /** ".spec.host" */
  readonly path: string;
  /** Type of the column. @default from the schema */
  readonly type?: "string" | "integer" | "number" | "boolean" | "date";
  readonly description?: string;
  /** 0 is always shown, higher values only with `-o wide`. @default 0 */
  readonly priority?: number;
}

/** Fields that `kubectl scale` and autoscalers use. */
export interface ScaleDefinition {
  /** ".spec.replicas" */
  readonly replicas: string;
  /** ".status.replicas" */
  readonly readyReplicas: string;
  /** ".status.selector", a label selector as a string. @default none */
  readonly selector?: string;
}

/** A CEL rule and its error message. */
export type Rule = readonly [rule: string, message: string];

/** An older version, and its conversion from and to the current one. */
export interface OlderVersion<Spec extends ZodSchema = ZodSchema, Status extends ZodSchema = ZodSchema> {
  readonly spec: Spec;
  readonly status?: Status;
  /** Whether the version is still served. @default true */
  readonly served?: boolean;
  /** Deprecation warning that the server sends to clients. @default not deprecated */
  readonly deprecated?: string;
  /**
   * Converts spec and status, without `apiVersion`, from this version to the current one. Pure and lossless: what the other version
   * cannot express is kept in an annotation, which `down` writes and `up` reads and removes. `checkConversions` tests it.
   */
  readonly up?: (object: DeepReadonly<ConvertedParts<ZodOutput<Spec>, ZodOutput<Status>>>) => DeepReadonly<ConvertedParts>;
  /** Converts spec and status from the current version to this one. */
  readonly down?: (object: DeepReadonly<ConvertedParts>) => DeepReadonly<ConvertedParts>;
}

/** The parts of an object that a converter reads and returns. */
export interface ConvertedParts<Spec = unknown, Status = unknown> {
  spec: Spec;
  status?: Status;
  /** Annotations of the object. A converter that returns none leaves them unchanged. */
  annotations?: Record<string, string>;
}

/** The argument of `defineResource`. */
export interface ResourceDefinition<
  Spec extends ZodSchema,
  Status extends ZodSchema,
  S extends Scope,
  Scaled extends ScaleDefinition | undefined,
> {
  /** "demo.example.com" */
  readonly group: string;
  /** "v1", "v1alpha1" */
  readonly version: string;
  /** "WebApp" */
  readonly kind: string;
  /** Plural name in URLs. @default guessed like Kubernetes: "webapps" */
  readonly plural?: string;
  /** Singular name for kubectl. @default the kind in lower case */
  readonly singular?: string;
  /** Short names for kubectl. @default none */
  readonly shortNames?: readonly string[];
  /** "all" makes it part of `kubectl get all`. @default none */
  readonly categories?: readonly string[];
  /** Whether objects are namespaced or cluster-scoped. @default "Namespaced" */
  readonly scope?: S;
  /** Schema of the spec, which users write. */
  readonly spec: Spec;
  /** Schema of the status, which controllers write; conditions and observedGeneration are always included. @default no other fields */
  readonly status?: Status;
  /** CEL rules for the whole object: `self.spec.host`. @default none */
  readonly rules?: readonly Rule[];
  /** Columns of `kubectl get` by heading: a path, or an object with details. The age is added last. @default only the age */
  readonly columns?: Readonly<Record<string, string | ColumnDefinition>>;
  /** Enables `kubectl scale` and autoscalers. @default none */
  readonly scale?: Scaled;
  /** Spec fields usable in field selectors: [".spec.host"]. @default none */
  readonly selectableFields?: readonly string[];
  /** Older versions by name. Objects are stored in the current version. @default none */
  readonly olderVersions?: Readonly<Record<string, OlderVersion>>;
  /** For `kubectl explain`. @default none */
  readonly description?: string;
  /**
   * Sets fields that schema defaults cannot express, when an object is created or changed. The operator serves it as a webhook.
   * @default none
   */
  readonly default?: Default<ResourceObject<ZodOutput<NoInfer<Spec>>, ZodOutput<NoInfer<Status>>>>;
  /**
   * Refuses objects that neither the schema nor `rules` can refuse. The operator serves it as a webhook; objects that are being deleted
   * are not checked. @default none
   */
  readonly validate?: Validate<ResourceObject<ZodOutput<NoInfer<Spec>>, ZodOutput<NoInfer<Status>>>>;
  /** How the API server calls `default` and `validate`. @default refuses requests while the operator is down; five seconds */
  readonly webhook?: ResourceWebhookOptions;
}

/** Options of a CRD. */
export interface DefinitionOptions {
  /**
   * Webhook that converts between versions with converters: `spec.conversion.webhook.clientConfig` of the CRD. @default
   * none; throws if a served version needs one
   */
  readonly conversionWebhook?: {
    readonly url?: string;
    readonly service?: { readonly namespace: string; readonly name: string; readonly path?: string; readonly port?: number };
    readonly caBundle?: string;
  };
}

/**
 * A kind like any other, for clients, informers and controllers, which also has a schema.
 *
 * Guarantees: `parse` accepts exactly what a server with this CRD accepts.
 */
export interface Resource<T extends KubeObject = KubeObject, S extends Scope = Scope, Sub extends string = string> extends Kind<T, S, Sub> {
  /** Schema of the whole object. */
  readonly schema: Schema;
  /**
   * Fields that name other objects (see `reference`); operators watch those objects. Set by `defineResource`, possibly
   * empty. @default unknown
   */
  readonly references?: readonly ResourceReference[];
  /** `default` and `validate` of the definition; operators serve them as webhooks. @default none */
  readonly admission?: ResourceAdmission;
  /** Whether a served version is converted by code, so that the definition needs a conversion webhook. @default false */
  readonly needsConversion?: boolean;
  /** Returns the CustomResourceDefinition to install. */
  definition(options?: DefinitionOptions): CustomResourceDefinition;
  /** Validates an object and adds defaults. Throws an `InvalidObjectError` that lists every invalid field. */
  parse(object: unknown): T;
  /** Converts an object to another version of this resource. Throws if there is no conversion. */
  convert(object: DeepReadonly<KubeObject>, version: string): KubeObject;
}
