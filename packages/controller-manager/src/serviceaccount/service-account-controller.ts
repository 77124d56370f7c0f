/**
 * Creates a service account named "default" in every namespace, for pods that name none.
 *
 *     Namespaces, ServiceAccounts that go → the namespace's name → created if missing
 */
import { Namespace, ServiceAccount } from "@drover/api/core/v1";
import { done, kindSource, mappedHandler, needOf } from "@drover/controller";
import { objectKey } from "@drover/machinery";
import type { ControllerContext, ControllerDescriptor } from "../host/controller-descriptor.ts";
import { controllerSettings } from "../host/controller-settings.ts";
import { sharedInformer } from "../host/shared-informer.ts";
import { ensureCreated, isActive } from "./ensured-object.ts";

const name = "serviceaccount-controller";
const accountName = "default";

/** kube-controller-manager's "serviceaccount-controller". */
export const serviceAccountController: ControllerDescriptor = {
  name,
  aliases: ["serviceaccount"],
  serviceAccount: "service-account-controller",
  add: addServiceAccountController,
};

function addServiceAccountController(context: ControllerContext): void {
  const {
    manager,
    manager: { cluster },
  } = context;
  const namespaces = sharedInformer(cluster, Namespace);
  const accounts = sharedInformer(cluster, ServiceAccount);
  const controller = manager.controller({
    ...controllerSettings(context, name, { workers: 1 }),
    writes: [needOf(ServiceAccount, ["create"])],
    reconcile: async ({ key: namespace, client }) => {
      if (!isActive(namespaces.get(namespace)) || accounts.get(objectKey(accountName, namespace)) !== undefined) return done;
      await ensureCreated(() => client.create(ServiceAccount, { metadata: { name: accountName } }, { namespace }));
      return done;
    },
  });
  controller.watch(kindSource(Namespace, { cluster, writers: false, predicates: [({ type }) => type !== "deleted"] }));
  controller.watch(
    kindSource(ServiceAccount, {
      cluster,
      writers: false,
      name: "ServiceAccount that is gone",
      predicates: [({ type }) => type === "deleted"],
      handler: mappedHandler(({ metadata: { namespace = "" } }) => [objectKey(namespace)]),
    }),
  );
}
