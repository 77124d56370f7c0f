/**
 * Checks the object in the body of a write, and finds its namespace and name.
 *
 *     object as the caller has it → checked, apiVersion and kind filled in → body
 */
import { apiVersionOf, declaredFieldsOf } from "@drover/machinery";
import type { DeepReadonly, KubeObject } from "@drover/machinery";
import type { ResourceTarget } from "./resource-target.ts";

/**
 * Returns the namespace of a write: the option's, else the object's. Throws a `TypeError` if they differ, which the server
 * would reject.
 */
export function namespaceOfWrite(
  attempt: string,
  target: ResourceTarget,
  object: DeepReadonly<KubeObject>,
  given: string | undefined,
): string | undefined {
  const own = metadataOf(attempt, object).namespace;
  if (target.scope === "Cluster" || own === undefined || own === "") return given;
  if (given !== undefined && given !== own)
    throw new TypeError(`${attempt}: the object has namespace "${own}" and the options have "${given}"; omit one of them`);
  return own;
}

/** Returns the name of an object that must have one. */
export function nameOfWrite(attempt: string, object: DeepReadonly<KubeObject>): string {
  const { name } = metadataOf(attempt, object);
  if (typeof name !== "string" || name === "") throw new TypeError(`${attempt}: the object has no name; set metadata.name`);
  return name;
}

/** Returns the metadata, which is checked despite the types. */
function metadataOf(attempt: string, object: DeepReadonly<KubeObject>): DeepReadonly<KubeObject["metadata"]> {
  const { metadata }: { readonly metadata?: DeepReadonly<KubeObject["metadata"]> } = object;
  if (typeof metadata !== "object") throw new TypeError(`${attempt}: the object has no metadata; add metadata: { name }`);
  return metadata;
}

/**
 * Returns the object with `apiVersion` and `kind`, which may be absent. Throws a `TypeError` if they differ from the
 * client's: the object belongs to another resource. Does not modify the object.
 */
export function typedBody<O extends object>(
  attempt: string,
  target: Pick<ResourceTarget, "group" | "version" | "kind">,
  object: O & Pick<KubeObject, "apiVersion" | "kind">,
): O {
  const apiVersion = apiVersionOf(target);
  const { kind } = target;
  const isOther = (given: string | undefined, expected: string): boolean => given !== undefined && given !== "" && given !== expected;
  if (isOther(object.apiVersion, apiVersion) || isOther(object.kind, kind)) {
    throw new TypeError(
      `${attempt}: the object is a ${object.apiVersion ?? apiVersion} ${object.kind ?? kind}, but this is the client of ${apiVersion} ${kind}`,
    );
  }
  return object.apiVersion === apiVersion && object.kind === kind ? object : { ...object, apiVersion, kind };
}

/**
 * Throws a `TypeError` for an object of an informer with declared fields, from which a write would remove all others. A status may be
 * written unless only parts of it are declared.
 */
export function refuseLimited(attempt: string, object: object, subresource: string | undefined): void {
  const fields = declaredFieldsOf(object);
  if (fields === undefined || (subresource === "status" && !fields.some((field) => field.startsWith("status.")))) return;
  throw new TypeError(
    `${attempt}: the object comes from a cache with only the fields ${JSON.stringify(fields)}, so this would remove its other fields; read it with get first, or use patch`,
  );
}
