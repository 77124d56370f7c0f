/**
 * Type unification. Type parameters of functions (`A` in `list(A)`) and of empty literals are bound while an overload is tried,
 * and stay bound only if it fits.
 */
import { dynType, sameType } from "./cel-type.ts";
import type { CelType } from "./cel-type.ts";

/** Bindings of type parameters by name. */
export type Bindings = Map<string, CelType>;

const isWild = ({ kind }: CelType): boolean => kind === "dyn" || kind === "error";

/** Reports whether all types fit, and adds the bindings under which they do; otherwise the bindings stay as they are. */
export function fitAll(bindings: Bindings, types: readonly CelType[], wanted: readonly CelType[]): boolean {
  if (types.length !== wanted.length) return false;
  // Not a copy: a rule with thousands of calls has thousands of bindings.
  const trial = new Trial(bindings);
  if (!types.every((type, index) => fits(trial, type, wanted[index] ?? dynType))) return false;
  trial.commit();
  return true;
}

/** Bindings on top of others, which they do not change before `commit`. */
class Trial implements Pick<Bindings, "get"> {
  readonly #base: Bindings;
  readonly #added: Bindings = new Map();

  constructor(base: Bindings) {
    this.#base = base;
  }

  get(name: string): CelType | undefined {
    return this.#added.get(name) ?? this.#base.get(name);
  }

  set(name: string, type: CelType): void {
    this.#added.set(name, type);
  }

  commit(): void {
    for (const [name, type] of this.#added) this.#base.set(name, type);
  }
}

function fits(bindings: Trial, a: CelType, b: CelType): boolean {
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
function substitutes(bindings: Trial, type: CelType, param: CelType): "fits" | "differs" | "free" {
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

function occursIn(bindings: Trial, param: CelType, type: CelType): boolean {
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
