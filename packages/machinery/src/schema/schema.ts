/**
 * A schema as in CustomResourceDefinitions and the server's OpenAPI documents, with every `$ref` resolved: references are shared
 * objects, so a schema may be cyclic (JSONSchemaProps contains itself). Walk it along a value, never on its own.
 */
import type { JsonValue } from "../json/json-value.ts";

/** One CEL rule of `x-kubernetes-validations`. */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/** A link to documentation of a schema. */
export interface ExternalDocumentation {
  readonly description?: string;
  readonly url?: string;
}

/** A schema; every keyword is optional. */
export interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly title?: string;
  readonly description?: string;
  readonly externalDocs?: ExternalDocumentation;
  readonly example?: JsonValue;
  readonly nullable?: boolean;
  readonly default?: JsonValue;
  readonly enum?: readonly JsonValue[];

  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly maxProperties?: number;

  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;

  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** RE2 syntax, unanchored. */
  readonly pattern?: string;

  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly not?: Schema;

  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
  readonly "x-kubernetes-embedded-resource"?: boolean;
  readonly "x-kubernetes-int-or-string"?: boolean;
  readonly "x-kubernetes-list-type"?: "atomic" | "set" | "map";
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  readonly "x-kubernetes-map-type"?: "atomic" | "granular";
  readonly "x-kubernetes-validations"?: readonly ValidationRule[];
  /** "merge", "replace", "retainKeys" or "merge,retainKeys"; built-in kinds only. */
  readonly "x-kubernetes-patch-strategy"?: string;
  readonly "x-kubernetes-patch-merge-key"?: string;
}

type Nested =
  | "properties"
  | "additionalProperties"
  | "items"
  | "allOf"
  | "anyOf"
  | "oneOf"
  | "not"
  | "x-kubernetes-list-type"
  | "x-kubernetes-map-type";

/** A schema as written, before `checkStructural`: includes keywords that custom resources must not use. */
export interface UncheckedSchema extends Omit<Schema, Nested> {
  readonly properties?: Readonly<Record<string, UncheckedSchema>>;
  readonly additionalProperties?: UncheckedSchema | boolean;
  readonly items?: UncheckedSchema | readonly UncheckedSchema[];
  readonly allOf?: readonly UncheckedSchema[];
  readonly anyOf?: readonly UncheckedSchema[];
  readonly oneOf?: readonly UncheckedSchema[];
  readonly not?: UncheckedSchema;
  readonly "x-kubernetes-list-type"?: string;
  readonly "x-kubernetes-map-type"?: string;

  readonly id?: string;
  readonly $schema?: string;
  readonly $ref?: string;
  readonly definitions?: Readonly<Record<string, UncheckedSchema>>;
  readonly dependencies?: Readonly<Record<string, UncheckedSchema | readonly string[]>>;
  readonly patternProperties?: Readonly<Record<string, UncheckedSchema>>;
  readonly additionalItems?: UncheckedSchema | boolean;
}
