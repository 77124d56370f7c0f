/**
 * Validates the CEL rules of a CustomResourceDefinition's schema: they must compile, use `oldSelf` only where values correlate,
 * and stay within kube-apiserver's cost limits.
 *
 *     Schema → checkRules → FieldError[]
 */
import { fieldChild, fieldForbidden, fieldIndex, fieldInternal, fieldInvalid, fieldKey, printGoJson } from "@drover/machinery";
import type { FieldError, FieldPath, JsonValue, Schema, ValidationRule } from "@drover/machinery";
import { most } from "../cost/cost-range.ts";
import { requestBytesMax, schemaType } from "../schema/schema-type.ts";
import { fixedDigits } from "../value/fixed-digits.ts";
import type { SchemaType } from "../schema/schema-type.ts";
import { compileRules } from "./compiled-rule.ts";
import type { CompiledRule } from "./compiled-rule.ts";

/** Limits of the estimated cost of one rule, and of all rules of a schema. */
const ruleCostMax = 10_000_000n;
const schemaCostMax = 100_000_000n;

/** Returns the errors of the rules. Assumes a structural schema. */
export function checkRules(schema: Schema, path: FieldPath): FieldError[] {
  const review = new Review();
  review.visit(schema, { path, isRoot: true, count: 1n, loose: undefined });
  return [...review.errors, ...review.totalErrors(path)];
}

/** The position of a subschema. */
interface Place {
  readonly path: FieldPath;
  readonly isRoot: boolean;
  /** Maximum number of occurrences of its data; undefined when unbounded. */
  readonly count: bigint | undefined;
  /** The nearest list above whose items do not correlate with old ones. */
  readonly loose: FieldPath | undefined;
}

class Review {
  readonly errors: FieldError[] = [];
  readonly #costly: { readonly path: FieldPath; readonly cost: bigint }[] = [];
  #total = 0n;

  visit(schema: Schema, place: Place): void {
    const { path, loose } = place;
    const { additionalProperties, properties = {}, items } = schema;
    const count = multiply(place.count, elementsMax(schema));
    const below = { isRoot: false, count, loose };
    if (typeof additionalProperties === "object")
      this.visit(additionalProperties, { ...below, path: fieldChild(path, "additionalProperties") });
    for (const [name, property] of Object.entries(properties))
      this.visit(property, { ...below, path: fieldKey(fieldChild(path, "properties"), name) });
    if (items !== undefined)
      this.visit(items, {
        ...below,
        path: fieldChild(path, "items"),
        loose: schema["x-kubernetes-list-type"] === "map" ? loose : (loose ?? path),
      });
    if ((schema["x-kubernetes-validations"] ?? []).length > 0) this.#checkOwn(schema, place);
  }

