/**
 * Estimates the worst-case cost of an expression from the sizes that the schema allows.
 *
 *     Checked, sizes of the data → estimateCost → CostRange
 *
 * The estimate decides which rules a CustomResourceDefinition may have, so it equals kube-apiserver's to the unit, quirks
 * included.
 */
import { isOptional } from "../check/cel-type.ts";
import type { CelType } from "../check/cel-type.ts";
import type { Checked } from "../check/checker.ts";
import { accumulatorName } from "@drover/machinery/cel";
import type { Call, Comprehension, Expression, ListExpression, MapExpression, Select } from "@drover/machinery/cel";
import { codePoints } from "../library/standard.ts";
import { estimateCall } from "./call-estimate.ts";
import type { CallEstimate, EstimatedCall } from "./call-estimate.ts";
import { characterCost, listCost, mapCost } from "./call-cost.ts";
import { addRanges, exactly, most, multiplyRanges, scaleRange, unionRanges, unknownSize } from "./cost-range.ts";
import type { CostRange } from "./cost-range.ts";

/** Returns the size range of the data at a path such as `["self", "spec", "items", "@items"]`; undefined if unknown. */
export type SizeAt = (path: readonly string[]) => CostRange | undefined;

/** Returns the cost of an expression. */
export function estimateCost(checked: Checked, sizeAt: SizeAt): CostRange {
  return new Estimator(checked, sizeAt).cost(checked.expression);
}

/** Sizes of the entries of a list or map. */
interface EntrySizes {
  readonly container: "list" | "map";
  readonly key: CostRange;
  readonly value: CostRange;
}

interface LocalVariable {
  readonly path: readonly string[];
  readonly size: CostRange | undefined;
  readonly entries: EntrySizes | undefined;
}

const zero = exactly(0n);
const one = exactly(1n);

class Estimator {
  readonly #checked: Checked;
  readonly #sizeAt: SizeAt;
  readonly #costs = new Map<Expression, CostRange>();
  readonly #paths = new Map<Expression, readonly string[]>();
  readonly #sizes = new Map<Expression, CostRange>();
  readonly #entries = new Map<Expression, EntrySizes>();
  readonly #locals = new Map<string, LocalVariable[]>();

  constructor(checked: Checked, sizeAt: SizeAt) {
    this.#checked = checked;
    this.#sizeAt = sizeAt;
  }

  /** Shared subexpressions cost the same in every place. */
  cost(expression: Expression): CostRange {
    const known = this.#costs.get(expression);
    if (known !== undefined) return known;
    const cost = this.#costNew(expression);
    this.#costs.set(expression, cost);
    return cost;
  }

