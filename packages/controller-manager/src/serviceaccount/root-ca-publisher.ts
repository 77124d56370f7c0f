/**
 * Publishes the API server's certificate authority in every namespace, so that pods can verify the server.
 *
 *     Namespaces, ConfigMaps named kube-root-ca.crt → the namespace's name → created, or corrected
 */
import { ConfigMap, Namespace } from "@drover/api/core/v1";
import type { InformerRequest } from "@drover/cache";
import { done, kindSource, mappedHandler, needOf } from "@drover/controller";
import { objectKey } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import type { ControllerContext, ControllerDescriptor } from "../host/controller-descriptor.ts";
import { controllerSettings } from "../host/controller-settings.ts";
import { sharedInformer } from "../host/shared-informer.ts";
import { ensureCreated, isActive } from "./ensured-object.ts";

const name = "root-ca-certificate-publisher-controller";
const configMapName = "kube-root-ca.crt";
const dataKey = "ca.crt";
const descriptionAnnotation = "kubernetes.io/description";
/** Same text as kube-controller-manager writes, because others compare it. */
const description =
  "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.";

/** Creates kube-controller-manager's "root-ca-certificate-publisher-controller" for this authority, in PEM. */
export function rootCaPublisherController(authorityPem: string): ControllerDescriptor {
  return {
    name,
    aliases: ["root-ca-cert-publisher"],
    serviceAccount: "root-ca-cert-publisher",
    add: (context) => addRootCaPublisher(context, authorityPem),
  };
}

function addRootCaPublisher(context: ControllerContext, authorityPem: string): void {
  const {
    manager,
    manager: { cluster },
  } = context;
  const namespaces = sharedInformer(cluster, Namespace);
  const request: InformerRequest<ConfigMap> = { fieldSelector: `metadata.name=${configMapName}` };
  const { informer: configMaps } = cluster.informers.acquire(ConfigMap, { ...request, keepManagedFields: false });
  const controller = manager.controller({
    ...controllerSettings(context, name, { workers: 1 }),
    writes: [needOf(ConfigMap, ["create", "update"])],
    reconcile: async ({ key: namespace, client }) => {
      const known = configMaps.get(objectKey(configMapName, namespace));
      if (known === undefined) {
        const made = {
          metadata: { name: configMapName, annotations: { [descriptionAnnotation]: description } },
          data: { [dataKey]: authorityPem },
        };
        if (isActive(namespaces.get(namespace))) await ensureCreated(() => client.create(ConfigMap, made, { namespace }));
      } else if (!isRight(known, authorityPem)) {
        const { metadata } = known;
        await client.update(
          ConfigMap,
          {
            ...known,
            metadata: { ...metadata, annotations: { ...metadata.annotations, [descriptionAnnotation]: description } },
            data: { [dataKey]: authorityPem },
          },
          { namespace },
        );
      }
      return done;
    },
  });
  controller.watch(kindSource(Namespace, { cluster, writers: false, predicates: [({ type }) => type !== "deleted"] }));
  controller.watch(
    kindSource(ConfigMap, {
      cluster,
      writers: false,
      request,
      name: "ConfigMap of the authority",
      handler: mappedHandler(({ metadata: { namespace = "" } }) => [objectKey(namespace)]),
    }),
  );
}

function isRight({ metadata, data = {} }: DeepReadonly<ConfigMap>, authorityPem: string): boolean {
  return Object.keys(data).length === 1 && data[dataKey] === authorityPem && metadata.annotations?.[descriptionAnnotation] === description;
}
