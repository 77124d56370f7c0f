/**
 * Worst-case cost of a call by the maximum size of its arguments; undefined for calls that cost one unit or that the estimator
 * handles.
 */
import type { CelType } from "../check/cel-type.ts";
import type { Expression } from "@drover/machinery/cel";
import { characterCost, listCost, patternCost } from "./call-cost.ts";
import { addRanges, exactly, most, multiplyRanges, scaleRange, unknownSize } from "./cost-range.ts";
import type { CostRange } from "./cost-range.ts";

export interface CallEstimate {
  readonly cost: CostRange;
  /** Maximum size of the result; undefined if unknown or given by its type. */
  readonly size?: CostRange | undefined;
}

/** A call, with the known facts about its arguments. */
export interface EstimatedCall {
  readonly name: string;
  readonly id: string;
  readonly target: Expression | undefined;
  readonly args: readonly Expression[];
  readonly sizeOf: (part: Expression) => CostRange;
  readonly elementSize: (list: Expression) => CostRange | undefined;
  readonly typeOf: (part: Expression) => CelType;
}

const one = exactly(1n);
const characters = (size: CostRange, times = 1): CostRange => scaleRange(size, times * characterCost);

/** Returns the estimate for one overload. */
export function estimateCall(call: EstimatedCall): CallEstimate | undefined {
  return listEstimate(call) ?? kubernetesEstimate(call) ?? standardEstimate(call);
}

function listEstimate({ id, target, args, sizeOf }: EstimatedCall): CallEstimate | undefined {
  const [first, second] = args;
  const made = (size: CostRange, factor = 1): CallEstimate => ({ cost: addRanges(scaleRange(size, factor), one, exactly(listCost)), size });
  const squared = (list: Expression): CostRange => multiplyRanges(sizeOf(list), sizeOf(list));
  const isText = /^list_(?:string|bytes)_/.test(id);
  if (id === "lists_range" && first !== undefined) return made(exactly(wholeNumber(first) ?? most));
  if (id.startsWith("list_sets_") && first !== undefined && second !== undefined) {
    return { cost: addRanges(scaleRange(multiplyRanges(sizeOf(first), sizeOf(second)), id === "list_sets_equivalent_list" ? 2 : 1), one) };
  }
  if (target === undefined) return undefined;
  if (id === "list_slice" && first !== undefined && second !== undefined) {
    const count = (wholeNumber(second) ?? sizeOf(target).max) - (wholeNumber(first) ?? 0n);
    return made(exactly(BigInt.asUintN(64, count)));
  }
  if (id === "list_reverse") return made(sizeOf(target));
  if (id === "list_flatten") return made(sizeOf(target));
  if (id === "list_flatten_int" && first !== undefined) return made(sizeOf(target), Number(wholeNumber(first) ?? most));
  if (id === "list_distinct") return made(squared(target), 2);
  if (id.endsWith("_sort")) return made(squared(target), isText ? 2 + characterCost : 2);
  return id.endsWith("_sortByAssociatedKeys") && first !== undefined ? made(squared(first), isText ? 2 + characterCost : 2) : undefined;
}

/** Returns the value of an integer literal; undefined for a negative one. */
function wholeNumber(expression: Expression): bigint | undefined {
  if (expression.kind !== "literal" || typeof expression.value !== "bigint") return undefined;
  return expression.value < 0n ? 0n : expression.value;
}

const unitCalls: ReadonlySet<string> = new Set([
  "masked",
  "prefixLength",
  "family",
  "isUnspecified",
  "isLoopback",
  "isLinkLocalMulticast",
  "isLinkLocalUnicast",
  "isGlobalUnicast",
  "format.named",
  "sign",
  "asInteger",
  "isInteger",
  "asApproximateFloat",
  "isGreaterThan",
  "isLessThan",
  "compareTo",
  "add",
  "sub",
  "major",
  "minor",
  "patch",
  "getScheme",
  "getHostname",
  "getHost",
  "getPort",
  "getEscapedPath",
  "getQuery",
]);

function kubernetesEstimate(call: EstimatedCall): CallEstimate | undefined {
  const { name, id, target, args, sizeOf } = call;
  const [first] = args;
  if (unitCalls.has(name) || id === "cidr_ip") return { cost: one };
  if (target !== undefined) return methodEstimate(call, target);
  if (first === undefined) return undefined;
  switch (name) {
    case "url":
      return { cost: characters(sizeOf(first)), size: sizeOf(first) };
    case "cidr":
    case "isIP":
    case "isCIDR":
    case "ip":
    case "quantity":
    case "isQuantity":
    case "semver":
    case "isSemver":
      return { cost: characters(sizeOf(first)) };
    case "ip.isCanonical":
      return { cost: characters(sizeOf(first), 2) };
    case "_==_":
      return equalityEstimate(call, first);
    default:
      return undefined;
  }
}

