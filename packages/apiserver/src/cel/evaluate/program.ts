/**
 * Compiles a type-checked expression to closures.
 *
 *     Checked → compileProgram → Program;   variables → run → a value or a failure, and its cost
 *
 * Guarantees: no run costs more than its limit, whatever the expression and the data.
 */
import type { Checked, Resolution } from "../check/checker.ts";
import { callCost, listCost, mapCost, paysFirst, structCost } from "../cost/call-cost.ts";
import { hasOperator, isIn, itemAt, valueAt } from "../library/standard.ts";
import type { Call, Comprehension, Expression, ListExpression, MapExpression, Select, StructExpression } from "@drover/machinery/cel";
import { growingList, mapOf, printKey } from "../value/collections.ts";
import { failure, isFailure, noSuchOverload } from "../value/failure.ts";
import type { CelFailure } from "../value/failure.ts";
import { structValue } from "../value/struct-value.ts";
import { goTypeName, isOfType, itemsOf, kindOf, none, optional, typeName } from "../value/value.ts";
import type { CelList, CelMap, CelValue } from "../value/value.ts";
import { WorkLimitError } from "../value/work-limit.ts";
import { constantOf, listOfMembership } from "./constant.ts";
import { loopAtOnce, loopInTurns } from "./loop.ts";
import type { Round } from "./loop.ts";
import { Meter } from "./meter.ts";
import type { Turns } from "./turns.ts";

type Outcome = CelValue | CelFailure;

/** The result of a run. */
export interface Evaluation {
  readonly outcome: Outcome;
  readonly cost: number;
  /** Whether the cost limit stopped the run. */
  readonly exceeded: boolean;
}

/** Runs an expression. With `turns` it throws a `TurnOverError` when it has run for long. */
export type Program = (variables: ReadonlyMap<string, Outcome>, limit: number, turns?: Turns) => Evaluation;

interface Scope {
  readonly name: string;
  readonly value: Outcome;
  readonly outer: Scope | undefined;
}

type Step = (meter: Meter, scope: Scope | undefined) => Outcome;

/** Ends an evaluation with a failure that nothing absorbs. */
class EvaluationPanic extends Error {
  override readonly name: string = "EvaluationPanic";
}

/** Compiles a program. */
export function compileProgram(checked: Checked): Program {
  const step = new Planner(checked).plan(checked.expression);
  return (variables, limit, turns) => {
    let scope: Scope | undefined;
    for (const [name, value] of variables) scope = { name, value, outer: scope };
    const meter = new Meter(limit, turns);
    turns?.begin();
    try {
      return { outcome: step(meter, scope), cost: meter.spent, exceeded: false };
    } catch (error) {
      if (error instanceof EvaluationPanic) return { outcome: failure(error.message), cost: meter.spent, exceeded: false };
      if (error instanceof WorkLimitError) return { outcome: failure(error.message), cost: meter.spent, exceeded: true };
      throw error;
    }
  };
}

const isOptionalValue = (value: Outcome): value is Extract<CelValue, { readonly kind: "optional" }> =>
  typeof value === "object" && value !== null && "kind" in value && value.kind === "optional";
const isListValue = (value: Outcome): value is CelList =>
  typeof value === "object" && value !== null && "kind" in value && value.kind === "list";
const isMapValue = (value: Outcome): value is CelMap =>
  typeof value === "object" && value !== null && "kind" in value && value.kind === "map";

const scalarKinds: ReadonlySet<string> = new Set(["bool", "double", "int", "string", "uint"]);

class Planner {
  readonly #checked: Checked;
  readonly #steps = new Map<Expression, Step>();

  constructor(checked: Checked) {
    this.#checked = checked;
  }

  /** Shared subexpressions are compiled once. */
  plan(expression: Expression): Step {
    const known = this.#steps.get(expression);
    if (known !== undefined) return known;
    const step = this.#planNew(expression);
    this.#steps.set(expression, step);
    return step;
  }

