/**
 * Where an evaluator of the rules in schemas (`x-kubernetes-validations`, which are CEL) plugs in.
 *
 *     CustomResources, customResource → RuleCompiler → RuleEvaluator → FieldError[]
 *
 * Without one, rules are accepted and kept, and nobody looks at them.
 */
import type { FieldError, JsonObject, Schema } from "@drover/machinery";

/** What the rules say about an object, and about the change it is when there is an old one. Called when nothing else blocks it. */
export type RuleEvaluator = (object: JsonObject, old: JsonObject | undefined) => FieldError[];

/** Makes the rules of a schema ready, once for each version of a definition. */
export type RuleCompiler = (schema: Schema) => RuleEvaluator;
