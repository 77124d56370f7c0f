/** Schema of a whole object: the server's fields, spec, status with its standard fields, and rules. */
import { checkStructural, definedOnly } from "@drover/machinery";
import type { Schema } from "@drover/machinery";
import { UnsayableSchemaError } from "../schema/refusal.ts";
import { schemaFromZod } from "../schema/schema-from-zod.ts";
import { checkZod, isRequired } from "../schema/zod-node.ts";
import type { ZodSchema } from "../schema/zod-schema.ts";
import type { Rule } from "./resource.ts";
import { ruleProblems } from "./rule-problems.ts";

/** What the schema of a resource is built from. */
export interface ResourceSchemaParts {
  /** For errors: "WebApp in demo.example.com/v1". */
  readonly name: string;
  readonly spec: ZodSchema;
  readonly status: ZodSchema | undefined;
  readonly rules: readonly Rule[];
  readonly description: string | undefined;
}

/** Builds the schema. Throws an `UnsayableSchemaError` that lists everything the server cannot check. */
export function resourceSchema({ name, spec, status, rules, description }: ResourceSchemaParts): Schema {
  checkZod(spec, `${name}: spec`);
  if (status !== undefined) checkZod(status, `${name}: status`);
  const specPart = schemaFromZod(spec, "spec");
  const statusPart = status === undefined ? { schema: { type: "object" }, refusals: [] } : schemaFromZod(status, "status");
  const refusals = [...specPart.refusals, ...statusPart.refusals];
  if (refusals.length > 0) throw new UnsayableSchemaError(name, refusals);
  const schema: Schema = {
    type: "object",
    ...definedOnly({ description }),
    properties: {
      apiVersion: { type: "string" },
      kind: { type: "string" },
      metadata: { type: "object" },
      spec: specPart.schema,
      status: withStatusBasics(statusPart.schema),
    },
    ...(isRequired(spec) ? { required: ["spec"] } : {}),
    ...(rules.length > 0 ? { "x-kubernetes-validations": rules.map(([rule, message]) => ({ rule, message })) } : {}),
  };
  const problems = checkStructural(schema, "openAPIV3Schema", { hasStatus: true });
  if (problems.length === 0) {
    const wrong = ruleProblems(schema);
    if (wrong.length > 0) throw new UnsayableSchemaError(name, wrong);
    return schema;
  }
  throw new UnsayableSchemaError(
    name,
    problems.map((problem) => ({
      path: problem.field,
      what: "the schema",
      why: problem.detail,
      instead: "a schema that the server accepts",
    })),
  );
}

const condition: Schema = {
  type: "object",
  required: ["type", "status", "lastTransitionTime", "reason", "message"],
  properties: {
    type: {
      type: "string",
      maxLength: 316,
      pattern: "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$",
    },
    status: { type: "string", enum: ["True", "False", "Unknown"] },
    observedGeneration: { type: "integer", format: "int64", minimum: 0 },
    lastTransitionTime: { type: "string", format: "date-time" },
    reason: { type: "string", minLength: 1, maxLength: 1024, pattern: "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$" },
    message: { type: "string", maxLength: 32768 },
  },
};

/** Adds standard conditions (one per type) and `observedGeneration`, unless the author defines them. */
function withStatusBasics(status: Schema): Schema {
  return {
    ...status,
    properties: {
      observedGeneration: { type: "integer", format: "int64" },
      conditions: { type: "array", items: condition, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["type"] },
      ...status.properties,
    },
  };
}
