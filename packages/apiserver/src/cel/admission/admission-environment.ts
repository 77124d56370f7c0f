/**
 * The environment of expressions in webhooks and policies.
 *
 *     params?, authorizer?, variables?, patch types? → admissionEnvironment → Environment
 */
import { dynType, listType, mapType, structType } from "../check/cel-type.ts";
import type { CelType } from "../check/cel-type.ts";
import { namedTypes, overload } from "../check/environment.ts";
import type { Environment, Overload } from "../check/environment.ts";
import { authorizerType, resourceCheckType } from "../check/signature.ts";
import { library } from "../library/library.ts";
import { constructedType, namespaceType, requestType } from "./admission-types.ts";

/** What an expression may use besides `object`, `oldObject`, `request` and `namespaceObject`. */
export interface EnvironmentOptions {
  /** Whether `params` is declared. */
  readonly hasParams: boolean;
  /** Whether `authorizer` is declared. */
  readonly hasAuthorizer: boolean;
  /** Whether `authorizer.requestResource` is declared too. @default true */
  readonly hasRequestResource?: boolean;
  /** Whether `JSONPatch{}`, `Object{}` and `jsonpatch.escapeKey` are declared. @default false */
  readonly hasPatchTypes?: boolean;
  /** The fields of `variables`, which may grow. @default `variables` is not declared */
  readonly variables?: ReadonlyMap<string, CelType>;
  /** The type of `object` and `oldObject`. @default dyn */
  readonly objectType?: CelType;
  /** The type of `params`. @default dyn */
  readonly paramsType?: CelType;
}

const escapeKey: readonly Overload[] = [
  overload("string_jsonpatch_escapeKey_string", "jsonpatch.escapeKey(string) string", (key: string) =>
    key.replaceAll("~", "~0").replaceAll("/", "~1"),
  ),
];

/** Returns the environment. */
export function admissionEnvironment(options: EnvironmentOptions): Environment {
  const {
    hasParams,
    hasAuthorizer,
    hasRequestResource = true,
    hasPatchTypes = false,
    variables,
    objectType = dynType,
    paramsType = dynType,
  } = options;
  const declared: ReadonlyMap<string, CelType> = new Map<string, CelType>([
    ["object", objectType],
    ["oldObject", objectType],
    ["request", requestType],
    ["namespaceObject", namespaceType],
    ...(hasParams ? [["params", paramsType] as const] : []),
    ...(hasAuthorizer ? [["authorizer", authorizerType] as const] : []),
    ...(hasAuthorizer && hasRequestResource ? [["authorizer.requestResource", resourceCheckType] as const] : []),
    ...(variables === undefined ? [] : [["variables", structType("kubernetes.variables", variables)] as const]),
  ]);
  return {
    variable: (name) => declared.get(name) ?? namedTypes.get(name) ?? (hasPatchTypes ? constructedType(name) : undefined),
    overloads: (name) => (hasPatchTypes && name === "jsonpatch.escapeKey" ? escapeKey : library.get(name)),
  };
}

/** Returns the declared type of a composed variable: only scalars, lists and maps keep their type. */
export function variableType(type: CelType): CelType {
  const [first = dynType, second = dynType] = type.params;
  switch (type.kind) {
    case "bool":
    case "bytes":
    case "double":
    case "duration":
    case "int":
    case "null":
    case "string":
    case "timestamp":
    case "uint":
      return type;
    case "list":
      return listType(variableType(first));
    case "map":
      return mapType(variableType(first), variableType(second));
    case "dyn":
    case "error":
    case "opaque":
    case "param":
    case "struct":
    case "type":
    default:
      return dynType;
  }
}
