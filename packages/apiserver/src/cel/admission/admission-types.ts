/** Types of the variables `request` and `namespaceObject`, and of the objects that mutations construct. */
import {
  boolType,
  dynType,
  intType,
  listType,
  mapType,
  openType,
  stringType,
  structType,
  timestampType,
  typeOfType,
} from "../check/cel-type.ts";
import type { CelType } from "../check/cel-type.ts";

const fields = (types: Readonly<Record<string, CelType>>): ReadonlyMap<string, CelType> => new Map(Object.entries(types));
const texts = (...names: readonly string[]): Record<string, CelType> => Object.fromEntries(names.map((name) => [name, stringType]));
const textList = listType(stringType);
const textMap = mapType(stringType, stringType);

const kindType = structType("kubernetes.GroupVersionKind", fields(texts("group", "version", "kind")));
const resourceType = structType("kubernetes.GroupVersionResource", fields(texts("group", "version", "resource")));
const userType = structType(
  "kubernetes.UserInfo",
  fields({ ...texts("username", "uid"), groups: textList, extra: mapType(stringType, textList) }),
);

/** The type of `request`. */
export const requestType: CelType = structType(
  "kubernetes.AdmissionRequest",
  fields({
    kind: kindType,
    resource: resourceType,
    requestKind: kindType,
    requestResource: resourceType,
    ...texts("subResource", "requestSubResource", "name", "namespace", "operation"),
    userInfo: userType,
    dryRun: boolType,
    options: dynType,
  }),
);

const namespaceMetadata = structType(
  "kubernetes.NamespaceMetadata",
  fields({
    ...texts("name", "generateName", "namespace", "UID", "resourceVersion"),
    labels: textMap,
    annotations: textMap,
    creationTimestamp: timestampType,
    deletionTimestamp: timestampType,
    deletionGracePeriodSeconds: intType,
    generation: intType,
    finalizers: textList,
  }),
);
const namespaceCondition = structType(
  "kubernetes.NamespaceCondition",
  fields({ ...texts("status", "type", "message", "reason"), lastTransitionTime: timestampType }),
);

/** The type of `namespaceObject`. */
export const namespaceType: CelType = structType(
  "kubernetes.Namespace",
  fields({
    metadata: namespaceMetadata,
    spec: structType("kubernetes.NamespaceSpec", fields({ finalizers: textList })),
    status: structType("kubernetes.NamespaceStatus", fields({ conditions: listType(namespaceCondition), phase: stringType })),
  }),
);

/** The type of one operation of a JSON patch. */
export const jsonPatchType: CelType = structType("JSONPatch", fields({ ...texts("op", "path", "from"), value: dynType }));
/** The type of an apply configuration. */
export const applyConfigurationType: CelType = openType("Object");

/** Returns the type that a name such as `Object.spec.template` stands for in mutations, as the type of that type. */
export function constructedType(name: string): CelType | undefined {
  if (name === jsonPatchType.name) return typeOfType(jsonPatchType);
  return name === "Object" || name.startsWith("Object.") ? typeOfType(openType(name)) : undefined;
}
