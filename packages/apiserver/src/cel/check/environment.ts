/** What an expression may speak of: variables with their types, and functions with their overloads. */
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

/** One way to call a function. */
export interface Overload extends Signature {
  readonly id: string;
  /** The type parameters in the signature. */
  readonly params: readonly string[];
  /** Undefined for what the evaluator does itself: operators that need not look at all of their arguments. */
  readonly run: Run | undefined;
  /** A quicker way to run it where some arguments are constants; the constants stand in their places. @default there is none */
  readonly prepare?: ((constants: readonly (CelValue | undefined)[]) => Run | undefined) | undefined;
}

/** The work of a function. */
export type Run = (...args: readonly CelValue[]) => CelValue | CelFailure;

/** A row of a table of functions. The arguments have been checked against the signature when `run` is called. */
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
  /** All overloads of a function in the order they are tried; undefined when there is no such function. */
  readonly overloads: (name: string) => readonly Overload[] | undefined;
}

/** The types that have a name of their own in expressions. */
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

/** Functions by name. */
export function functionTable(overloads: readonly Overload[]): ReadonlyMap<string, readonly Overload[]> {
  const table = new Map<string, Overload[]>();
  for (const each of overloads) {
    const known = table.get(each.name);
    if (known === undefined) table.set(each.name, [each]);
    else known.push(each);
  }
  return table;
}
