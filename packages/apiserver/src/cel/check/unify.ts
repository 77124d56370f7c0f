/**
 * Type unification. Type parameters of functions (`A` in `list(A)`) and of empty literals are bound while an overload is tried,
 * and stay bound only if it fits.
 */
import { dynType, sameType } from "./cel-type.ts";
import type { CelType } from "./cel-type.ts";

/** Bindings of type parameters by name. */
export type Bindings = Map<string, CelType>;

const isWild = ({ kind }: CelType): boolean => kind === "dyn" || kind === "error";

/** Returns the bindings under which all types fit; undefined if there are none. */
export function fitAll(bindings: Bindings, types: readonly CelType[], wanted: readonly CelType[]): Bindings | undefined {
  if (types.length !== wanted.length) return undefined;
  const trial = new Map(bindings);
  return types.every((type, index) => fits(trial, type, wanted[index] ?? dynType)) ? trial : undefined;
}

function fits(bindings: Bindings, a: CelType, b: CelType): boolean {
  if (b.kind === "param") {
    const outcome = substitutes(bindings, a, b);
    if (outcome !== "free") return outcome === "fits";
  }
  if (a.kind === "param") return substitutes(bindings, b, a) === "fits";
  if (isWild(a) || isWild(b)) return true;
  if (a.kind === "null") return b.kind === "null" || isNullable(b);
  if (b.kind === "null") return isNullable(a);
  if (a.kind === "type") return b.kind === "type";
  if (a.params.length === 0 && b.params.length === 0) return a.kind === b.kind && a.name === b.name;
  return (
    a.kind === b.kind &&
    a.name === b.name &&
    a.params.length === b.params.length &&
    a.params.every((param, index) => fits(bindings, param, b.params[index] ?? dynType))
  );
}

const isNullable = ({ kind }: CelType): boolean => kind === "opaque" || kind === "struct" || kind === "duration" || kind === "timestamp";

/** Whether the parameter can be bound to the type; "free" when it is unbound and this binding is not allowed. */
function substitutes(bindings: Bindings, type: CelType, param: CelType): "fits" | "differs" | "free" {
  if (sameType(type, param)) return "fits";
  const bound = bindings.get(param.name);
  if (bound === undefined) {
    if (occursIn(bindings, param, type)) return "free";
    bindings.set(param.name, type);
    return "fits";
  }
  if (sameType(type, bound)) return "fits";
  if (!fits(bindings, type, bound)) return "differs";
  const general = moreGeneral(type, bound);
  if (!occursIn(bindings, param, general)) bindings.set(param.name, general);
  return "fits";
}

/** Returns the more general of two types that fit. */
export function moreGeneral(a: CelType, b: CelType): CelType {
  return saysNoMore(a, b) ? a : b;
}

function saysNoMore(a: CelType, b: CelType): boolean {
  if (a.kind === "dyn" || a.kind === "param") return true;
  if (b.kind === "dyn" || b.kind === "param" || a.kind !== b.kind) return false;
  if (a.kind === "type") return true;
  if (a.kind === "opaque" || a.kind === "list" || a.kind === "map") {
    return (
      a.name === b.name &&
      a.params.length === b.params.length &&
      a.params.every((param, index) => saysNoMore(param, b.params[index] ?? dynType))
    );
  }
  return sameType(a, b);
}

function occursIn(bindings: Bindings, param: CelType, type: CelType): boolean {
  if (sameType(param, type)) return true;
  if (type.kind === "param") {
    const bound = bindings.get(type.name);
    return bound !== undefined && occursIn(bindings, param, bound);
  }
  return type.params.some((inner) => occursIn(bindings, param, inner));
}

/** Returns the type with bound parameters replaced. */
export function resolve(bindings: Bindings, type: CelType): CelType {
  if (type.kind === "param") {
    const bound = bindings.get(type.name);
    return bound === undefined ? type : resolve(bindings, bound);
  }
  return type.params.length === 0 ? type : { ...type, params: type.params.map((param) => resolve(bindings, param)) };
}

/** Like `resolve`, with `dyn` for unbound parameters. */
export function resolveFully(bindings: Bindings, type: CelType): CelType {
  const resolved = resolve(bindings, type);
  if (resolved.kind === "param") return dynType;
  return resolved.params.length === 0 ? resolved : { ...resolved, params: resolved.params.map((param) => resolveFully(bindings, param)) };
}
