/**
 * The health checks of kube-apiserver, in its order. Most of them are steps of its start. This server does what it has of them before it
 * answers its first request, so they hold from then on; they are listed because probes and scripts ask for them by name.
 */
import type { HealthCheck, HealthEndpoint } from "./health-response.ts";

const steps: readonly string[] = [
  "poststarthook/start-apiserver-admission-initializer",
  "poststarthook/generic-apiserver-start-informers",
  "poststarthook/priority-and-fairness-config-consumer",
  "poststarthook/priority-and-fairness-filter",
  "poststarthook/storage-object-count-tracker-hook",
  "poststarthook/start-apiextensions-informers",
  "poststarthook/start-apiextensions-controllers",
  "poststarthook/crd-informer-synced",
  "poststarthook/start-system-namespaces-controller",
  "poststarthook/peer-endpoint-reconciler-controller",
  "poststarthook/start-cluster-authentication-info-controller",
  "poststarthook/start-kube-apiserver-identity-lease-controller",
  "poststarthook/start-kube-apiserver-identity-lease-garbage-collector",
  "poststarthook/storage-readiness",
  "poststarthook/start-legacy-token-tracking-controller",
  "poststarthook/start-service-ip-repair-controllers",
  "poststarthook/rbac/bootstrap-roles",
  "poststarthook/scheduling/bootstrap-system-priority-classes",
  "poststarthook/priority-and-fairness-config-producer",
  "poststarthook/bootstrap-controller",
  "poststarthook/start-kubernetes-service-cidr-controller",
  "poststarthook/start-kube-aggregator-informers",
  "poststarthook/apiservice-status-local-available-controller",
  "poststarthook/apiservice-status-remote-available-controller",
  "poststarthook/apiservice-registration-controller",
  "poststarthook/apiservice-discovery-controller",
  "poststarthook/kube-apiserver-autoregistration",
  "autoregister-completion",
  "poststarthook/apiservice-openapi-controller",
  "poststarthook/apiservice-openapiv3-controller",
];
const policyStep = "poststarthook/rbac/bootstrap-roles";

export interface HealthChecksOptions {
  /** Whether the server creates the roles and bindings of mode RBAC. */
  readonly withPolicy: boolean;
  /** Why the store cannot be used; undefined if it can. */
  readonly storeProblem: () => string | undefined;
  /** Asks the store. @default `storeProblem` knows */
  readonly probeStore?: (() => Promise<void>) | undefined;
}

export function healthChecks({ withPolicy, storeProblem, probeStore }: HealthChecksOptions): readonly HealthCheck[] {
  const check = (name: string, ...endpoints: readonly HealthEndpoint[]): HealthCheck => ({
    name,
    failure: () => undefined,
    ...(endpoints.length === 0 ? {} : { endpoints }),
  });
  const ofStore = { failure: storeProblem, ...(probeStore === undefined ? {} : { refresh: probeStore }) };
  return [
    check("ping"),
    check("log"),
    check("loopback-serving-certificate", "healthz", "livez"),
    { ...check("etcd"), ...ofStore },
    { ...check("etcd-readiness", "readyz"), ...ofStore },
    check("informer-sync", "readyz"),
    ...steps.filter((name) => withPolicy || name !== policyStep).map((name) => check(name)),
    check("shutdown", "readyz"),
  ];
}
