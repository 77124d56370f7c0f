/**
 * Expands macros such as `all`, `map` and `has` into comprehensions and presence tests.
 *
 *     parser → expandMacro(name, target, args) → Comprehension, Select …; undefined for an ordinary call
 */
import { accumulatorName } from "./expression.ts";
import type { Call, Comprehension, Expression, LiteralValue } from "./expression.ts";
import type { CelIssue } from "./issue.ts";

/** A call in the source. */
export interface MacroCall {
  readonly name: string;
  readonly target: Expression | undefined;
  readonly args: readonly Expression[];
  readonly position: number;
}

type Expander = (maker: Maker, args: readonly Expression[], target: Expression) => Expression | CelIssue;

/** Returns the expansion or its problem; undefined if no macro has this name and number of arguments. */
export function expandMacro({ name, target, args, position }: MacroCall): Expression | CelIssue | undefined {
  const expand = (target === undefined ? globalMacros : memberMacros).get(`${name}/${args.length}`);
  return expand?.(new Maker(position), args, target ?? { kind: "literal", value: null, position });
}

/** Builds the expansion of a macro; all its parts have the position of the call. */
class Maker {
  readonly position: number;

  constructor(position: number) {
    this.position = position;
  }

  literal(value: LiteralValue): Expression {
    return { kind: "literal", value, position: this.position };
  }

  name(name: string): Expression {
    return { kind: "identifier", name, position: this.position };
  }

  get accumulator(): Expression {
    return this.name(accumulatorName);
  }

  call(name: string, ...args: readonly Expression[]): Call {
    return { kind: "call", name, target: undefined, args, position: this.position };
  }

  method(name: string, target: Expression, ...args: readonly Expression[]): Call {
    return { kind: "call", name, target, args, position: this.position };
  }

  list(...elements: readonly Expression[]): Expression {
    return { kind: "list", elements, optional: new Set(), position: this.position };
  }

  map(): Expression {
    return { kind: "map", entries: [], position: this.position };
  }

  loop(range: Expression, variables: Variables, parts: LoopParts): Comprehension {
    return {
      kind: "comprehension",
      range,
      variable: variables[0],
      second: variables[1],
      accumulator: accumulatorName,
      result: this.accumulator,
      condition: this.literal(true),
      ...parts,
      position: this.position,
    };
  }

  /** Binds a name to a value: a comprehension over nothing, whose result is the body. */
  bind(name: string, value: Expression, body: Expression): Comprehension {
    return {
      kind: "comprehension",
      range: this.list(),
      variable: "#unused",
      second: undefined,
      accumulator: name,
      initial: value,
      condition: this.literal(false),
      step: this.name(name),
      result: body,
      position: this.position,
    };
  }
}

type Variables = readonly [first: string, second: string | undefined];
type LoopParts = Pick<Comprehension, "initial" | "step"> & Partial<Pick<Comprehension, "condition" | "result">>;

function oneVariable(args: readonly Expression[], wanted: string): Variables | CelIssue {
  const [arg] = args;
  if (arg?.kind !== "identifier") return { position: arg?.position ?? -1, message: wanted };
  return arg.name === accumulatorName
    ? { position: arg.position, message: "iteration variable overwrites accumulator variable" }
    : [arg.name, undefined];
}

function twoVariables(args: readonly Expression[]): Variables | CelIssue {
  const first = oneVariable(args, "argument must be a simple name");
  const second = oneVariable(args.slice(1), "argument must be a simple name");
  if ("message" in first) return first;
  if ("message" in second) return second;
  return first[0] === second[0]
    ? { position: args[1]?.position ?? -1, message: `duplicate variable name: ${first[0]}` }
    : [first[0], second[0]];
}

type LoopMaker = (maker: Maker, rest: readonly Expression[], variables: Variables) => LoopParts;

/** A macro that is one comprehension over its variables. */
const loopOver =
  (count: 1 | 2, parts: LoopMaker, wanted = "argument must be a simple name"): Expander =>
  (maker, args, target) => {
    const variables = count === 1 ? oneVariable(args, wanted) : twoVariables(args);
    return "message" in variables ? variables : maker.loop(target, variables, parts(maker, args.slice(count), variables));
  };

const at = (maker: Maker, rest: readonly Expression[], index: number): Expression => rest[index] ?? maker.literal(null);

const all: LoopMaker = (maker, rest) => ({
  initial: maker.literal(true),
  condition: maker.call("@not_strictly_false", maker.accumulator),
  step: maker.call("_&&_", maker.accumulator, at(maker, rest, 0)),
});

