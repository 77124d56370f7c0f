/**
 * Evaluates the rules of a schema for an object, and for an update of it.
 *
 *     RuleNode, object, old object → evaluateRules → errors, and warnings for tolerated failures
 *
 * All rules share a cost budget; when it is spent, the remaining rules are skipped and an error says so.
 */
import {
  fieldChild,
  fieldDuplicate,
  fieldForbidden,
  fieldIndex,
  fieldInvalid,
  fieldKey,
  fieldRequired,
  getOwn,
  isJsonObject,
  printFieldError,
  byteLength,
} from "@drover/machinery";
import type { FieldError, FieldPath, JsonObject, JsonValue, ValidationRule } from "@drover/machinery";
import { isUnchanged, oldItems, pairAt } from "../schema/correlation.ts";
import type { Pair } from "../schema/correlation.ts";
import { schemaValue } from "../schema/schema-value.ts";
import { isFailure } from "../value/failure.ts";
import type { CelFailure } from "../value/failure.ts";
import { none, optional } from "../value/value.ts";
import type { CelValue } from "../value/value.ts";
import type { CompiledRule } from "./compiled-rule.ts";
import type { RuleNode } from "./rule-tree.ts";

/** Cost limits of one expression, and of all expressions for one object. */
const callCostMax = 1_000_000;
const objectCostMax = 10_000_000;
const messageBytesMax = 5 * 1024;

export interface RuleOutcome {
  readonly errors: FieldError[];
  readonly warnings: string[];
}

/** Evaluates all rules. Without an old object, transition rules are skipped. */
export function evaluateRules(tree: RuleNode, object: JsonObject, old: JsonObject | undefined): RuleOutcome {
  const walk = new Walk();
  walk.visit(tree, {
    path: "",
    value: object,
    old,
    pair: old === undefined ? undefined : { value: object, old, schema: tree.schema },
    parent: undefined,
  });
  return { errors: walk.errors, warnings: walk.warnings };
}

/** A value in the object. */
interface Place {
  readonly path: FieldPath;
  readonly value: JsonValue;
  readonly old: JsonValue | undefined;
  /** The value with its correlated old value, and the nearest such pair above; without pairs nothing is tolerated. */
  readonly pair: Pair | undefined;
  readonly parent: Pair | undefined;
}

/** The variables of the rules of one value. */
interface Variables {
  readonly plain: ReadonlyMap<string, CelValue | CelFailure>;
  readonly withOptionalOld: ReadonlyMap<string, CelValue | CelFailure>;
}

class Walk {
  readonly errors: FieldError[] = [];
  readonly warnings: string[] = [];
  /** Negative once exhausted: no further rules run. */
  #budget = objectCostMax;

  visit(node: RuleNode, place: Place): void {
    const { value } = place;
    if (value === null || this.#budget < 0) return;
    this.#judge(node, place);
    if (this.#budget < 0) return;
    if (Array.isArray(value)) this.#visitItems(node, place, value);
    else if (isJsonObject(value)) this.#visitFields(node, place, value);
  }

  #visitItems({ items, schema }: RuleNode, { path, old, pair, parent }: Place, list: readonly JsonValue[]): void {
    if (items === undefined) return;
    const find = oldItems(old, schema);
    for (const [index, item] of list.entries()) {
      const before = find?.(item);
      const inner =
        pair === undefined || before === undefined || schema.items === undefined
          ? undefined
          : { value: item, old: before, schema: schema.items };
      this.visit(items, { path: fieldIndex(path, index), value: item, old: before, pair: inner, parent: pair ?? parent });
    }
  }

  #visitFields(node: RuleNode, place: Place, object: JsonObject): void {
    const before = isJsonObject(place.old) ? place.old : {};
    for (const [name, value] of Object.entries(object)) {
      const property = node.properties.get(name);
      for (const [inner, path] of [
        [node.additional, fieldKey(place.path, name)],
        [property, fieldChild(place.path, name)],
      ] as const) {
        if (inner !== undefined) this.visit(inner, { path, value, old: getOwn(before, name), ...pairsBelow(place, name) });
      }
    }
  }

