/**
 * Turns a desired object into the body that is sent: with namespace and marks of its set, without fields that the
 * server sets.
 *
 *     DesiredObject, SetIdentity, SetOwner → WantedObject
 *
 * Detects every mistake in the given objects before the first request.
 */
import { apiVersionOf, encodeJson, newControllerRef, newOwnerReference, sha256Hex, withOwnerReference } from "@drover/machinery";
import type { DeepReadonly, JsonObject, Kind, KubeObject, ObjectMeta, OwnerReference } from "@drover/machinery";
import { applyRank } from "./apply-order.ts";
import type { ApplySet, DesiredObject, ImmutablePolicy, SetOwner } from "./apply-set.ts";
import { isSecretKind, withoutStringData } from "./secret-data.ts";
import { appliedAnnotation, kindWords, ownerAnnotation, placeWords, setLabel, setNameAnnotation } from "./set-identity.ts";
import type { SetIdentity } from "./set-identity.ts";

/** A desired object, checked and ready to send. */
export interface WantedObject {
  /** Index in the given list. */
  readonly position: number;
  readonly kind: Kind;
  /** "" for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
  /** "Deployment.apps shop/web". */
  readonly words: string;
  /** The body that is sent, including marks and hash. */
  readonly body: JsonObject & KubeObject;
  readonly hash: string;
  readonly rank: number;
  readonly onImmutable: ImmutablePolicy;
  readonly isReady: DesiredObject["isReady"];
  /** Whether an existing object is kept as it is. */
  readonly isOnce: boolean;
}

/** Returns the objects in the order of application. Throws a `TypeError` that names the index of an invalid one. */
export function wantedObjects(
  set: ApplySet,
  identity: SetIdentity,
  owner: SetOwner,
  objects: readonly DesiredObject[],
): readonly WantedObject[] {
  const wanted = objects.map((desired, position) => wantedObject(set, identity, owner, desired, position));
  const seen = new Map<string, WantedObject>();
  for (const object of wanted) {
    const earlier = seen.get(object.words);
    if (earlier !== undefined)
      throw new TypeError(
        `${attempt(identity)}: objects[${earlier.position}] and objects[${object.position}] are both ${object.words}; list each object once`,
      );
    seen.set(object.words, object);
  }
  return wanted.toSorted((a, b) => a.rank - b.rank || a.position - b.position);
}

/** "apply set web-app of WebApp.demo.example.com shop/web". */
export const attempt = ({ name, owner }: SetIdentity): string => `apply set ${name} of ${owner}`;

function wantedObject(set: ApplySet, identity: SetIdentity, owner: SetOwner, desired: DesiredObject, position: number): WantedObject {
  const { kind, object, onImmutable = set.onImmutable ?? "fail", isReady, isOnce = false } = desired;
  const { name = "" } = object.metadata;
  const problem = (text: string): TypeError =>
    new TypeError(`${attempt(identity)}: objects[${position}], ${kindWords(kind)} ${name}: ${text}`);
  if (name === "") throw problem("it has no metadata.name; a generated name would create another object in every apply");
  const ownerNamespace = owner.object.metadata.namespace ?? "";
  const namespace = kind.scope === "Cluster" ? "" : (object.metadata.namespace ?? ownerNamespace);
  if (kind.scope === "Namespaced" && namespace === "")
    throw problem(`it has no metadata.namespace, and its owner ${identity.owner} is cluster-scoped`);
  const refused = placeProblem(set.scope ?? "namespace", kind, namespace, ownerNamespace);
  if (refused !== undefined) throw problem(refused);
  const { body, hash } = bodyOf(set, identity, owner, { kind, object, namespace });
  return {
    position,
    kind,
    namespace,
    name,
    words: `${kindWords(kind)} ${placeWords(namespace, name)}`,
    body,
    hash,
    rank: applyRank(kind),
    onImmutable,
    isReady,
    isOnce,
  };
}

function placeProblem(scope: NonNullable<ApplySet["scope"]>, kind: Kind, namespace: string, ownerNamespace: string): string | undefined {
  if (kind.scope === "Cluster")
    return scope === "cluster" || (scope === "namespace" && ownerNamespace === "")
      ? undefined
      : `it is cluster-scoped, and the set's scope is "${scope}"; set scope: "cluster" to allow it`;
  if (scope !== "namespace" || ownerNamespace === "" || namespace === ownerNamespace) return undefined;
  return `it is in namespace ${namespace}, its owner in ${ownerNamespace}, and the set's scope is "namespace"; set scope: "cross-namespace" to allow it`;
}

/**
 * Returns the owner reference of a member; undefined where the garbage collector would not follow it, and only the
 * label identifies the owner.
 */
export function ownerReferenceFor({ reference = "controller" }: ApplySet, owner: SetOwner, namespace: string): OwnerReference | undefined {
  const { uid = "", namespace: ownerNamespace = "" } = owner.object.metadata;
  if (reference === "label" || uid === "" || (ownerNamespace !== "" && ownerNamespace !== namespace)) return undefined;
  return reference === "controller" ? newControllerRef(owner.object, owner.kind) : newOwnerReference(owner.object, owner.kind);
}

interface Placed {
  readonly kind: Kind;
  readonly object: DeepReadonly<KubeObject>;
  readonly namespace: string;
}

function bodyOf(
  set: ApplySet,
  identity: SetIdentity,
  owner: SetOwner,
  { kind, object, namespace }: Placed,
): { readonly body: WantedObject["body"]; readonly hash: string } {
  const { metadata, ...fields } = object as DeepReadonly<KubeObject> & JsonObject;
  const rest = Object.hasOwn(kind.subresources, "status") ? without(fields, ["status"]) : fields;
  const reference = ownerReferenceFor(set, owner, namespace);
  const references = metadata.ownerReferences as OwnerReference[] | undefined;
  const kept = without(metadata as JsonObject, serversOwn) as ObjectMeta;
  const marked: ObjectMeta = {
    ...kept,
    ...(namespace === "" ? {} : { namespace }),
    labels: { ...kept.labels, [setLabel]: identity.id },
    annotations: { ...kept.annotations, [setNameAnnotation]: identity.name, [ownerAnnotation]: identity.owner },
    ...(reference === undefined ? {} : { ownerReferences: withOwnerReference(references, reference) }),
  };
  const whole = { ...rest, apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: marked as ObjectMeta & JsonObject };
  const sent = isSecretKind(kind) ? withoutStringData(whole) : whole;
  const hash = sha256Hex(`${identity.fieldManager}\n${set.method ?? "server-side"}\n${encodeJson(sent, { sortKeys: true })}`).slice(0, 32);
  const hashed: ObjectMeta = { ...marked, annotations: { ...marked.annotations, [appliedAnnotation]: hash } };
  const sentMetadata = hashed as ObjectMeta & JsonObject;
  return { body: { ...sent, metadata: sentMetadata }, hash };
}

/** Fields that the server sets: ignored in desired objects, which may have been read from the server. */
const serversOwn: readonly string[] = [
  "namespace",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "managedFields",
  "selfLink",
  "generateName",
];

function without(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}