  #planNew(expression: Expression): Step {
    const constant = this.#constant(expression);
    // An empty map may be what a loop adds to: every run needs its own.
    if (constant !== undefined && (expression.kind !== "map" || expression.entries.length > 0)) return () => constant.value;
    switch (expression.kind) {
      case "identifier":
        return this.#variable(expression);
      case "select":
        return this.#select(expression);
      case "call":
        return this.#call(expression);
      case "list":
        return this.#list(expression);
      case "map":
        return this.#map(expression);
      case "comprehension":
        return this.#loop(expression);
      case "struct":
        return this.#struct(expression);
      case "literal":
      default:
        return () => noSuchOverload;
    }
  }

  #constant(expression: Expression): { readonly value: CelValue } | undefined {
    const constant = constantOf(expression, this.#checked);
    return constant !== undefined && "value" in constant ? constant : undefined;
  }

  #variable(expression: Expression): Step {
    const name = this.#checked.variableOf(expression) ?? "";
    return (meter, scope) => {
      meter.spend(1);
      for (let inner = scope; inner !== undefined; inner = inner.outer) if (inner.name === name) return inner.value;
      return failure(`no such attribute(s): ${name}`);
    };
  }

  #select(select: Select): Step {
    if (this.#checked.variableOf(select) !== undefined) return this.#variable(select);
    const operand = this.plan(select.operand);
    const { field, test } = select;
    return (meter, scope) => {
      const object = operand(meter, scope);
      if (isFailure(object)) return object;
      if (test) return hasField(object, field);
      meter.spend(1);
      return isOptionalValue(object) ? optionalField(object, field) : fieldOf(object, field);
    };
  }

  #call(call: Call): Step {
    const resolution = this.#checked.resolutionOf(call);
    switch (call.name) {
      case "_?._":
        return this.#optionalSelect(call);
      case "_&&_":
        return this.#junction(call, false);
      case "_||_":
        return this.#junction(call, true);
      case "_?_:_":
        return this.#conditional(call);
      case "_[_]":
        return this.#index(call, false);
      case "_[?_]":
        return this.#index(call, true);
      case "@not_strictly_false":
        return this.#notStrictlyFalse(call);
      case "@in":
        return this.#membership(call, resolution);
      default:
        if (call.target !== undefined && (call.name === "or" || call.name === "orValue")) return this.#orElse(call, call.target);
        return resolution === undefined ? () => noSuchOverload : this.#function(call, resolution);
    }
  }

  #optionalSelect({ args }: Call): Step {
    const [operand, field] = args;
    const object = this.plan(operand as Expression);
    const name = field?.kind === "literal" && typeof field.value === "string" ? field.value : "";
    return (meter, scope) => {
      const value = object(meter, scope);
      if (isFailure(value)) return value;
      meter.spend(1);
      return optionalField(isOptionalValue(value) ? value : optional(value), name);
    };
  }

  /** A term equal to `decisive` short-circuits; a failure counts only if no term is decisive. */
  #junction({ args }: Call, decisive: boolean): Step {
    const terms = args.map((arg) => this.plan(arg));
    return (meter, scope) => {
      let failed: CelFailure | undefined;
      for (const term of terms) {
        const value = term(meter, scope);
        if (value === decisive) return decisive;
        if (typeof value !== "boolean") failed ??= isFailure(value) ? value : noSuchOverload;
      }
      return failed ?? !decisive;
    };
  }

  #conditional({ args }: Call): Step {
    const [condition, whenTrue, whenFalse] = args.map((arg) => this.plan(arg)) as [Step, Step, Step];
    return (meter, scope) => {
      const chosen = condition(meter, scope);
      if (isFailure(chosen)) return chosen;
      if (typeof chosen !== "boolean") return noSuchOverload;
      return chosen ? whenTrue(meter, scope) : whenFalse(meter, scope);
    };
  }

  #index({ args }: Call, asks: boolean): Step {
    const [operand, index] = args.map((arg) => this.plan(arg)) as [Step, Step];
    return (meter, scope) => {
      const object = operand(meter, scope);
      if (isFailure(object)) return object;
      const key = index(meter, scope);
      if (isFailure(key)) return key;
      meter.spend(1);
      if (!isOptionalValue(object) && !asks) return at(object, key);
      const inner = isOptionalValue(object) ? object.value : object;
      return inner === undefined ? none : present(inner, key);
    };
  }

  #notStrictlyFalse({ args }: Call): Step {
    const value = this.plan(args[0] as Expression);
    return (meter, scope) => {
      const outcome = value(meter, scope);
      meter.spend(1);
      return typeof outcome === "boolean" ? outcome : true;
    };
  }

  #orElse({ name, args }: Call, target: Expression): Step {
    const [first, second] = [this.plan(target), this.plan(args[0] as Expression)];
    return (meter, scope) => {
      const value = first(meter, scope);
      if (!isOptionalValue(value)) return value;
      if (value.value === undefined) return second(meter, scope);
      return name === "or" ? value : value.value;
    };
  }

  /** Membership in a constant list of scalars is free: cel-go looks it up in a hash table, which does not take bytes. */
  #membership(call: Call, resolution: Resolution | undefined): Step {
    const [value] = call.args;
    if (resolution === undefined || value === undefined) return () => noSuchOverload;
    const list = listOfMembership(call, this.#checked);
    const items = list === undefined ? undefined : itemsOf(list);
    if (list === undefined || items === undefined || isFailure(items) || !items.every((item) => scalarKinds.has(kindOf(item))))
      return this.#function(call, resolution);
    const item = this.plan(value);
    return (meter, scope) => {
      const wanted = item(meter, scope);
      if (wanted instanceof Uint8Array) throw new EvaluationPanic("internal error: runtime error: hash of unhashable type types.Bytes");
      return isFailure(wanted) ? wanted : isIn(wanted, list);
    };
  }

  #function(call: Call, { name, overloads, hasTarget }: Resolution): Step {
    const parts = hasTarget && call.target !== undefined ? [call.target, ...call.args] : call.args;
    const steps = parts.map((part) => this.plan(part));
    const constants = parts.map((part) => this.#constant(part)?.value);
    const hasConstantPattern = name === "matches" && typeof constants[1] === "string";
    const ready = overloads.map((each) => ({ ...each, run: each.prepare?.(constants) ?? each.run }));
    const counted = overloads.length === 1 ? countedList(overloads[0]?.id ?? "") : undefined;
    const countedStep = counted === undefined ? undefined : steps[counted];
    return (meter, scope) => {
      const args: CelValue[] = [];
      let failed: CelFailure | undefined;
      for (const step of steps) {
        const arg = step(meter, scope);
        if (step === countedStep) mustBeList(arg);
        if (isFailure(arg)) failed ??= arg;
        else args.push(arg);
      }
      if (failed !== undefined) return failed;
      const chosen = ready.find(
        ({ args: types }) => types.length === args.length && types.every((type, index) => isOfType(args[index] ?? null, type)),
      );
      if (chosen?.run === undefined) return hasConstantPattern ? noSuchOverload : unfit(name, args);
      const early = paysFirst(chosen.id);
      if (early) meter.spend(callCost(name, chosen.id, args, undefined));
      const result = chosen.run(...args);
      if (!early) meter.spend(callCost(name, chosen.id, args, isFailure(result) ? undefined : result));
      return result;
    };
  }

  #list({ elements, optional: optionals }: ListExpression): Step {
    const steps = elements.map((element) => this.plan(element));
    return (meter, scope) => {
      const items: CelValue[] = [];
      for (const [index, step] of steps.entries()) {
        const item = step(meter, scope);
        if (isFailure(item)) return item;
        if (!optionals.has(index)) items.push(item);
        else if (!isOptionalValue(item))
          return failure(`cannot initialize optional list element from non-optional value ${printKey(item)}`);
        else if (item.value !== undefined) items.push(item.value);
      }
      if (steps.length > 0) meter.spend(listCost);
      return growingList(items);
    };
  }

  #map({ entries }: MapExpression): Step {
    const steps = entries.map(({ key, value, optional: isOptional }) => ({ key: this.plan(key), value: this.plan(value), isOptional }));
    return (meter, scope) => {
      const made: (readonly [CelValue, CelValue])[] = [];
      for (const step of steps) {
        const key = step.key(meter, scope);
        if (isFailure(key)) return key;
        const value = step.value(meter, scope);
        if (isFailure(value)) return value;
        if (!step.isOptional) made.push([key, value]);
        else if (!isOptionalValue(value))
          return failure(`cannot initialize optional entry '${printKey(key)}' from non-optional value ${printKey(value)}`);
        else if (value.value !== undefined) made.push([key, value.value]);
      }
      if (steps.length > 0) meter.spend(mapCost);
      return mapOf(made);
    };
  }

  #struct(expression: StructExpression): Step {
    const type = this.#checked.typeOf(expression);
    const steps = expression.fields.map(({ name, value, optional: isOptional }) => ({ name, value: this.plan(value), isOptional }));
    return (meter, scope) => {
      const fields = new Map<string, CelValue>();
      for (const { name, value: step, isOptional } of steps) {
        const value = step(meter, scope);
        if (isFailure(value)) return value;
        if (!isOptional) fields.set(name, value);
        else if (!isOptionalValue(value))
          return failure(`cannot initialize optional entry '${name}' from non-optional value ${printKey(value)}`);
        else if (value.value === undefined) fields.delete(name);
        else fields.set(name, value.value);
      }
      meter.spend(structCost);
      return structValue(type, fields);
    };
  }

  #loop(loop: Comprehension): Step {
    const [range, initial, condition, step, result] = [loop.range, loop.initial, loop.condition, loop.step, loop.result].map((part) =>
      this.plan(part),
    ) as [Step, Step, Step, Step, Step];
    const { variable, second, accumulator } = loop;
    return (meter, scope) => {
      const over = range(meter, scope);
      if (isFailure(over)) return over;
      const rounds = roundsOf(over, second !== undefined);
      if (isFailure(rounds)) return rounds;
      const value = initial(meter, scope);
      /** One round: the new accumulator, or undefined at the end. Each has a cost, so that a loop cannot run for free. */
      const round = ([first, last]: Round, current: Outcome): { readonly value: Outcome } | undefined => {
        const inner: Scope = { name: variable, value: first, outer: { name: accumulator, value: current, outer: scope } };
        const both = second === undefined ? inner : { name: second, value: last, outer: inner };
        return condition(meter, both) === false ? undefined : { value: step(meter, both) };
      };
      const end = (current: Outcome): Outcome => result(meter, { name: accumulator, value: current, outer: scope });
      return meter.turns === undefined
        ? loopAtOnce(rounds, value, round, end)
        : loopInTurns(meter, meter.turns, { rounds, value, round, end });
    };
  }
}

