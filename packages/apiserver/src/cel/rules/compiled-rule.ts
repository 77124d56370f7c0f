/**
 * Compiles the rules of one schema: programs, cost estimates and compile errors.
 *
 *     Schema, SchemaType → compileRules → CompiledRule[]
 */
import { getOwn } from "@drover/machinery";
import type { Schema, ValidationRule } from "@drover/machinery";
import { boolType, optionalType, sameType, stringType } from "../check/cel-type.ts";
import type { CelType } from "../check/cel-type.ts";
import { namedTypes } from "../check/environment.ts";
import type { Environment } from "../check/environment.ts";
import { estimateCost } from "../cost/cost-estimator.ts";
import type { CostRange } from "../cost/cost-range.ts";
import { constantProblem } from "../evaluate/constant.ts";
import { compileProgram } from "../evaluate/program.ts";
import type { Program } from "../evaluate/program.ts";
import { library } from "../library/library.ts";
import { celType, typeAt } from "../schema/schema-type.ts";
import type { SchemaType } from "../schema/schema-type.ts";
import { checkText } from "./check-text.ts";

/** A compiled expression, or why it does not compile. */
export type Compiled =
  | { readonly program: Program; readonly usesOldSelf: boolean; readonly maxCost: bigint }
  | { readonly problem: string };

export interface CompiledRule {
  readonly rule: ValidationRule;
  /** Undefined for a rule without an expression, which other validation reports. */
  readonly check: Compiled | undefined;
  readonly message: Compiled | undefined;
  /** Path of the errors below the validated value; "" for the value itself. */
  readonly fieldPath: string;
}

/** Compiles the rules of a schema whose data has this type. */
export function compileRules(schema: Schema, type: SchemaType): CompiledRule[] {
  const self = celType(type, "selfType0");
  const sizeAt = (path: readonly string[]): CostRange | undefined => {
    const found = typeAt(type, path.slice(1));
    return found === undefined ? undefined : { min: 0n, max: BigInt(found.maxElements) };
  };
  return (schema["x-kubernetes-validations"] ?? []).map((rule) => {
    const environment = environmentOf(self, rule.optionalOldSelf === true);
    const check =
      rule.rule.trim() === ""
        ? undefined
        : compile(rule.rule, environment, { sizeAt, wanted: boolType, prefix: "", noun: "cel expression must evaluate to a bool" });
    const isReady = check !== undefined && "program" in check && (rule.messageExpression ?? "") !== "";
    const message = isReady
      ? compile(rule.messageExpression ?? "", environment, {
          sizeAt,
          wanted: stringType,
          prefix: "messageExpression ",
          noun: "messageExpression must evaluate to a string",
        })
      : undefined;
    return { rule, check, message, fieldPath: normalFieldPath(rule.fieldPath ?? "", schema) };
  });
}

function environmentOf(self: CelType, oldIsOptional: boolean): Environment {
  const variables: ReadonlyMap<string, CelType> = new Map([
    ["self", self],
    ["oldSelf", oldIsOptional ? optionalType(self) : self],
  ]);
  return { variable: (name) => variables.get(name) ?? namedTypes.get(name), overloads: (name) => library.get(name) };
}

interface CompileRequest {
  readonly sizeAt: (path: readonly string[]) => CostRange | undefined;
  readonly wanted: CelType;
  readonly prefix: string;
  /** The problem of an expression with another type. */
  readonly noun: string;
}

function compile(text: string, environment: Environment, { sizeAt, wanted, prefix, noun }: CompileRequest): Compiled {
  const checked = checkText(text, environment);
  if ("issues" in checked) return { problem: `${prefix}compilation failed: ${checked.issues}` };
  if (!sameType(checked.type, wanted)) return { problem: noun };
  const problem = constantProblem(checked);
  if (problem !== undefined) return { problem: `${prefix === "" ? "program " : prefix}instantiation failed: ${problem}` };
  return { program: compileProgram(checked), usesOldSelf: checked.variables.has("oldSelf"), maxCost: estimateCost(checked, sizeAt).max };
}

/** Normalizes `.spec['a']` as errors print it: fields with dots, map keys in brackets. */
function normalFieldPath(fieldPath: string, root: Schema): string {
  let path = "";
  let schema: Schema | undefined = root;
  for (const [, plain, quoted] of fieldPath.matchAll(/\.([^.[\]]+)|\['((?:[^'\\]|\\[^])*)'\]/g)) {
    const name: string = plain ?? (quoted ?? "").replaceAll(/\\([^])/g, "$1");
    const isField: boolean = schema?.properties !== undefined;
    path += isField ? `${path === "" ? "" : "."}${name}` : `[${name}]`;
    schema = isField
      ? getOwn(schema?.properties ?? {}, name)
      : typeof schema?.additionalProperties === "object"
        ? schema.additionalProperties
        : undefined;
  }
  return path;
}
