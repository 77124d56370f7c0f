/**
 * Functions of the authorizer library: expressions ask what a user may do.
 *
 *     authorizer.group("apps").resource("deployments").namespace("shop").check("create").allowed()
 *
 * Rules of a schema have no authorizer; the functions are declared for them too, so that errors about such a rule equal
 * kube-apiserver's.
 */
import { checkDns1123Label, checkSubdomainName } from "@drover/machinery";
import type { Attributes, Decision } from "../../access/authorizer.ts";
import type { User } from "../../access/user.ts";
import type { CelType } from "../check/cel-type.ts";
import { overload } from "../check/environment.ts";
import type { Overload } from "../check/environment.ts";
import { authorizerType, decisionType, groupCheckType, pathCheckType, resourceCheckType } from "../check/signature.ts";
import { failure } from "../value/failure.ts";
import type { CelFailure } from "../value/failure.ts";
import type { CelObject } from "../value/value.ts";

/** Decides at once. It may throw to end the evaluation, which is then repeated when the decision is known. */
export type Decide = (attributes: Attributes) => Decision;

interface Asked {
  readonly decide: Decide;
  readonly attributes: Attributes;
}

const objectOf = (type: CelType, value: unknown): CelObject => ({
  kind: "object",
  type,
  value,
  size: 1,
  equals: (other) => other === value,
});
const asked = ({ value }: CelObject): Asked => value as Asked;
const decided = ({ value }: CelObject): Decision => value as Decision;

const attributesOf = (user: User): Attributes => ({
  user,
  verb: "",
  isResourceRequest: false,
  path: "",
  group: "",
  version: "",
  resource: "",
  subresource: "",
  namespace: "",
  name: "",
});

/** Returns the value of `authorizer`. */
export const authorizerValue = (user: User, decide: Decide): CelObject =>
  objectOf(authorizerType, { decide, attributes: attributesOf(user) });

/** The resource of a request. */
export type RequestedResource = Pick<Attributes, "group" | "resource" | "subresource" | "namespace" | "name">;

/** Returns the value of `authorizer.requestResource`. */
export const resourceCheckValue = (user: User, decide: Decide, resource: RequestedResource): CelObject =>
  objectOf(resourceCheckType, { decide, attributes: { ...attributesOf(user), isResourceRequest: true, version: "*", ...resource } });

const withAttributes = (type: CelType, object: CelObject, more: Partial<Attributes>): CelObject => {
  const { decide, attributes } = asked(object);
  return objectOf(type, { decide, attributes: { ...attributes, ...more } });
};

const withPart =
  (name: "subresource" | "namespace" | "name") =>
  (object: CelObject, value: string): CelObject =>
    withAttributes(resourceCheckType, object, { [name]: value });

function check(object: CelObject, verb: string): CelObject {
  const { decide, attributes } = asked(object);
  return objectOf(decisionType, decide({ ...attributes, verb }));
}

function serviceAccount(object: CelObject, namespace: string, name: string): CelObject | CelFailure {
  if (checkSubdomainName(name).length > 0) return failure("Invalid service account name");
  if (checkDns1123Label(namespace).length > 0) return failure("Invalid service account namespace");
  const user: User = {
    name: `system:serviceaccount:${namespace}:${name}`,
    groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`],
  };
  return withAttributes(authorizerType, object, { user });
}

/** Selectors are not part of what authorizers decide on. */
const sameResource = (object: CelObject): CelObject => object;

/** The overloads. */
export const authorizerFunctions: readonly Overload[] = [
  overload("authorizer_path", "authorizer . path(string) pathcheck", (object: CelObject, path: string) =>
    path.trim() === "" ? failure("path must not be empty") : withAttributes(pathCheckType, object, { path }),
  ),
  overload("authorizer_group", "authorizer . group(string) groupcheck", (object: CelObject, group: string) =>
    withAttributes(groupCheckType, object, { group }),
  ),
  overload("authorizer_serviceaccount", "authorizer . serviceAccount(string, string) authorizer", serviceAccount),
  overload("groupcheck_resource", "groupcheck . resource(string) resourcecheck", (object: CelObject, resource: string) =>
    resource.trim() === ""
      ? failure("resource must not be empty")
      : withAttributes(resourceCheckType, object, { isResourceRequest: true, version: "*", resource }),
  ),
  overload("resourcecheck_subresource", "resourcecheck . subresource(string) resourcecheck", withPart("subresource")),
  overload("resourcecheck_namespace", "resourcecheck . namespace(string) resourcecheck", withPart("namespace")),
  overload("resourcecheck_name", "resourcecheck . name(string) resourcecheck", withPart("name")),
  overload("pathcheck_check", "pathcheck . check(string) decision", check),
  overload("resourcecheck_check", "resourcecheck . check(string) decision", check),
  overload("decision_errored", "decision . errored() bool", (object: CelObject) => (decided(object).evaluationError ?? "") !== ""),
  overload("decision_error", "decision . error() string", (object: CelObject) => decided(object).evaluationError ?? ""),
  overload("decision_allowed", "decision . allowed() bool", (object: CelObject) => decided(object).decision === "allow"),
  overload("decision_reason", "decision . reason() string", (object: CelObject) => decided(object).reason ?? ""),
  overload("authorizer_fieldselector", "resourcecheck . fieldSelector(string) resourcecheck", sameResource),
  overload("authorizer_labelselector", "resourcecheck . labelSelector(string) resourcecheck", sameResource),
];