/** Returns the loop variables of each iteration. */
function roundsOf(over: CelValue, twoVariables: boolean): readonly Round[] | CelFailure {
  if (typeof over !== "object" || over === null || !("kind" in over)) return failure(`got '${goTypeName(over)}', expected iterable type`);
  if (over.kind === "map") return over.keys().map((key) => [key, twoVariables ? (over.find(key) ?? null) : null] as const);
  if (over.kind !== "list") return failure(`got '${goTypeName(over)}', expected iterable type`);
  return Array.from({ length: over.size }, (_none, index) =>
    twoVariables ? ([BigInt(index), over.at(index)] as const) : ([over.at(index), null] as const),
  );
}

/** The failure of a field of a list. */
const noTextIndex = failure("unsupported index type 'string' in list");

/** The argument whose elements cel-go counts for the cost of a call, whatever it turned out to be. */
function countedList(overload: string): number | undefined {
  if (overload === "list_distinct" || /^list_\w+_sort$/.test(overload)) return 0;
  return overload.endsWith("_sortByAssociatedKeys") ? 1 : undefined;
}

/** cel-go does not expect anything but a list there: the whole evaluation ends. */
function mustBeList(counted: Outcome): void {
  if (!isFailure(counted) && isListValue(counted)) return;
  const type = isFailure(counted) ? "*types.Err" : goTypeName(counted);
  const missing = addable.includes(type) ? "Contains" : "Add";
  throw new EvaluationPanic(`internal error: interface conversion: ${type} is not traits.Lister: missing method ${missing}`);
}

