/**
 * Fills Secrets of type `kubernetes.io/service-account-token` with a token of their service account, and deletes them with it.
 *
 *     Secrets of the type, ServiceAccounts that go → the Secret → filled, or deleted
 */
import { Secret, ServiceAccount } from "@drover/api/core/v1";
import type { Client } from "@drover/client";
import type { InformerRequest, InformerView } from "@drover/cache";
import { done, kindSource, mappedHandler, needOf } from "@drover/controller";
import type { Result } from "@drover/controller";
import { isNotFound, objectKey, splitObjectKey } from "@drover/machinery";
import type { DeepReadonly, ObjectKey } from "@drover/machinery";
import type { ControllerContext, ControllerDescriptor } from "../host/controller-descriptor.ts";
import { controllerSettings } from "../host/controller-settings.ts";
import { sharedInformer } from "../host/shared-informer.ts";
import { accountNameAnnotation, filledSecret, isForAccount, tokenSecretType } from "./secret-token.ts";
import type { FilledSecretOptions } from "./secret-token.ts";

const name = "serviceaccount-token-controller";
const retriesMax = 10;

/** Creates kube-controller-manager's "serviceaccount-token-controller" for a key that the API server knows. */
export function serviceAccountTokenController(options: FilledSecretOptions): ControllerDescriptor {
  // It creates the credentials of the others, so it has those of the manager itself.
  return { name, aliases: ["serviceaccount-token"], serviceAccount: "", add: (context) => addTokenController(context, options) };
}

function addTokenController(context: ControllerContext, options: FilledSecretOptions): void {
  const {
    manager,
    manager: { cluster },
  } = context;
  const accounts = sharedInformer(cluster, ServiceAccount);
  const request: InformerRequest<Secret> = { fieldSelector: `type=${tokenSecretType}` };
  const { informer: secrets } = cluster.informers.acquire(Secret, { ...request, keepManagedFields: false });
  const controller = manager.controller({
    ...controllerSettings(context, name, { retriesMax }),
    writes: [needOf(Secret, ["delete", "get", "update"]), needOf(ServiceAccount, ["get", "update"])],
    reconcile: async ({ key, client }) => {
      const secret = secrets.get(key);
      return secret === undefined ? await forget(key, client, accounts) : await sync(secret, { client, accounts, options });
    },
  });
  controller.watch(kindSource(Secret, { cluster, writers: false, request, name: "Secret with a token" }));
  controller.watch(
    kindSource(ServiceAccount, {
      cluster,
      writers: false,
      name: "ServiceAccount that is gone",
      predicates: [({ type }) => type === "deleted"],
      handler: mappedHandler(({ metadata: { namespace = "", name: account = "", uid = "" } }) =>
        secrets
          .byIndex("namespace", namespace)
          .filter((secret) => isForAccount(secret, { name: account, uid }))
          .map(({ metadata }) => objectKey(metadata.name ?? "", namespace)),
      ),
    }),
  );
}

interface Syncing {
  readonly client: Client;
  readonly accounts: InformerView<ServiceAccount>;
  readonly options: FilledSecretOptions;
}

async function sync(secret: DeepReadonly<Secret>, { client, accounts, options }: Syncing): Promise<Result> {
  const { namespace = "", name: secretName = "", uid = "", annotations = {} } = secret.metadata;
  const accountName = annotations[accountNameAnnotation] ?? "";
  if (accountName === "") return done;
  const isWanted = ({ metadata }: DeepReadonly<ServiceAccount>): boolean =>
    isForAccount(secret, { name: accountName, uid: metadata.uid ?? "" });
  const cached = accounts.get(objectKey(accountName, namespace));
  const account =
    cached !== undefined && isWanted(cached) ? cached : await unlessGone(() => client.get(ServiceAccount, accountName, { namespace }));
  if (account === undefined || !isWanted(account)) {
    await unlessGone(() => client.delete(Secret, secretName, { namespace, preconditions: { uid } }));
    return done;
  }
  const filled = filledSecret(secret, account, options);
  // One that has changed meanwhile is synced again.
  if (filled !== undefined) await unlessGone(() => client.update(Secret, filled, { namespace }));
  return done;
}

/** Removes the reference to a Secret that is gone from the accounts of its namespace. */
async function forget(key: ObjectKey, client: Client, accounts: InformerView<ServiceAccount>): Promise<Result> {
  const { namespace, name: secretName } = splitObjectKey(key);
  for (const account of accounts.byIndex("namespace", namespace)) {
    const { secrets = [] } = account;
    if (secrets.some((secret) => secret.name === secretName))
      await unlessGone(() =>
        client.update(ServiceAccount, { ...account, secrets: secrets.filter((secret) => secret.name !== secretName) }, { namespace }),
      );
  }
  return done;
}

/** Undefined for an object that has gone; the watch reports that. */
async function unlessGone<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