  #costNew(expression: Expression): CostRange {
    switch (expression.kind) {
      case "literal":
      case "struct":
        return zero;
      case "identifier":
        this.#paths.set(expression, this.#local(expression)?.path ?? [expression.name]);
        return one;
      case "select":
        return this.#select(expression);
      case "call":
        return this.#call(expression);
      case "list":
        return this.#list(expression);
      case "map":
        return this.#map(expression);
      case "comprehension":
      default:
        return isBinding(expression) ? this.#binding(expression) : this.#loop(expression);
    }
  }

  #local(expression: Expression): LocalVariable | undefined {
    return expression.kind === "identifier" ? this.#locals.get(expression.name)?.at(-1) : undefined;
  }

  #path(expression: Expression): readonly string[] {
    return this.#local(expression)?.path ?? this.#paths.get(expression) ?? [];
  }

  /** Binds a name while `run` runs. */
  #with<T>(name: string, variable: LocalVariable, run: () => T): T {
    const known = this.#locals.get(name) ?? [];
    this.#locals.set(name, [...known, variable]);
    const result = run();
    this.#locals.set(name, known);
    return result;
  }

  #size(expression: Expression): CostRange | undefined {
    const known = this.#sizes.get(expression) ?? literalSize(expression);
    if (known !== undefined) return known;
    const path = this.#path(expression);
    const estimated = path.length === 0 ? undefined : this.#sizeAt(path);
    if (estimated !== undefined) {
      this.#sizes.set(expression, estimated);
      return estimated;
    }
    return isScalar(this.#checked.typeOf(expression)) ? one : this.#local(expression)?.size;
  }

  #sizeOrUnknown(expression: Expression): CostRange {
    return this.#size(expression) ?? unknownSize;
  }

  #entrySizes(expression: Expression): EntrySizes | undefined {
    return this.#entries.get(expression) ?? this.#local(expression)?.entries;
  }

  #select(select: Select): CostRange {
    const operand = this.cost(select.operand);
    if (select.test) return operand;
    const { kind } = this.#checked.typeOf(select.operand);
    this.#paths.set(select, [...this.#path(select.operand), select.field]);
    return kind === "map" || kind === "struct" || kind === "param" ? addRanges(operand, one) : operand;
  }

  #call(call: Call): CostRange {
    const [first] = call.args;
    if (call.name === "dyn" && call.target === undefined && first !== undefined) {
      const cost = addRanges(one, this.cost(first));
      this.#copySizes(call, first);
      return cost;
    }
    const argCosts = call.args.map((arg) => this.cost(arg));
    const resolution = this.#checked.resolutionOf(call);
    const ids = resolution?.overloads.map(({ id }) => id) ?? (call.name === "_?._" ? ["select_optional_field"] : []);
    if (ids.length === 0) return zero;
    const target = resolution?.hasTarget === true ? call.target : undefined;
    const targetCost = target === undefined ? zero : this.cost(target);
    let cost: CostRange = { min: most, max: 0n };
    let size: CostRange | undefined;
    for (const id of ids) {
      const estimate = this.#overload(call, { name: resolution?.name ?? call.name, id, target, argCosts });
      cost = unionRanges(cost, estimate.cost);
      if (estimate.size !== undefined) size = size === undefined ? estimate.size : unionRanges(size, estimate.size);
      if (first !== undefined && (id === "index_list" || id === "index_map")) {
        size = this.#entrySizes(first)?.value;
        this.#paths.set(call, [...this.#path(first), id === "index_list" ? "@items" : "@values"]);
      }
      size ??= this.#size(call);
    }
    if (size !== undefined) this.#sizes.set(call, size);
    return addRanges(targetCost, cost);
  }

  #overload(
    call: Call,
    {
      name,
      id,
      target,
      argCosts,
    }: { readonly name: string; readonly id: string; readonly target: Expression | undefined; readonly argCosts: readonly CostRange[] },
  ): CallEstimate {
    const { args } = call;
    const asked: EstimatedCall = {
      name,
      id,
      target,
      args,
      sizeOf: (part) => this.#sizeOrUnknown(part),
      elementSize: (list) => this.#elementSize(list),
      typeOf: this.#checked.typeOf,
    };
    const estimate = estimateCall(asked);
    if (estimate !== undefined) return { ...estimate, cost: addRanges(estimate.cost, ...argCosts) };
    const [first = zero, second = zero, third = zero] = argCosts;
    switch (id) {
      case "logical_or":
      case "logical_and":
        return { cost: { min: first.min, max: addRanges(...argCosts).max } };
      case "conditional":
        return { cost: addRanges(first, unionRanges(second, third)), size: this.#conditionalSize(call) };
      case "add_string":
      case "add_bytes":
      case "add_list":
        return this.#sum(call, id, argCosts);
      default:
        return { cost: addRanges(one, ...argCosts) };
    }
  }

  #conditionalSize(call: Call): CostRange {
    const [, whenTrue, whenFalse] = call.args as [Expression, Expression, Expression];
    const entries = unionEntries(this.#entrySizes(whenTrue), this.#entrySizes(whenFalse));
    if (entries !== undefined) this.#entries.set(call, entries);
    return unionRanges(this.#sizeOrUnknown(whenTrue), this.#sizeOrUnknown(whenFalse));
  }

  #sum(call: Call, id: string, argCosts: readonly CostRange[]): CallEstimate {
    const [left, right] = call.args as [Expression, Expression];
    const size = addRanges(this.#sizeOrUnknown(left), this.#sizeOrUnknown(right));
    const entries = unionEntries(this.#entrySizes(left), this.#entrySizes(right));
    if (entries !== undefined) this.#entries.set(call, entries);
    const own = id === "add_list" ? one : scaleRange(size, characterCost);
    return { cost: addRanges(own, ...argCosts), size };
  }

  /** Returns the size of a list's elements; undefined if it is not a list. */
  #elementSize(list: Expression): CostRange | undefined {
    if (this.#checked.typeOf(list).params.length === 0) return undefined;
    const path = this.#path(list);
    const isRooted = path.length > 0 && path[0] !== accumulatorName;
    return (isRooted ? this.#sizeAt([...path, "@items"]) : undefined) ?? unknownSize;
  }

  #list(list: ListExpression): CostRange {
    const costs = list.elements.map((element) => this.cost(element));
    const value = list.elements
      .map((element) => this.#sizeOrUnknown(element))
      .reduce(unionRanges, { min: list.elements.length === 0 ? 0n : most, max: 0n });
    this.#entries.set(list, { container: "list", key: one, value });
    return addRanges(exactly(listCost), ...costs);
  }

  #map(map: MapExpression): CostRange {
    const nothing: CostRange = { min: map.entries.length === 0 ? 0n : most, max: 0n };
    const costs = map.entries.flatMap(({ key, value }) => [this.cost(key), this.cost(value)]);
    const sizes = (part: "key" | "value"): CostRange =>
      map.entries.map((entry) => this.#sizeOrUnknown(entry[part])).reduce(unionRanges, nothing);
    this.#entries.set(map, { container: "map", key: sizes("key"), value: sizes("value") });
    return addRanges(exactly(mapCost), ...costs);
  }

  #loop(loop: Comprehension): CostRange {
    const before = addRanges(this.cost(loop.range), this.cost(loop.initial));
    const accumulator: LocalVariable = {
      path: this.#path(loop.initial),
      size: this.#size(loop.initial),
      entries: this.#entrySizes(loop.initial),
    };
    const around = this.#with(loop.accumulator, accumulator, () => {
      const round = this.#with(loop.variable, this.#loopVariable(loop, loop.second === undefined ? "only" : "first"), () => {
        const both = (): CostRange => addRanges(this.cost(loop.condition), this.cost(loop.step));
        return loop.second === undefined ? both() : this.#with(loop.second, this.#loopVariable(loop, "second"), both);
      });
      return { round, result: this.cost(loop.result) };
    });
    const rounds = this.#sizeOrUnknown(loop.range);
    this.#setLoopSize(loop, rounds);
    return addRanges(before, around.result, multiplyRanges(rounds, around.round));
  }

  #loopVariable({ range }: Comprehension, which: "only" | "first" | "second"): LocalVariable {
    const entries = this.#entrySizes(range);
    const isList = (entries?.container ?? this.#checked.typeOf(range).kind) === "list";
    const isValue = which === "second" || (which === "only" && isList);
    const step = isValue ? (isList ? "@items" : "@values") : isList ? "@indices" : "@keys";
    return { path: [...this.#path(range), step], size: isValue ? entries?.value : entries?.key, entries: undefined };
  }

  #setLoopSize(loop: Comprehension, rounds: CostRange): void {
    const { kind } = loop.initial;
    if (kind === "literal") this.#sizes.set(loop, this.#sizeOrUnknown(loop.initial));
    if (kind !== "list" && kind !== "map") return;
    this.#sizes.set(loop, rounds);
    const entries = this.#entrySizes(loop.step);
    if (entries !== undefined) this.#entries.set(loop, entries);
  }

  #binding(loop: Comprehension): CostRange {
    const before = addRanges(this.cost(loop.range), this.cost(loop.initial));
    const bound: LocalVariable = {
      path: this.#path(loop.initial),
      size: this.#size(loop.initial),
      entries: this.#entrySizes(loop.initial),
    };
    const result = this.#with(loop.accumulator, bound, () => {
      const cost = this.cost(loop.result);
      this.#copySizes(loop, loop.result);
      return cost;
    });
    return addRanges(before, result);
  }

  #copySizes(to: Expression, from: Expression): void {
    const [size, entries] = [this.#size(from), this.#entrySizes(from)];
    if (size !== undefined) this.#sizes.set(to, size);
    if (entries !== undefined) this.#entries.set(to, entries);
  }
}

function unionEntries(a: EntrySizes | undefined, b: EntrySizes | undefined): EntrySizes | undefined {
  return a === undefined || b === undefined
    ? undefined
    : { container: a.container, key: unionRanges(a.key, b.key), value: unionRanges(a.value, b.value) };
}

const isBinding = ({ range, condition, accumulator }: Comprehension): boolean =>
  range.kind === "list" &&
  range.elements.length === 0 &&
  condition.kind === "literal" &&
  condition.value === false &&
  accumulator !== accumulatorName;

function literalSize(expression: Expression): CostRange | undefined {
  if (expression.kind === "list") return exactly(expression.elements.length);
  if (expression.kind === "map") return exactly(expression.entries.length);
  if (expression.kind !== "literal") return undefined;
  const { value } = expression;
  return exactly(typeof value === "string" ? codePoints(value) : value instanceof Uint8Array ? value.length : 1);
}

function isScalar(type: CelType): boolean {
  const [inner] = type.params;
  if (isOptional(type)) return inner !== undefined && isScalar(inner);
  return ["bool", "double", "duration", "int", "timestamp", "uint"].includes(type.kind);
}
