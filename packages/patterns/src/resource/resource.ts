/** The words a custom resource is defined with, and the value that comes of it. */
import type { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import type { Condition, DeepReadonly, Int64, Kind, KubeObject, ObjectMeta, Schema, Scope } from "@drover/machinery";
import type { ResourceReference } from "../schema/reference.ts";
import type { ZodOutput, ZodSchema } from "../schema/zod-schema.ts";

/** What every status has, whether or not its schema says so. */
export interface StatusBasics {
  conditions?: Condition[];
  /** The `metadata.generation` this status was computed from. */
  observedGeneration?: Int64;
}

/** An object of a defined resource, as the server hands it out: with its defaults. */
export interface ResourceObject<Spec, Status> extends KubeObject {
  metadata: ObjectMeta;
  spec: Spec;
  status?: Status & StatusBasics;
}

/** A column of `kubectl get`. */
export interface ColumnDefinition {
  /** ".spec.host" */
  readonly path: string;
  /** @default what the schema says of the path */
  readonly type?: "string" | "integer" | "number" | "boolean" | "date";
  readonly description?: string;
  /** 0 is always shown, more only with `-o wide`. @default 0 */
  readonly priority?: number;
}

/** Where a resource keeps what `kubectl scale` and autoscalers ask for. */
export interface ScaleDefinition {
  /** ".spec.replicas" */
  readonly replicas: string;
  /** ".status.replicas" */
  readonly readyReplicas: string;
  /** ".status.selector", a label selector as text. @default none */
  readonly selector?: string;
}

/** A rule in CEL and what is said when it does not hold. */
export type Rule = readonly [rule: string, message: string];

/** A version that came before, and the way between it and the present one. */
export interface OlderVersion<Spec extends ZodSchema = ZodSchema, Status extends ZodSchema = ZodSchema> {
  readonly spec: Spec;
  readonly status?: Status;
  /** Whether clients may still ask for it. @default true */
  readonly served?: boolean;
  /** What the server warns its users with. @default it is not deprecated */
  readonly deprecated?: string;
  /** From this version to the present one: spec and status, without `apiVersion`. Pure, and loses nothing. */
  readonly up?: (object: DeepReadonly<{ spec: ZodOutput<Spec>; status?: ZodOutput<Status> }>) => {
    readonly spec: unknown;
    readonly status?: unknown;
  };
  /** The way back. */
  readonly down?: (object: DeepReadonly<{ spec: unknown; status?: unknown }>) => { readonly spec: unknown; readonly status?: unknown };
}

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
  /** @default guessed as Kubernetes does: "webapps" */
  readonly plural?: string;
  /** @default the kind in lower case */
  readonly singular?: string;
  /** @default none */
  readonly shortNames?: readonly string[];
  /** "all" makes it part of `kubectl get all`. @default none */
  readonly categories?: readonly string[];
  /** @default "Namespaced" */
  readonly scope?: S;
  /** What people write. */
  readonly spec: Spec;
  /** What controllers write; there is a status in any case, with conditions and observedGeneration. @default nothing more */
  readonly status?: Status;
  /** Rules in CEL for the whole object: `self.spec.host`. @default none */
  readonly rules?: readonly Rule[];
  /** The columns of `kubectl get` by their heading: a path, or more. The age is added as the last. @default the age alone */
  readonly columns?: Readonly<Record<string, string | ColumnDefinition>>;
  /** Makes `kubectl scale` and autoscalers work. @default none */
  readonly scale?: Scaled;
  /** Fields of the spec that can be selected by: [".spec.host"]. @default none */
  readonly selectableFields?: readonly string[];
  /** Versions that came before, by their names. Objects are stored in the present one. @default none */
  readonly olderVersions?: Readonly<Record<string, OlderVersion>>;
  /** For `kubectl explain`. @default none */
  readonly description?: string;
}

/** How the definition is written for a server. */
export interface DefinitionOptions {
  /**
   * Who converts between versions, where they have converters: `spec.conversion.webhook.clientConfig` of the
   * definition. @default nobody, which is refused when a served version needs it
   */
  readonly conversionWebhook?: {
    readonly url?: string;
    readonly service?: { readonly namespace: string; readonly name: string; readonly path?: string; readonly port?: number };
    readonly caBundle?: string;
  };
}

/**
 * A kind like any other (client, informers and controllers take it), which also knows its schema.
 *
 * Guarantees: what `parse` takes, a server with this definition takes, and the other way round.
 */
export interface Resource<T extends KubeObject = KubeObject, S extends Scope = Scope, Sub extends string = string> extends Kind<T, S, Sub> {
  /** The schema of the whole object. */
  readonly schema: Schema;
  /**
   * Fields that name other objects, as `reference` says; operators watch what they name. Only what `defineResource`
   * makes has them, be it none. @default not known
   */
  readonly references?: readonly ResourceReference[];
  /** The CustomResourceDefinition to install. */
  definition(options?: DefinitionOptions): CustomResourceDefinition;
  /** The object, checked and with its defaults. Throws an `InvalidObjectError` that names every field that is wrong. */
  parse(object: unknown): T;
  /** The object in another version; both are versions of this resource. Throws when there is no way between them. */
  convert(object: DeepReadonly<KubeObject>, version: string): KubeObject;
}