/** Types of cel-go that have the first method of a list, in the order of their names. */
const addable: readonly string[] = [
  "types.Int",
  "types.Uint",
  "types.Double",
  "types.String",
  "types.Bytes",
  "types.Duration",
  "types.Timestamp",
];

function fieldOf(object: CelValue, field: string): Outcome {
  if (isMapValue(object)) return valueAt(object, field);
  return isListValue(object) ? noTextIndex : failure(`no such key: ${field}`);
}

function hasField(object: CelValue, field: string): Outcome {
  const inner = isOptionalValue(object) ? object.value : object;
  if (inner !== undefined && isListValue(inner)) return noTextIndex;
  if (inner === undefined || !isMapValue(inner)) return false;
  const found = inner.find(field);
  return isFailure(found) ? found : found !== undefined;
}

function optionalField({ value }: { readonly value: CelValue | undefined }, field: string): Outcome {
  if (value === undefined) return none;
  if (!isMapValue(value)) return failure(`no such key: ${field}`);
  const found = value.find(field);
  return isFailure(found) ? found : optional(found);
}

function at(object: CelValue, key: CelValue): Outcome {
  if (isMapValue(object)) return valueAt(object, key);
  if (isListValue(object)) return itemAt(object, key);
  return failure(`no such key: ${printKey(key)}`);
}

function present(object: CelValue, key: CelValue): Outcome {
  if (!isListValue(object) && !isMapValue(object)) return failure("no such overload: _[?_]");
  const found = at(object, key);
  if (!isFailure(found)) return optional(found);
  return /^(?:no such key|index out of bounds)/.test(found.message) ? none : found;
}

/** Values that cel-go asks for operators which they do not have. */
const isReceiver = (value: CelValue): boolean => ["string", "timestamp", "duration"].includes(kindOf(value));

function unfit(name: string, args: readonly CelValue[]): CelFailure {
  if (["@in", "contains", "startsWith", "endsWith"].includes(name)) return noSuchOverload;
  if (/^[_!-].*_$/.test(name))
    return isReceiver(args[0] ?? null) || hasOperator(name, args[0] ?? null) ? noSuchOverload : failure(`no such overload: ${name}`);
  // cel-go reports less for these.
  if (["size", "matches", "sort", "@sortByAssociatedKeys"].includes(name))
    return isReceiver(args[0] ?? null) ? noSuchOverload : failure(`no such overload: ${name}`);
  return failure(`no such overload: ${name}(${args.map(typeName).join(", ")})`);
}
