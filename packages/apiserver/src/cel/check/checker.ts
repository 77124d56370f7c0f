/**
 * The type checker: assigns a type to every subexpression and resolves calls to overloads.
 *
 *     Expression, Environment → checkExpression → Checked, or issues
 *
 * The order in which overloads are tried and the texts of errors are cel-go's.
 */
import type {
  CelIssue,
  Call,
  Comprehension,
  Expression,
  ListExpression,
  LiteralValue,
  MapExpression,
  Select,
  StructExpression,
  StructField,
} from "@drover/machinery/cel";
import { qualifiedName } from "@drover/machinery/cel";
import {
  boolType,
  bytesType,
  doubleType,
  dynType,
  errorType,
  intType,
  isOptional,
  listType,
  mapType,
  nullType,
  optionalType,
  paramType,
  printType,
  sameType,
  stringType,
  uintType,
  withoutOptional,
} from "./cel-type.ts";
import type { CelType } from "./cel-type.ts";
import type { Environment, Overload } from "./environment.ts";
import { fitAll, moreGeneral, resolve, resolveFully } from "./unify.ts";
import type { Bindings } from "./unify.ts";

/** The resolution of a call: the function's full name and the overloads that fit the argument types. */
export interface Resolution {
  readonly name: string;
  readonly overloads: readonly Overload[];
  /** Whether the operand before the dot is an argument, rather than part of the name. */
  readonly hasTarget: boolean;
}

/** A type-checked expression. */
export interface Checked {
  readonly expression: Expression;
  readonly type: CelType;
  readonly typeOf: (part: Expression) => CelType;
  readonly resolutionOf: (call: Call) => Resolution | undefined;
  /** Returns the variable that an identifier or a selection names. */
  readonly variableOf: (part: Expression) => string | undefined;
  /** The variables of the environment that the expression uses. */
  readonly variables: ReadonlySet<string>;
}

/** Checks an expression. */
export function checkExpression(expression: Expression, environment: Environment): Checked | { readonly issues: readonly CelIssue[] } {
  const checker = new Checker(environment);
  checker.check(expression);
  return checker.issues.length > 0 ? { issues: checker.issues } : checker.checked(expression);
}

interface Scope {
  readonly variables: ReadonlyMap<string, CelType>;
  readonly outer: Scope | undefined;
}

class Checker {
  readonly issues: CelIssue[] = [];
  readonly #environment: Environment;
  readonly #types = new Map<Expression, CelType>();
  readonly #resolutions = new Map<Call, Resolution>();
  readonly #names = new Map<Expression, string>();
  readonly #used = new Set<string>();
  #scope: Scope | undefined;
  readonly #bindings: Bindings = new Map();
  #freeTypes = 0;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  checked(expression: Expression): Checked {
    const typeOf = (part: Expression): CelType => resolveFully(this.#bindings, this.#typeOf(part));
    return {
      expression,
      type: typeOf(expression),
      typeOf,
      resolutionOf: (call) => this.#resolutions.get(call),
      variableOf: (part) => this.#names.get(part),
      variables: this.#used,
    };
  }

  /** Macros share subexpressions; each is checked once, or nested macros would take exponential time. */
  check(expression: Expression): void {
    if (!this.#types.has(expression)) this.#types.set(expression, this.#infer(expression));
  }

  #infer(expression: Expression): CelType {
    switch (expression.kind) {
      case "literal":
        return literalType(expression.value);
      case "identifier":
        return this.#variable(expression, expression.name) ?? this.#undeclared(expression.position, expression.name);
      case "select":
        return this.#inferSelect(expression);
      case "call":
        return expression.name === "_?._" ? this.#inferOptionalSelect(expression) : this.#inferCall(expression);
      case "list":
        return this.#inferList(expression);
      case "map":
        return this.#inferMap(expression);
      case "struct":
        return this.#inferStruct(expression);
      case "comprehension":
      default:
        return this.#inferLoop(expression);
    }
  }

