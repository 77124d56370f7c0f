/** The environment of an expression: variables with their types, and functions with their overloads. */
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  nullType,
  optionalType,
  stringType,
  timestampType,
  typeOfType,
  typeType,
  uintType,
} from "./cel-type.ts";
import type { CelType } from "./cel-type.ts";
import { cidrType, ipType, parseSignature } from "./signature.ts";
import type { Signature } from "./signature.ts";
import type { CelFailure } from "../value/failure.ts";
import type { CelValue } from "../value/value.ts";

/** One overload of a function. */
export interface Overload extends Signature {
  readonly id: string;
  /** Type parameters of the signature. */
  readonly params: readonly string[];
  /** Undefined for operators that the evaluator implements, because they do not evaluate all arguments. */
  readonly run: Run | undefined;
  /** Returns a faster `run` for constant arguments, which are passed in their positions. @default no faster version */
  readonly prepare?: ((constants: readonly (CelValue | undefined)[]) => Run | undefined) | undefined;
}

/** The implementation of an overload. */
export type Run = (...args: readonly CelValue[]) => CelValue | CelFailure;

/** Declares an overload. `run` is called only with arguments that match the signature. */
export function overload(
  id: string,
  signature: string,
  run?: (...args: never[]) => CelValue | CelFailure,
  prepare?: Overload["prepare"],
): Overload {
  const parsed = parseSignature(signature);
  const params = new Set<string>();
  const collect = ({ kind, name, params: inner }: CelType): void => {
    if (kind === "param") params.add(name);
    inner.forEach(collect);
  };
  [...parsed.args, parsed.result].forEach(collect);
  return { ...parsed, id, params: [...params], run: run as Run | undefined, prepare };
}

export interface Environment {
  readonly variable: (name: string) => CelType | undefined;
  /** Returns all overloads of a function in the order they are tried; undefined for an unknown function. */
  readonly overloads: (name: string) => readonly Overload[] | undefined;
}

/** Types that expressions can name. */
export const namedTypes: ReadonlyMap<string, CelType> = new Map(
  (
    [
      boolType,
      bytesType,
      doubleType,
      durationType,
      intType,
      listType(dynType),
      mapType(dynType, dynType),
      nullType,
      stringType,
      timestampType,
      typeType,
      uintType,
      optionalType(dynType),
      ipType,
      cidrType,
    ] as const
  ).map((type) => [type.name, typeOfType(type)]),
);

/** Groups overloads by function name. */
export function functionTable(overloads: readonly Overload[]): ReadonlyMap<string, readonly Overload[]> {
  const table = new Map<string, Overload[]>();
  for (const each of overloads) {
    const known = table.get(each.name);
    if (known === undefined) table.set(each.name, [each]);
    else known.push(each);
  }
  return table;
}
