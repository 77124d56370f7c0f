/** Restricts a pod to the secrets that its service account lists: the annotation `kubernetes.io/enforce-mountable-secrets`. */
import type { Container, Pod, ServiceAccount } from "@drover/api/core/v1";
import type { DeepReadonly } from "@drover/machinery";

const annotation = "kubernetes.io/enforce-mountable-secrets";
/** As Go reads a boolean. */
const trueWords: readonly string[] = ["1", "t", "T", "TRUE", "true", "True"];

export function secretsMustBeMountable({ metadata }: DeepReadonly<ServiceAccount>): boolean {
  return trueWords.includes(metadata.annotations?.[annotation] ?? "");
}

type AnyContainer = DeepReadonly<Pick<Container, "name" | "env" | "envFrom">>;

/**
 * Returns why a pod may not use one of its secrets, in kube-apiserver's words; undefined if it may use all of them.
 * @param ephemeralOnly - whether only the ephemeral containers are new
 */
export function forbiddenSecret(
  { spec }: DeepReadonly<Pod>,
  account: DeepReadonly<ServiceAccount>,
  { ephemeralOnly }: { readonly ephemeralOnly: boolean },
): string | undefined {
  const { name: accountName = "" } = account.metadata;
  const mountable = new Set((account.secrets ?? []).map(({ name }) => name ?? ""));
  const why = (what: string, secret: string): string =>
    `${what}secret.secretName="${secret}" is not allowed because service account ${accountName} does not reference that secret`;
  const ofContainers = (word: string, containers: readonly AnyContainer[] = []): readonly string[] =>
    containers.flatMap(({ name, env = [], envFrom = [] }) => [
      ...env.flatMap(({ name: variable, valueFrom }) => {
        const secret = valueFrom?.secretKeyRef;
        return secret === undefined || mountable.has(secret.name ?? "")
          ? []
          : [why(`${word} ${name} with envVar ${variable} referencing `, secret.name ?? "")];
      }),
      ...envFrom.flatMap(({ secretRef }) =>
        secretRef === undefined || mountable.has(secretRef.name ?? "")
          ? []
          : [why(`${word} ${name} with envFrom referencing `, secretRef.name ?? "")],
      ),
    ]);
  if (ephemeralOnly) return ofContainers("ephemeral container", spec?.ephemeralContainers)[0];
  const pullable = new Set((account.imagePullSecrets ?? []).map(({ name }) => name ?? ""));
  const [first] = [
    ...(spec?.volumes ?? []).flatMap(({ secret }) =>
      secret === undefined || mountable.has(secret.secretName ?? "") ? [] : [why("volume with ", secret.secretName ?? "")],
    ),
    ...ofContainers("init container", spec?.initContainers),
    ...ofContainers("container", spec?.containers),
    ...(spec?.imagePullSecrets ?? []).flatMap(({ name = "" }, index) =>
      pullable.has(name)
        ? []
        : [
            `imagePullSecrets[${index}].name="${name}" is not allowed because service account ${accountName} does not reference that imagePullSecret`,
          ],
    ),
  ];
  return first;
}
