/**
 * CEL rules of a schema (`x-kubernetes-validations`), evaluated last, once all other validation passes.
 *
 *     customStrategy → ruleCheck → cel/rules
 */
import { blocksRules, fieldInvalid } from "@drover/machinery";
import type { FieldError, JsonObject, Schema } from "@drover/machinery";
import { evaluateRules } from "../cel/rules/evaluate-rules.ts";
import type { RuleOutcome } from "../cel/rules/evaluate-rules.ts";
import { ruleTree } from "../cel/rules/rule-tree.ts";
import type { RuleNode } from "../cel/rules/rule-tree.ts";
import { schemaHas } from "./definition/schema-has.ts";

export interface RuleCheck {
  /** Appends the errors of the rules, or the error that they were not evaluated. */
  readonly check: (errors: FieldError[], object: JsonObject, old: JsonObject | undefined) => FieldError[];
  /** Returns warnings about rules that failed before the update too; for an object that was just checked. */
  readonly warnings: (object: JsonObject) => string[];
}

const nothing: RuleCheck = { check: (errors) => errors, warnings: () => [] };

/** Returns the check of a schema. Rules are compiled on the first write; a schema without rules checks nothing. */
export function ruleCheck(schema: Schema): RuleCheck {
  if (!schemaHas(schema, (inner) => (inner["x-kubernetes-validations"] ?? []).length > 0)) return nothing;
  let compiled: { readonly tree: RuleNode | undefined } | undefined;
  const warned = new WeakMap<JsonObject, string[]>();
  const ask = (object: JsonObject, old: JsonObject | undefined): RuleOutcome => {
    compiled ??= { tree: ruleTree(schema) };
    return compiled.tree === undefined ? { errors: [], warnings: [] } : evaluateRules(compiled.tree, object, old);
  };
  return {
    check: (errors, object, old) => {
      if (blocksRules(errors))
        return [
          ...errors,
          fieldInvalid(
            "",
            null,
            "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation",
          ),
        ];
      const outcome = ask(object, old);
      if (outcome.warnings.length > 0) warned.set(object, outcome.warnings);
      return [...errors, ...outcome.errors];
    },
    warnings: (object) => warned.get(object) ?? [],
  };
}