  #judge({ rules, valueSchema, usesOldSelf }: RuleNode, place: Place): void {
    if (rules.length === 0) return;
    const typeName = valueSchema.type ?? "";
    if (this.#budget <= 0) return this.#giveUp(place.path, typeName, outOfBudget);
    const { value, old } = place;
    const hasOld = usesOldSelf && old !== undefined && old !== null;
    const self = schemaValue(value, valueSchema);
    const oldSelf = hasOld ? schemaValue(old, valueSchema) : undefined;
    const variables: Variables = {
      plain: new Map([["self", self], ...(oldSelf === undefined ? [] : [["oldSelf", oldSelf] as const])]),
      withOptionalOld: new Map([
        ["self", self],
        ...(usesOldSelf ? [["oldSelf", oldSelf === undefined ? none : isFailure(oldSelf) ? oldSelf : optional(oldSelf)] as const] : []),
      ]),
    };
    for (const rule of rules) {
      this.#ask(rule, place, variables, typeName);
      if (this.#budget < 0) return;
    }
  }

  #ask(compiled: CompiledRule, place: Place, variables: Variables, typeName: string): void {
    const { rule, check } = compiled;
    if (check === undefined) return;
    if ("problem" in check) {
      this.errors.push(fieldInvalid(place.path, typeName, `rule compile error: ${check.problem}`));
      return;
    }
    if (check.usesOldSelf && (place.old === undefined || place.old === null) && rule.optionalOldSelf !== true) return;
    const bound = rule.optionalOldSelf === true ? variables.withOptionalOld : variables.plain;
    const { outcome, cost, exceeded } = check.program(bound, callCostMax);
    if (cost > this.#budget) return this.#giveUp(place.path, typeName, outOfBudget);
    this.#budget -= cost;
    if (isFailure(outcome)) return this.#reportFailure(outcome, exceeded, { rule, path: place.path, typeName });
    if (outcome === true) return;
    this.#refuse(compiled, place, bound, typeName);
  }

  #giveUp(path: FieldPath, typeName: string, detail: string): void {
    this.errors.push(fieldInvalid(path, typeName, detail));
    this.#budget = -1;
  }

  #reportFailure(
    { message }: CelFailure,
    exceeded: boolean,
    { rule, path, typeName }: { readonly rule: ValidationRule; readonly path: FieldPath; readonly typeName: string },
  ): void {
    const name = ruleText(rule);
    if (exceeded)
      return this.#giveUp(
        path,
        typeName,
        `'${message}': no further validation rules will be run due to call cost exceeds limit for rule: ${name}`,
      );
    const detail = message.startsWith("no such overload")
      ? `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${name}`
      : `${message} evaluating rule: ${name}`;
    this.errors.push(fieldInvalid(path, typeName, detail));
  }

  /** Reports a failed rule: an error, or a warning if the value did not change. */
  #refuse(
    { rule, check, message, fieldPath }: CompiledRule,
    place: Place,
    variables: ReadonlyMap<string, CelValue | CelFailure>,
    typeName: string,
  ): void {
    const path = fieldPath === "" ? place.path : fieldChild(place.path, fieldPath);
    const add = (error: FieldError): void => {
      const isTransition = check !== undefined && "usesOldSelf" in check && check.usesOldSelf;
      if (!isTransition && isForgiven(place)) this.warnings.push(printFieldError(error));
      else this.errors.push(error);
    };
    let detail = rule.message === undefined || rule.message === "" ? `failed rule: ${ruleText(rule)}` : rule.message.trim();
    if (message !== undefined && "program" in message) {
      const { outcome, cost, exceeded } = message.program(variables, callCostMax);
      const problem = exceeded
        ? `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${JSON.stringify(rule.messageExpression)}`
        : cost > this.#budget
          ? "messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run"
          : undefined;
      if (problem !== undefined) {
        add(fieldInvalid(path, typeName, problem));
        this.#budget = -1;
        return;
      }
      this.#budget -= cost;
      detail = usableMessage(outcome) ?? detail;
    }
    add(errorFor(rule.reason, path, typeName === "object" || typeName === "array" ? undefined : place.value, detail));
  }
}

const outOfBudget = "validation failed due to running out of cost budget, no further validation rules will be run";

/** The server sets the object's own type fields, so they have no old values. */
function pairsBelow({ path, pair, parent }: Place, name: string): Pick<Place, "pair" | "parent"> {
  if (pair === undefined) return { pair, parent };
  if (path === "" && (name === "apiVersion" || name === "kind")) return { pair: undefined, parent: undefined };
  return { pair: pairAt(pair, name), parent: pair };
}

function isForgiven({ pair, parent }: Place): boolean {
  const nearest = pair ?? parent;
  return nearest !== undefined && isUnchanged(nearest);
}

function ruleText({ rule, message = "" }: ValidationRule): string {
  return (message === "" ? rule : message).trim();
}

/** Returns a message that can be shown; undefined for anything else. */
function usableMessage(outcome: CelValue | CelFailure): string | undefined {
  if (typeof outcome !== "string") return undefined;
  const text = outcome.trim();
  return text === "" || text.includes("\n") || byteLength(text) > messageBytesMax ? undefined : text;
}

function errorFor(reason: string | undefined, path: FieldPath, value: JsonValue | undefined, detail: string): FieldError {
  switch (reason) {
    case "FieldValueForbidden":
      return fieldForbidden(path, detail);
    case "FieldValueRequired":
      return fieldRequired(path, detail);
    case "FieldValueDuplicate":
      return fieldDuplicate(path, value);
    case undefined:
    default:
      return fieldInvalid(path, value, detail);
  }
}
