import { describe, expect, it } from "vitest";
import { valueOf } from "../testing/evaluate-text.ts";

describe("CEL list functions", () => {
  it.each<[text: string, value: unknown]>([
    ["[3, 1, 2].sort() == [1, 2, 3]", true],
    ["[1, 2].sum() + [5, 4].min()", 7n],
    ["[1].slice(0, 2)", "cannot slice(0, 2), list is length 1"],
    ["[[1], [2, 3]].flatten() == [1, 2, 3]", true],
    ["[1, 1, 2].distinct() == [1, 2]", true],
    ["lists.range(3).reverse() == [2, 1, 0]", true],
    ["['bb', 'a'].sortBy(x, x.size()) == ['a', 'bb']", true],
    ["sets.equivalent([1, 2], [2, 1, 1]) && !sets.intersects([1], [2])", true],
    ["optional.none().value()", "optional.none() dereference"],
    ["optional.of(1).or(optional.none()).orValue(2)", 1n],
    ["[1, 2].transformMap(i, x, x)[1]", 2n],
    ["['a', 'a'].transformMapEntry(i, x, {x: i}).size()", "insert failed: key a already exists"],
    ["dyn([]).min()", "min called on empty list"],
    ["dyn([1, 2]) in dyn({'a': 1})", false],
    ["dyn([{}]).sort()", "list elements must be comparable"],
    ["dyn([dyn(1), dyn('a')]).sort()", "list elements must have the same type"],
    ["dyn(1).sort()", "no such overload: sort"],
    ["dyn('a').sort()", "no such overload"],
    ["dyn({'a': 1}).sortBy(x, x)", "no such overload: @sortByAssociatedKeys"],
    ["[1 / 0].sort() == []", "internal error: interface conversion: *types.Err is not traits.Lister: missing method Add"],
    ["[1].sortBy(x, x / 0) == []", "internal error: interface conversion: *types.Err is not traits.Lister: missing method Add"],
    ["dyn({}).distinct()", "internal error: interface conversion: *types.baseMap is not traits.Lister: missing method Add"],
    ["dyn(1).distinct()", "internal error: interface conversion: types.Int is not traits.Lister: missing method Contains"],
  ])("evaluate %s to %s", (text, value) => {
    expect(valueOf(text)).toEqual(value);
  });
});
