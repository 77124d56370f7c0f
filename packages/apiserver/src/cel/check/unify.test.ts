import { describe, expect, it } from "vitest";
import { dynType, intType, listType, nullType, paramType, stringType, structType } from "./cel-type.ts";
import { fitAll, moreGeneral, resolve, resolveFully } from "./unify.ts";
import type { Bindings } from "./unify.ts";

describe("type unification", () => {
  it("binds a type parameter once", () => {
    const bindings: Bindings = new Map();
    expect(fitAll(bindings, [listType(intType), intType], [listType(paramType("A")), paramType("A")])).toBe(true);
    expect(resolve(bindings, paramType("A"))).toEqual(intType);
  });

  it("leaves the bindings as they are when the types do not fit", () => {
    const bindings: Bindings = new Map();
    expect(fitAll(bindings, [intType, stringType], [paramType("A"), paramType("A")])).toBe(false);
    expect(bindings.size).toBe(0);
  });

  it("fits dyn to anything and null to objects, but not to numbers", () => {
    expect(fitAll(new Map(), [dynType], [intType])).toBe(true);
    expect(fitAll(new Map(), [nullType], [structType("x")])).toBe(true);
    expect(fitAll(new Map(), [nullType], [intType])).toBe(false);
  });

  it("resolves unbound parameters to dyn and picks the more general type", () => {
    expect(resolveFully(new Map(), listType(paramType("T")))).toEqual(listType(dynType));
    expect(moreGeneral(intType, dynType)).toBe(dynType);
  });
});