const exists: LoopMaker = (maker, rest) => ({
  initial: maker.literal(false),
  condition: maker.call("@not_strictly_false", maker.call("!_", maker.accumulator)),
  step: maker.call("_||_", maker.accumulator, at(maker, rest, 0)),
});

const existsOne: LoopMaker = (maker, rest) => ({
  initial: maker.literal(0n),
  step: maker.call("_?_:_", at(maker, rest, 0), maker.call("_+_", maker.accumulator, maker.literal(1n)), maker.accumulator),
  result: maker.call("_==_", maker.accumulator, maker.literal(1n)),
});

/** With two arguments left, the first is a filter. */
const filtered = (maker: Maker, rest: readonly Expression[], step: (last: Expression) => Expression): Expression => {
  const taken = step(at(maker, rest, rest.length - 1));
  return rest.length === 1 ? taken : maker.call("_?_:_", at(maker, rest, 0), taken, maker.accumulator);
};

const collect: LoopMaker = (maker, rest) => ({
  initial: maker.list(),
  step: filtered(maker, rest, (last) => maker.call("_+_", maker.accumulator, maker.list(last))),
});

const filter: LoopMaker = (maker, rest, [name]) => ({
  initial: maker.list(),
  step: maker.call("_?_:_", at(maker, rest, 0), maker.call("_+_", maker.accumulator, maker.list(maker.name(name))), maker.accumulator),
});

const collectMap: LoopMaker = (maker, rest, [name]) => ({
  initial: maker.map(),
  step: filtered(maker, rest, (last) => maker.call("cel.@mapInsert", maker.accumulator, maker.name(name), last)),
});

const collectEntries: LoopMaker = (maker, rest) => ({
  initial: maker.map(),
  step: filtered(maker, rest, (last) => maker.call("cel.@mapInsert", maker.accumulator, last)),
});

const has: Expander = (_maker, [arg]) => {
  if (arg?.kind !== "select") return { position: arg?.position ?? -1, message: "invalid argument to has() macro" };
  return { ...arg, test: true, position: _maker.position };
};

const optionalMap =
  (name: string, wrap: (maker: Maker, value: Expression) => Expression): Expander =>
  (maker, [variable, body], target) => {
    if (variable?.kind !== "identifier")
      return { position: variable?.position ?? -1, message: `${name}() variable name must be a simple identifier` };
    const bound = maker.bind(variable.name, maker.method("value", target), body ?? maker.literal(null));
    return maker.call("_?_:_", maker.method("hasValue", target), wrap(maker, bound), maker.call("optional.none"));
  };

const sortBy: Expander = (maker, args, target) => {
  if (target.kind === "literal" || target.kind === "map" || target.kind === "struct") {
    return {
      position: target.position,
      message: "sortBy can only be applied to a list, identifier, comprehension, call or select expression",
    };
  }
  const input = "@__sortBy_input__";
  const keys = loopOver(1, collect, "argument is not an identifier")(maker, args, maker.name(input));
  return "message" in keys ? keys : maker.bind(input, target, maker.method("@sortByAssociatedKeys", maker.name(input), keys));
};

const globalMacros: ReadonlyMap<string, Expander> = new Map([["has/1", has]]);

const memberMacros: ReadonlyMap<string, Expander> = new Map<string, Expander>([
  ["all/2", loopOver(1, all)],
  ["exists/2", loopOver(1, exists)],
  ["exists_one/2", loopOver(1, existsOne)],
  ["existsOne/2", loopOver(1, existsOne)],
  ["map/2", loopOver(1, collect, "argument is not an identifier")],
  ["map/3", loopOver(1, collect, "argument is not an identifier")],
  ["filter/2", loopOver(1, filter, "argument is not an identifier")],
  ["all/3", loopOver(2, all)],
  ["exists/3", loopOver(2, exists)],
  ["existsOne/3", loopOver(2, existsOne)],
  ["exists_one/3", loopOver(2, existsOne)],
  ["transformList/3", loopOver(2, collect)],
  ["transformList/4", loopOver(2, collect)],
  ["transformMap/3", loopOver(2, collectMap)],
  ["transformMap/4", loopOver(2, collectMap)],
  ["transformMapEntry/3", loopOver(2, collectEntries)],
  ["transformMapEntry/4", loopOver(2, collectEntries)],
  ["optMap/2", optionalMap("optMap", (maker, value) => maker.call("optional.of", value))],
  ["optFlatMap/2", optionalMap("optFlatMap", (_maker, value) => value)],
  ["sortBy/2", sortBy],
]);
