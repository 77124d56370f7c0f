import { describe, expect, it } from "vitest";

import { edgesBetween } from "./edge.ts";
import { parse } from "./parse.ts";
import { compileProgram, op } from "./program.ts";
import { ThreadSet, edgeUnknown } from "./thread-set.ts";

describe("ThreadSet", () => {
  it("holds instructions that wait for a character, preferred first", () => {
    const program = compileProgram(parse("a|b|(?:)"));
    const set = new ThreadSet(program);
    set.add(program.start, 0, 7);
    expect([...set.pcs.subarray(0, set.size)].map((pc) => program.ops[pc])).toEqual([op.char, op.char, op.match]);
    expect([...set.tags.subarray(0, set.size)]).toEqual([7, 7, 7]);
    expect(set.hasMatch).toBe(true);
  });

  it("keeps the first thread that reaches an instruction", () => {
    const program = compileProgram(parse("a"));
    const set = new ThreadSet(program);
    set.add(program.start, 0, 1);
    set.add(program.start, 0, 2);
    expect([...set.tags.subarray(0, set.size)]).toEqual([1]);
    set.clear();
    set.add(program.start, 0, 2);
    expect([...set.tags.subarray(0, set.size)]).toEqual([2]);
  });

  it("passes threads at an assertion that holds, stops those at one that does not, and waits while it is unknown", () => {
    const program = compileProgram(parse("^a"));
    const sizes = [edgesBetween(undefined, 0x61), edgesBetween(0x61, 0x61), edgeUnknown].map((edges) => {
      const set = new ThreadSet(program);
      set.add(program.start, edges, 0);
      return [set.size, set.hasAsserts];
    });
    expect(sizes).toEqual([
      [1, false],
      [0, false],
      [1, true],
    ]);
  });

  it("ends in empty loops", () => {
    const program = compileProgram(parse("(?:(?:)*)*|(?:^*)*"));
    const set = new ThreadSet(program);
    set.add(program.start, edgesBetween(undefined, undefined), 0);
    expect(set.hasMatch).toBe(true);
  });
});
