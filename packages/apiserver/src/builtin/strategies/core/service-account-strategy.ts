/** The strategy of ServiceAccount: only the names of its secrets are kept. */
import type { ServiceAccount } from "@drover/api/core/v1";
import type { DeepReadonly } from "@drover/machinery";
import type { Strategy } from "../../../registry/strategy.ts";

const mountableSecrets = "kubernetes.io/enforce-mountable-secrets";

/** The strategy of ServiceAccount. */
export const serviceAccountStrategy: Strategy<ServiceAccount> = {
  prepareForCreate: keepSecretNames,
  prepareForUpdate: keepSecretNames,
  warningsOnCreate: (account) => warnings(account),
  warningsOnUpdate: (account, old) => (hasAnnotation(old) ? [] : warnings(account)),
};

function keepSecretNames(account: ServiceAccount): void {
  if (account.secrets !== undefined) account.secrets = account.secrets.map(({ name }) => (name === undefined ? {} : { name }));
}

function hasAnnotation({ metadata }: DeepReadonly<ServiceAccount>): boolean {
  return Object.hasOwn(metadata.annotations ?? {}, mountableSecrets);
}

function warnings(account: DeepReadonly<ServiceAccount>): string[] {
  if (!hasAnnotation(account)) return [];
  return [
    `metadata.annotations[${mountableSecrets}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
  ];
}