  #typeOf(expression: Expression): CelType {
    return this.#types.get(expression) ?? errorType;
  }

  #report(position: number, message: string): void {
    this.issues.push({ position, message });
  }

  #undeclared(position: number, name: string): CelType {
    this.#report(position, `undeclared reference to '${name}' (in container '')`);
    return errorType;
  }

  #variable(expression: Expression, name: string): CelType | undefined {
    const plain = name.startsWith(".") ? name.slice(1) : name;
    for (let scope = name.startsWith(".") ? undefined : this.#scope; scope !== undefined; scope = scope.outer) {
      const type = scope.variables.get(plain);
      if (type === undefined) continue;
      this.#names.set(expression, plain);
      return type;
    }
    const type = this.#environment.variable(plain);
    if (type === undefined) return undefined;
    this.#names.set(expression, plain);
    this.#used.add(plain);
    return type;
  }

  #inferSelect(select: Select): CelType {
    const name = qualifiedName(select);
    const variable = name === undefined ? undefined : this.#variable(select, name);
    if (variable !== undefined) return variable;
    const type = this.#fieldType(select, select.operand, select.field);
    return select.test ? boolType : resolve(this.#bindings, type);
  }

  #inferOptionalSelect(call: Call): CelType {
    const [operand, field] = call.args;
    if (operand === undefined || field?.kind !== "literal") return errorType;
    const type = this.#fieldType(call, operand, typeof field.value === "string" ? field.value : "");
    return isOptional(type) ? type : optionalType(resolve(this.#bindings, type));
  }

  #fieldType({ position }: Expression, operand: Expression, field: string): CelType {
    this.check(operand);
    const operandType = resolve(this.#bindings, this.#typeOf(operand));
    const found = this.#fieldOf(withoutOptional(operandType), field, position);
    return isOptional(operandType) ? optionalType(found) : found;
  }

  #fieldOf(type: CelType, field: string, position: number): CelType {
    if (type.kind === "map") return type.params[1] ?? dynType;
    if (type.kind === "struct") {
      const found = type.fields?.get(field);
      if (found !== undefined) return found;
      if (type.isOpen === true) return dynType;
      this.#report(position, type.fields === undefined ? `unexpected failed resolution of '${type.name}'` : `undefined field '${field}'`);
      return errorType;
    }
    if (type.kind === "param") this.#fit([dynType], [type]);
    else if (type.kind !== "dyn" && type.kind !== "error")
      this.#report(position, `type '${printType(type)}' does not support field selection`);
    return dynType;
  }

  #inferCall(call: Call): CelType {
    for (const arg of call.args) this.check(arg);
    if (call.target === undefined) return this.#resolveNamed(call, call.name.startsWith(".") ? call.name.slice(1) : call.name);
    const prefix = qualifiedName(call.target);
    const qualified = prefix === undefined ? undefined : `${prefix}.${call.name}`;
    if (qualified !== undefined && this.#environment.overloads(qualified) !== undefined) return this.#resolveNamed(call, qualified);
    this.check(call.target);
    return this.#resolveNamed(call, call.name, call.target);
  }

  #resolveNamed(call: Call, name: string, target?: Expression): CelType {
    const overloads = this.#environment.overloads(name);
    if (overloads === undefined) return this.#undeclared(call.position, name);
    if (name === "_&&_" || name === "_||_") return this.#resolveLogical(call, overloads);
    const args = [...(target === undefined ? [] : [target]), ...call.args].map((arg) => this.#typeOf(arg));
    const fitting: Overload[] = [];
    let result: CelType | undefined;
    for (const overload of overloads) {
      if (overload.isMethod !== (target !== undefined)) continue;
      const fresh = this.#freshParams(overload);
      if (!this.#fit(args, fresh.args)) continue;
      fitting.push(overload);
      const type = resolve(this.#bindings, fresh.result);
      if (result === undefined) result = type;
      else if (result.kind !== "dyn" && !sameType(result, type)) result = dynType;
    }
    if (result === undefined) {
      const texts = args.map((arg) => printType(resolveFully(this.#bindings, arg)));
      const [receiver, ...rest] = texts;
      this.#report(
        call.position,
        `found no matching overload for '${name}' applied to '${target === undefined ? `(${texts.join(", ")})` : `${receiver}.(${rest.join(", ")})`}'`,
      );
      return errorType;
    }
    this.#resolutions.set(call, { name, overloads: fitting, hasTarget: target !== undefined });
    return result;
  }

  #resolveLogical(call: Call, overloads: readonly Overload[]): CelType {
    let failed = false;
    for (const arg of call.args) {
      if (this.#fit([this.#typeOf(arg)], [boolType])) continue;
      this.#mismatch(arg, boolType, this.#typeOf(arg));
      failed = true;
    }
    this.#resolutions.set(call, { name: call.name, overloads, hasTarget: false });
    return failed ? errorType : boolType;
  }

  #mismatch({ position }: Expression, wanted: CelType, found: CelType): void {
    this.#report(position, `expected type '${printType(wanted)}' but found '${printType(found)}'`);
  }

  /** Returns the overload's types with fresh type parameters for this call. */
  #freshParams({ args, result, params }: Overload): Pick<Overload, "args" | "result"> {
    if (params.length === 0) return { args, result };
    const fresh: Bindings = new Map(params.map((name) => [name, this.#freeType()]));
    return { args: args.map((arg) => resolve(fresh, arg)), result: resolve(fresh, result) };
  }

  #freeType(): CelType {
    return paramType(`_var${this.#freeTypes++}`);
  }

  #fit(types: readonly CelType[], wanted: readonly CelType[]): boolean {
    return fitAll(this.#bindings, types, wanted);
  }

  #join(previous: CelType | undefined, type: CelType): CelType {
    if (previous === undefined) return type;
    if (this.#fit([previous], [type])) return moreGeneral(previous, type);
    return dynType;
  }

  /** Returns the type of a literal's element; an element marked optional must have an optional type. */
  #elementType(element: Expression, optional: boolean): CelType {
    this.check(element);
    const type = this.#typeOf(element);
    if (!optional) return type;
    const inner = withoutOptional(type);
    if (!isOptional(type) && type.kind !== "dyn") this.#mismatch(element, optionalType(inner), inner);
    return inner;
  }

  #inferList({ elements, optional }: ListExpression): CelType {
    let joined: CelType | undefined;
    for (const [index, element] of elements.entries()) joined = this.#join(joined, this.#elementType(element, optional.has(index)));
    return listType(joined ?? this.#freeType());
  }

  #inferMap({ entries }: MapExpression): CelType {
    let keys: CelType | undefined;
    let values: CelType | undefined;
    for (const { key, value, optional } of entries) {
      keys = this.#join(keys, this.#elementType(key, false));
      values = this.#join(values, this.#elementType(value, optional));
    }
    return mapType(keys ?? this.#freeType(), values ?? this.#freeType());
  }

  #inferStruct({ position, name, fields }: StructExpression): CelType {
    const type = this.#environment.variable(name.startsWith(".") ? name.slice(1) : name);
    if (type === undefined) return this.#undeclared(position, name);
    const made = type.kind === "type" ? type.params[0] : undefined;
    if (made?.kind === "struct" && (made.fields !== undefined || made.isOpen === true)) {
      for (const field of fields) this.#checkField(made, field);
      return made;
    }
    for (const { value } of fields) this.check(value);
    this.#report(position, made === undefined ? `'${printType(type)}' is not a type` : `'${made.name}' is not a message type`);
    return errorType;
  }

  #checkField(made: CelType, { name, value, optional, position }: StructField): void {
    const type = this.#elementType(value, optional);
    const wanted = made.fields?.get(name) ?? (made.isOpen === true ? dynType : undefined);
    if (wanted === undefined) this.#report(position, `undefined field '${name}'`);
    else if (!this.#fit([wanted], [type]))
      this.#report(position, `expected type of field '${name}' is '${printType(wanted)}' but provided type is '${printType(type)}'`);
  }

  #inferLoop(loop: Comprehension): CelType {
    this.check(loop.range);
    this.check(loop.initial);
    const rangeType = resolve(this.#bindings, this.#typeOf(loop.range));
    const accumulator = this.#typeOf(loop.initial);
    const outer = this.#scope;
    const [first, second] = this.#variablesOf(loop, rangeType);
    const around: Scope = { variables: new Map([[loop.accumulator, accumulator]]), outer };
    this.#scope = {
      variables: new Map([[loop.variable, first], ...(loop.second === undefined ? [] : [[loop.second, second] as const])]),
      outer: around,
    };
    this.check(loop.condition);
    this.#assert(loop.condition, boolType);
    this.check(loop.step);
    this.#assert(loop.step, accumulator);
    this.#scope = around;
    this.check(loop.result);
    this.#scope = outer;
    return resolve(this.#bindings, this.#typeOf(loop.result));
  }

  #variablesOf({ range, second }: Comprehension, type: CelType): readonly [CelType, CelType] {
    const [first = dynType, last = dynType] = type.params;
    if (type.kind === "list") return second === undefined ? [first, dynType] : [intType, first];
    if (type.kind === "map") return [first, last];
    if (type.kind === "param") this.#fit([dynType], [type]);
    if (type.kind === "param" || type.kind === "dyn" || type.kind === "error") return [dynType, dynType];
    this.#report(
      range.position,
      `expression of type '${printType(type)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
    );
    return [errorType, errorType];
  }

  #assert(expression: Expression, wanted: CelType): void {
    const type = this.#typeOf(expression);
    if (!this.#fit([wanted], [type])) this.#mismatch(expression, wanted, type);
  }
}

function literalType(value: LiteralValue): CelType {
  if (value === null) return nullType;
  if (typeof value === "boolean") return boolType;
  if (typeof value === "bigint") return intType;
  if (typeof value === "number") return doubleType;
  if (typeof value === "string") return stringType;
  return value instanceof Uint8Array ? bytesType : uintType;
}
