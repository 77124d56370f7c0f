/**
 * Parses signatures of functions: `string . contains(string) bool` is a method, `size(list(A)) int` is not; capitals are type
 * parameters.
 */
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  nullType,
  opaqueType,
  optionalType,
  paramType,
  stringType,
  structType,
  timestampType,
  typeOfType,
  uintType,
} from "./cel-type.ts";
import type { CelType } from "./cel-type.ts";

/** Object types of Kubernetes' libraries. */
export const urlType: CelType = structType("kubernetes.URL");
export const quantityType: CelType = structType("kubernetes.Quantity");
export const formatType: CelType = structType("kubernetes.NamedFormat");
export const semverType: CelType = structType("kubernetes.Semver");
export const ipType: CelType = opaqueType("net.IP");
export const cidrType: CelType = opaqueType("net.CIDR");
export const authorizerType: CelType = structType("kubernetes.authorization.Authorizer");
export const pathCheckType: CelType = structType("kubernetes.authorization.PathCheck");
export const groupCheckType: CelType = structType("kubernetes.authorization.GroupCheck");
export const resourceCheckType: CelType = structType("kubernetes.authorization.ResourceCheck");
export const decisionType: CelType = structType("kubernetes.authorization.Decision");

const named: ReadonlyMap<string, CelType> = new Map([
  ["dyn", dynType],
  ["null", nullType],
  ["bool", boolType],
  ["int", intType],
  ["uint", uintType],
  ["double", doubleType],
  ["string", stringType],
  ["bytes", bytesType],
  ["duration", durationType],
  ["timestamp", timestampType],
  ["url", urlType],
  ["quantity", quantityType],
  ["format", formatType],
  ["semver", semverType],
  ["ip", ipType],
  ["cidr", cidrType],
  ["authorizer", authorizerType],
  ["pathcheck", pathCheckType],
  ["groupcheck", groupCheckType],
  ["resourcecheck", resourceCheckType],
  ["decision", decisionType],
]);

export interface Signature {
  readonly name: string;
  /** Whether the first argument is the operand before the dot. */
  readonly isMethod: boolean;
  readonly args: readonly CelType[];
  readonly result: CelType;
}

/** Parses a signature. Throws for a malformed one, which is a bug. */
export function parseSignature(text: string): Signature {
  const [, receiver, name = "", args = "", result = ""] = /^(?:(.+) \. )?(\S+?)\((.*)\) (\S.*)$/.exec(text) ?? [];
  if (name === "") throw new Error(`invalid signature: ${text}`);
  const types = splitTypes(args);
  return {
    name,
    isMethod: receiver !== undefined,
    args: (receiver === undefined ? types : [receiver, ...types]).map(parseType),
    result: parseType(result),
  };
}

function parseType(text: string): CelType {
  const known = named.get(text);
  if (known !== undefined) return known;
  if (/^[A-Z]$/.test(text)) return paramType(text);
  const [, name, inner = ""] = /^(\w+)\((.*)\)$/.exec(text) ?? [];
  const [first = dynType, second = dynType] = splitTypes(inner).map(parseType);
  switch (name) {
    case "list":
      return listType(first);
    case "map":
      return mapType(first, second);
    case "optional":
      return optionalType(first);
    case "type":
      return typeOfType(first);
    case undefined:
    default:
      throw new Error(`invalid type: ${text}`);
  }
}

/** Splits at commas outside parentheses. */
function splitTypes(text: string): string[] {
  const types: string[] = [];
  let depth = 0;
  let current = "";
  for (const char of text) {
    if (char === "(") depth++;
    if (char === ")") depth--;
    if (char === "," && depth === 0) {
      types.push(current.trim());
      current = "";
    } else current += char;
  }
  return current.trim() === "" ? types : [...types, current.trim()];
}
