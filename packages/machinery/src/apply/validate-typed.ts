/** Whether a value fits its type closely enough to be merged, in the server's words. Validates nothing else. */
import { goType, printGo } from "../json/go-print.ts";
import { printGoSyntax } from "./go-syntax.ts";
import { isJsonObject } from "../json/json-value.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { itemElement } from "./list-item.ts";
import { formOf, memberType } from "./merge-type.ts";
import type { ListType, MapType, MergeType, ScalarType } from "./merge-type.ts";
import { fieldElement, printElement } from "./path-element.ts";
import type { PathElement } from "./path-element.ts";

/** Options of `validateTyped`. */
export interface ValidateTypedOptions {
  /**
   * Whether two items of a list may have the same keys, as in live objects.
   * @default "refuse"
   */
  readonly duplicates?: "refuse" | "allow";
}

/** Returns what is wrong with a value, as one text; undefined when it is valid. */
export function validateTyped(value: JsonValue, type: MergeType, { duplicates = "refuse" }: ValidateTypedOptions = {}): string | undefined {
  const problems = problemsOf(value, type, duplicates === "allow");
  if (problems === undefined) return undefined;
  const texts = problems.map(({ path, text }) => (path === "" ? text : `${path}: ${text}`));
  return texts.length === 1 ? texts[0] : ["errors:", ...texts.map((text) => `  ${text}`)].join("\n");
}

/** A problem and its path, which is built on the way up, so that valid values pay nothing for it. */
interface Problem {
  readonly path: string;
  readonly text: string;
}

const problem = (text: string): Problem[] => [{ path: "", text }];

function problemsOf(value: JsonValue, type: MergeType, allowDuplicates: boolean): Problem[] | undefined {
  if (value === null) return undefined;
  const form = formOf(type, value);
  if (form === "map" && type.map !== undefined)
    return isJsonObject(value) ? mapProblems(value, type.map, allowDuplicates) : problem(`expected map, got ${boxed(value)}`);
  if (form === "list" && type.list !== undefined)
    return Array.isArray(value) ? listProblems(value, type.list, allowDuplicates) : problem(`expected list, got ${boxed(value)}`);
  const text = type.scalar === undefined ? "schema error: invalid atom: inlined" : scalarProblem(type.scalar, value);
  return text === undefined ? undefined : problem(text);
}

function mapProblems(object: JsonObject, map: MapType, allowDuplicates: boolean): Problem[] | undefined {
  let problems: Problem[] | undefined;
  for (const name in object) {
    const type = memberType(map, name);
    const below = type === undefined ? problem("field not declared in schema") : problemsOf(object[name] ?? null, type, allowDuplicates);
    if (below !== undefined) problems = joined(problems, at(fieldElement(name), below));
    // One unknown field ends the check of an object, as on the server.
    if (type === undefined) break;
  }
  return problems;
}

function listProblems(items: readonly JsonValue[], list: ListType, allowDuplicates: boolean): Problem[] | undefined {
  const type = list.items();
  const seen = list.atomic || allowDuplicates ? undefined : new Set<PathElement>();
  let problems: Problem[] | undefined;
  for (let index = 0; index < items.length; index++) {
    const item = items[index] ?? null;
    const element = list.atomic ? `i:${index}` : itemElement(list, item);
    // An item without an element, and those after it, cannot be checked further.
    if (typeof element !== "string") return joined(problems, problem(`element ${index}: ${element.problem}`));
    if (seen?.has(element) === true) problems = joined(problems, problem(`duplicate entries for key ${printElement(element)}`));
    seen?.add(element);
    const below = problemsOf(item, type, allowDuplicates);
    if (below !== undefined) problems = joined(problems, at(element, below));
  }
  return problems;
}

/** One by one: there may be more than a call takes arguments. */
function joined(problems: Problem[] | undefined, more: Problem[]): Problem[] {
  if (problems === undefined) return more;
  for (const each of more) problems.push(each);
  return problems;
}

const at = (element: PathElement, problems: readonly Problem[]): Problem[] =>
  problems.map(({ path, text }) => ({ path: `${printElement(element)}${path}`, text }));

function scalarProblem(scalar: ScalarType, value: JsonValue): string | undefined {
  switch (scalar) {
    case "numeric":
      return typeof value === "number" || typeof value === "bigint" ? undefined : `expected numeric (int or float), got ${goType(value)}`;
    case "string":
      return typeof value === "string" ? undefined : `expected string, got &value.valueUnstructured{Value:${printGoSyntax(value)}}`;
    case "boolean":
      return typeof value === "boolean" ? undefined : `expected boolean, got ${boxed(value)}`;
    case "untyped":
    default:
      return typeof value === "object" ? `expected any scalar, got ${boxed(value)}` : undefined;
  }
}

/** The server keeps values in a struct, and its messages show it. */
const boxed = (value: JsonValue): string => `&{${printGo(value)}}`;
