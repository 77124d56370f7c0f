/**
 * The rules in a schema (`x-kubernetes-validations`) at a write: asked last, once everything else allows it.
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
  /** Adds to the errors what the rules say, or that they could not be asked. */
  readonly check: (errors: FieldError[], object: JsonObject, old: JsonObject | undefined) => FieldError[];
  /** What the writer is told about rules that did not hold before either; of an object that has just been checked. */
  readonly warnings: (object: JsonObject) => string[];
}

const nothing: RuleCheck = { check: (errors) => errors, warnings: () => [] };

/** The rules of a schema are compiled when the first object is written; without rules there is nothing to do. */
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