  #checkOwn(schema: Schema, place: Place): void {
    const rulesPath = fieldChild(place.path, "x-kubernetes-validations");
    const type = schemaType(schema, place.isRoot || schema["x-kubernetes-embedded-resource"] === true);
    if (type === undefined) {
      this.errors.push(
        fieldInternal(
          rulesPath,
          "internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations",
        ),
      );
      return;
    }
    for (const [index, compiled] of compileRules(schema, type).entries())
      this.#checkRule(compiled, fieldIndex(rulesPath, index), place, type);
  }

  #checkRule(compiled: CompiledRule, path: FieldPath, { count, loose }: Place, type: SchemaType): void {
    const { rule, check, message } = compiled;
    if (check === undefined) return;
    const rulePath = fieldChild(path, "rule");
    if ("problem" in check) {
      this.errors.push(invalidRule(rulePath, rule, check.problem));
      this.#observe(rulePath, 0n);
      return this.#checkOldSelf(rule, path, loose, false);
    }
    const times = count ?? BigInt(Math.floor(requestBytesMax / (type.minBytes + 1)));
    this.#checkCost(rulePath, "estimated rule cost", multiply(check.maxCost, times) ?? most);
    if (message !== undefined && "problem" in message)
      this.errors.push(invalidRule(fieldChild(path, "messageExpression"), rule, message.problem));
    else if (message !== undefined)
      this.#checkCost(fieldChild(path, "messageExpression"), "estimated messageExpression cost", message.maxCost);
    this.#checkOldSelf(rule, path, loose, check.usesOldSelf);
  }

  #checkCost(path: FieldPath, name: string, cost: bigint): void {
    if (cost > ruleCostMax) this.errors.push(fieldForbidden(path, costText(name, cost, ruleCostMax)));
    this.#observe(path, cost);
  }

  #checkOldSelf(rule: ValidationRule, path: FieldPath, loose: FieldPath | undefined, usesOldSelf: boolean): void {
    if (usesOldSelf && loose !== undefined)
      this.errors.push(
        fieldInvalid(
          fieldChild(path, "rule"),
          rule.rule,
          `oldSelf cannot be used on the uncorrelatable portion of the schema within ${loose}`,
        ),
      );
    if (!usesOldSelf && rule.optionalOldSelf !== undefined)
      this.errors.push(
        fieldInvalid(fieldChild(path, "optionalOldSelf"), rule.optionalOldSelf, "may not be set if oldSelf is not used in rule"),
      );
  }

  #observe(path: FieldPath, cost: bigint): void {
    this.#total = this.#total + cost > most ? most : this.#total + cost;
    if (cost >= schemaCostMax / 100n) this.#costly.push({ path, cost });
  }

  /** Reports an excessive total cost; names the four most expensive rules. */
  totalErrors(path: FieldPath): FieldError[] {
    if (this.#total <= schemaCostMax) return [];
    const named = this.#costly.toSorted((a, b) => (a.cost < b.cost ? 1 : a.cost > b.cost ? -1 : 0)).slice(0, 4);
    return [
      ...named.map((each) =>
        fieldForbidden(each.path, "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema"),
      ),
      fieldForbidden(
        path,
        costText("x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema", this.#total, schemaCostMax),
      ),
    ];
  }
}

/** The factor by which a schema multiplies its contents; undefined when unbounded. */
function elementsMax({ type, additionalProperties, maxProperties, maxItems }: Schema): bigint | undefined {
  if (type === "array") return maxItems === undefined ? undefined : BigInt(Math.max(maxItems, 0));
  if (type !== "object" || additionalProperties === undefined) return 1n;
  return maxProperties === undefined ? undefined : BigInt(Math.max(maxProperties, 0));
}

function multiply(a: bigint | undefined, b: bigint | undefined): bigint | undefined {
  if (a === undefined || b === undefined) return undefined;
  return a * b > most ? most : a * b;
}

function costText(name: string, cost: bigint, limit: bigint): string {
  const factor = Number(cost) / Number(limit);
  const times = factor > 100 ? "more than 100x" : factor < 1.5 ? `${fixedDigits(factor, 6)}x` : `${fixedDigits(factor, 1)}x`;
  return `${name} exceeds budget by factor of ${times} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}

/** The error contains the whole rule, as kube-apiserver's internal type prints. */
function invalidRule(path: FieldPath, rule: ValidationRule, detail: string): FieldError {
  const { message = "", messageExpression = "", reason, fieldPath = "", optionalOldSelf } = rule;
  const parts: readonly (readonly [name: string, value: JsonValue])[] = [
    ["Rule", rule.rule],
    ["Message", message],
    ["MessageExpression", messageExpression],
    ["Reason", reason ?? null],
    ["FieldPath", fieldPath],
    ["OptionalOldSelf", optionalOldSelf ?? null],
  ];
  return {
    ...fieldInvalid(path, rule, detail),
    valueText: `{${parts.map(([name, value]) => `"${name}":${printGoJson(value)}`).join(",")}}`,
  };
}
