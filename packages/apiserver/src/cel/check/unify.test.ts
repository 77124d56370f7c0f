import { describe, expect, it } from "vitest";
import { dynType, intType, listType, nullType, paramType, stringType, structType } from "./cel-type.ts";
import { fitAll, moreGeneral, resolve, resolveFully } from "./unify.ts";

describe("type unification", () => {
  it("binds a type parameter once", () => {
    const bindings = fitAll(new Map(), [listType(intType), intType], [listType(paramType("A")), paramType("A")]);
    expect(bindings && resolve(bindings, paramType("A"))).toEqual(intType);
    expect(fitAll(new Map(), [intType, stringType], [paramType("A"), paramType("A")])).toBeUndefined();
  });

  it("fits dyn to anything and null to objects, but not to numbers", () => {
    expect(fitAll(new Map(), [dynType], [intType])).toBeDefined();
    expect(fitAll(new Map(), [nullType], [structType("x")])).toBeDefined();
    expect(fitAll(new Map(), [nullType], [intType])).toBeUndefined();
  });

  it("resolves unbound parameters to dyn and picks the more general type", () => {
    expect(resolveFully(new Map(), listType(paramType("T")))).toEqual(listType(dynType));
    expect(moreGeneral(intType, dynType)).toBe(dynType);
  });
});
