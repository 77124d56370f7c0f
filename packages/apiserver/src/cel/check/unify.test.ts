import { describe, expect, it } from "vitest";
import { dynType, intType, listType, nullType, paramType, stringType, structType } from "./cel-type.ts";
import { fitAll, moreGeneral, resolve, resolveFully } from "./unify.ts";

describe("fitting types", () => {
  it("binds a parameter to one type and holds it to that", () => {
    const bindings = fitAll(new Map(), [listType(intType), intType], [listType(paramType("A")), paramType("A")]);
    expect(bindings && resolve(bindings, paramType("A"))).toEqual(intType);
    expect(fitAll(new Map(), [intType, stringType], [paramType("A"), paramType("A")])).toBeUndefined();
  });

  it("lets dyn be anything and null be an object, but not a number", () => {
    expect(fitAll(new Map(), [dynType], [intType])).toBeDefined();
    expect(fitAll(new Map(), [nullType], [structType("x")])).toBeDefined();
    expect(fitAll(new Map(), [nullType], [intType])).toBeUndefined();
  });

  it("takes dyn for what nothing is known of, and the more general of two", () => {
    expect(resolveFully(new Map(), listType(paramType("T")))).toEqual(listType(dynType));
    expect(moreGeneral(intType, dynType)).toBe(dynType);
  });
});