function methodEstimate(call: EstimatedCall, target: Expression): CallEstimate | undefined {
  const { name, id, args, sizeOf, elementSize, typeOf } = call;
  const [first] = args;
  const size = sizeOf(target);
  switch (name) {
    case "isSorted":
    case "sum":
    case "max":
    case "min":
    case "indexOf":
    case "lastIndexOf": {
      const element = elementSize(target);
      if (element === undefined) return { cost: characters(size) };
      const kind = typeOf(target).params[0]?.kind;
      return { cost: multiplyRanges(size, kind === "string" || kind === "bytes" ? addRanges(one, characters(element)) : one) };
    }
    case "lowerAscii":
    case "upperAscii":
    case "substring":
    case "trim":
      return { cost: characters(size), size };
    case "replace":
      return { cost: characters(size, 2), size: replacedSize(call, size) };
    case "split":
      return { cost: characters(size, 2), size: { min: 0n, max: splitMax(args[1]) ?? size.max } };
    case "join":
      return joinEstimate(call, target);
    case "find":
    case "findAll":
      return first === undefined ? undefined : { cost: searchCost(size, sizeOf(first)), size: { min: 0n, max: size.max } };
    case "containsIP":
    case "containsCIDR":
      return first === undefined ? undefined : { cost: containsCost(name, id, sizeOf(first)) };
    case "validate":
      return first === undefined ? undefined : { cost: scaleRange(characters(sizeOf(first)), 128 * patternCost) };
    default:
      return undefined;
  }
}

const searchCost = (text: CostRange, pattern: CostRange): CostRange =>
  multiplyRanges(characters(addRanges(text, one)), scaleRange(pattern, patternCost));

function splitMax(limit: Expression | undefined): bigint | undefined {
  return limit?.kind === "literal" && typeof limit.value === "bigint" ? BigInt.asUintN(64, limit.value) : undefined;
}

/** An address has four to sixteen bytes. */
function containsCost(name: string, id: string, other: CostRange): CostRange {
  const bytes: CostRange = { min: 4n, max: 16n };
  const base = characters(addRanges(bytes, bytes));
  const masked = name === "containsCIDR" ? addRanges(base, characters(bytes), one) : base;
  return id.endsWith("_string") ? addRanges(masked, characters(other)) : masked;
}

function replacedSize({ args, sizeOf }: EstimatedCall, size: CostRange): CostRange | undefined {
  const [part, by] = args;
  if (part === undefined || by === undefined) return undefined;
  const [partSize, bySize] = [sizeOf(part), sizeOf(by)];
  const divided = (whole: bigint, piece: bigint): bigint => BigInt(Math.ceil(Number(whole) / Number(piece)));
  const next = (count: bigint): bigint => (count < most ? count + 1n : count);
  const longest =
    partSize.min === 0n ? [next(size.max), size.max] : bySize.max <= partSize.min ? [0n, size.max] : [divided(size.max, partSize.min), 0n];
  const shortest =
    partSize.max === 0n ? [next(size.min), size.min] : partSize.max <= bySize.min ? [0n, size.min] : [divided(size.min, partSize.max), 0n];
  const [[maxCount = 0n, maxKept = 0n], [minCount = 0n, minKept = 0n]] = [longest, shortest];
  return addRanges(multiplyRanges({ min: minCount, max: maxCount }, bySize), { min: minKept, max: maxKept });
}

function joinEstimate({ args, sizeOf, elementSize }: EstimatedCall, target: Expression): CallEstimate {
  const [count, element, separator] = [sizeOf(target), elementSize(target), args[0] === undefined ? undefined : sizeOf(args[0])];
  const items = element === undefined ? exactly(0n) : multiplyRanges(count, element);
  const between: CostRange = { min: count.min > 0n ? count.min - 1n : 0n, max: count.max > 0n ? count.max - 1n : 0n };
  const size = separator === undefined ? items : addRanges(items, multiplyRanges(separator, between));
  return { cost: characters(size), size };
}

/** Library objects compare in constant time. */
function equalityEstimate({ args, typeOf }: EstimatedCall, first: Expression): CallEstimate | undefined {
  const second = args[1];
  const { kind, name, fields } = typeOf(first);
  if (second === undefined || typeOf(second).name !== name) return undefined;
  if (kind === "opaque" && (name === "net.IP" || name === "net.CIDR")) return { cost: one };
  if (kind !== "struct" || fields !== undefined) return undefined;
  return {
    cost: name === "kubernetes.NamedFormat" ? characters({ min: 1n, max: 64n }) : name === "kubernetes.URL" ? characters(one) : one,
  };
}

function standardEstimate({ name, id, target, args, sizeOf }: EstimatedCall): CallEstimate | undefined {
  const [first, second] = args;
  if (first === undefined) return undefined;
  const size = sizeOf(first);
  const limited = ({ min, max }: CostRange): CostRange => ({ min, max: max > most ? most : max });
  switch (id) {
    case "string_format":
      return { cost: characters(target === undefined ? unknownSize : sizeOf(target)) };
    case "string_to_bytes":
      return { cost: characters(size), size: { min: size.min, max: BigInt.asUintN(64, size.max * 4n) } };
    case "bytes_to_string":
      return { cost: characters(size), size: { min: size.min / 4n, max: size.max } };
    case "strings_quote":
      return { cost: characters(size), size: limited({ min: size.min + 2n, max: BigInt.asUintN(64, size.max * 2n + 2n) }) };
    case "starts_with_string":
    case "ends_with_string":
      return { cost: characters(size) };
    case "in_list":
      return { cost: second === undefined ? unknownSize : sizeOf(second) };
    case "matches_string":
      return { cost: searchCost(target === undefined ? unknownSize : sizeOf(target), size) };
    case "contains_string":
      return { cost: multiplyRanges(characters(target === undefined ? unknownSize : sizeOf(target)), characters(size)) };
    default: {
      const compares = id === "equals" || id === "not_equals" || (/^_[<>]=?_$/.test(name) && /_(?:string|bytes)$/.test(id));
      if (!compares || second === undefined) return undefined;
      const max = size.max < sizeOf(second).max ? size.max : sizeOf(second).max;
      return { cost: characters({ min: max > 0n ? 1n : 0n, max }) };
    }
  }
}
