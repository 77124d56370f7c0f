/** DefaultStorageClass and DefaultIngressClass: claims and ingresses that name no class get the default one. */
import { PersistentVolumeClaim } from "@drover/api/core/v1";
import { Ingress } from "@drover/api/networking/v1";
import { compareBytes } from "@drover/machinery";
import type { ObjectStore } from "../registry/object-store.ts";
import type { Resource } from "../registry/resource.ts";
import { typedObject } from "../typed-object.ts";
import type { AdmissionPlugin } from "./admission.ts";
import { KeptObjects } from "./kept-objects.ts";

/** Creation timestamps of the default classes, by name. */
type DefaultClasses = KeptObjects<string>;

const storageDefaults: readonly string[] = [
  "storageclass.kubernetes.io/is-default-class",
  "storageclass.beta.kubernetes.io/is-default-class",
];
const storageClassAnnotation = "volume.beta.kubernetes.io/storage-class";
const ingressDefaults: readonly string[] = ["ingressclass.kubernetes.io/is-default-class"];
const ingressClassAnnotation = "kubernetes.io/ingress.class";

/** `classes` is the resource of storage classes. */
export function defaultStorageClass(objects: ObjectStore, classes: Resource): AdmissionPlugin {
  const defaults = defaultClasses(objects, classes, storageDefaults);
  return {
    name: "DefaultStorageClass",
    mutate: ({ operation, resource: { kind }, subresource, object }) => {
      if (kind.plural !== "persistentvolumeclaims" || kind.group !== "" || operation !== "CREATE") return undefined;
      if (subresource !== "" || object === undefined) return undefined;
      const claim = typedObject(PersistentVolumeClaim, object);
      const { spec, metadata } = claim;
      if (spec?.storageClassName !== undefined || Object.hasOwn(metadata.annotations ?? {}, storageClassAnnotation)) return undefined;
      return defaults.use((found) => {
        const name = newest(found);
        if (name !== undefined) claim.spec = { ...spec, storageClassName: name };
      });
    },
  };
}

/** `classes` is the resource of ingress classes. */
export function defaultIngressClass(objects: ObjectStore, classes: Resource): AdmissionPlugin {
  const defaults = defaultClasses(objects, classes, ingressDefaults);
  return {
    name: "DefaultIngressClass",
    mutate: ({ operation, resource: { kind }, subresource, object }) => {
      if (kind.plural !== "ingresses" || kind.group !== "networking.k8s.io" || operation !== "CREATE") return undefined;
      if (subresource !== "" || object === undefined) return undefined;
      const ingress = typedObject(Ingress, object);
      const { spec, metadata } = ingress;
      if (spec?.ingressClassName !== undefined || Object.hasOwn(metadata.annotations ?? {}, ingressClassAnnotation)) return undefined;
      return defaults.use((found) => {
        const name = newest(found);
        if (name !== undefined) ingress.spec = { ...spec, ingressClassName: name };
      });
    },
  };
}

const defaultClasses = (objects: ObjectStore, classes: Resource, annotations: readonly string[]): DefaultClasses =>
  new KeptObjects(objects, classes, ({ metadata }) => {
    const isDefault = annotations.some((annotation) => metadata.annotations?.[annotation] === "true");
    return isDefault ? (metadata.creationTimestamp ?? "") : undefined;
  });

/** Of several defaults the one created last counts, then the first by name. */
function newest(found: ReadonlyMap<string, string>): string | undefined {
  const [first] = [...found].toSorted(([a, createdA], [b, createdB]) => compareBytes(createdB, createdA) || compareBytes(a, b));
  return first?.[0];
}
