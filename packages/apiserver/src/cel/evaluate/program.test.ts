import { describe, expect, it } from "vitest";
import { failure } from "../value/failure.ts";
import { listOf } from "../value/value.ts";
import { runText, valueOf } from "../testing/evaluate-text.ts";

describe("compileProgram", () => {
  it("lets a decisive term of && and || absorb a failure", () => {
    expect([
      valueOf("self.a || true"),
      valueOf("false && self.a"),
      valueOf("[0, 1].exists(x, 1 / x == 1)"),
      valueOf("self || false", failure("broken")),
    ]).toEqual([true, false, true, "broken"]);
  });

  it("stops expressions that exceed the cost limit: nested loops, long ranges, doubling strings (X29, S6)", () => {
    const many = listOf(Array.from({ length: 2000 }, (_none, index) => BigInt(index)));
    expect(runText("self.all(x, self.all(y, x != -1 || y != -1))", many)).toMatchObject({ exceeded: true });
    expect(runText("lists.range(100000000).size() > 0")).toMatchObject({ exceeded: true });
    const doubled = Array.from({ length: 40 }, () => ".optMap(x, x + x)").join("");
    expect(runText(`optional.of('aaaaaaaaaa')${doubled}.hasValue()`)).toMatchObject({ exceeded: true });
    expect(runText("self.distinct().size() > 0", many)).toMatchObject({ exceeded: true });
  });

  it("builds a long list in a comprehension without quadratic copying", () => {
    const many = listOf(Array.from({ length: 20_000 }, (_none, index) => BigInt(index)));
    expect(runText("self.map(x, x).size() == 20000", many)).toMatchObject({ outcome: true });
  });

  it("ends like cel-go when bytes are looked up among constant scalars", () => {
    expect(valueOf("dyn(b'a') in [1]")).toBe("internal error: runtime error: hash of unhashable type types.Bytes");
    expect(valueOf("dyn(b'a') in [dyn(b'a')]")).toBe(true);
  });

  it("charges the same cost as kube-apiserver", () => {
    expect(
      ["self", "self == 1", "[1, 2].all(x, x > 0)", "'a' in ['a']", "'abc'.matches('b')"].map((text) => runText(text, 1n).cost),
    ).toEqual([1, 2, 11, 0, 1]);
  });
});
