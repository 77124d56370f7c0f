/** What the operator of `operator/` needs in the cluster, as kubebuilder would generate it. */

const group = "shop.drover.dev";

/** Where its webhooks are served, and the authority of their certificate, PEM. */
export interface WebhookAddress {
  readonly url: string;
  readonly authority: string;
}

const account = { kind: "ServiceAccount", name: "site-operator", namespace: "operators" };
const rbac = "rbac.authorization.k8s.io";

/** Its service account with no more rights than it needs. */
const rights: readonly object[] = [
  { apiVersion: "v1", kind: "Namespace", metadata: { name: "operators" } },
  { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "site-operator", namespace: "operators" } },
  {
    apiVersion: `${rbac}/v1`,
    kind: "ClusterRole",
    metadata: { name: "site-operator" },
    rules: [
      { apiGroups: [group], resources: ["sites"], verbs: ["get", "list", "watch", "update"] },
      // Owner references block deletion, which OwnerReferencesPermissionEnforcement would check here.
      { apiGroups: [group], resources: ["sites/status", "sites/finalizers"], verbs: ["patch", "update"] },
      { apiGroups: ["apps"], resources: ["deployments"], verbs: ["get", "list", "watch", "create", "update"] },
      { apiGroups: [""], resources: ["configmaps"], verbs: ["create"] },
      { apiGroups: ["", "events.k8s.io"], resources: ["events"], verbs: ["create", "patch"] },
    ],
  },
  {
    apiVersion: `${rbac}/v1`,
    kind: "ClusterRoleBinding",
    metadata: { name: "site-operator" },
    roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "site-operator" },
    subjects: [account],
  },
  {
    apiVersion: `${rbac}/v1`,
    kind: "Role",
    metadata: { name: "leader-election", namespace: "operators" },
    rules: [{ apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["get", "create", "update"] }],
  },
  {
    apiVersion: `${rbac}/v1`,
    kind: "RoleBinding",
    metadata: { name: "leader-election", namespace: "operators" },
    roleRef: { apiGroup: rbac, kind: "Role", name: "leader-election" },
    subjects: [account],
  },
];

const version = (name: string, spec: object, storage: boolean): object => ({
  name,
  storage,
  served: true,
  subresources: { status: {} },
  schema: {
    openAPIV3Schema: {
      type: "object",
      properties: {
        spec: { type: "object", properties: { image: { type: "string" }, ...spec } },
        status: {
          type: "object",
          properties: {
            readyReplicas: { type: "integer", format: "int32" },
            conditions: { type: "array", items: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
          },
        },
      },
    },
  },
  additionalPrinterColumns: [
    { name: "Image", type: "string", jsonPath: ".spec.image" },
    { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  ],
});

/** Returns the CRD with two versions, the webhook configurations, and the service account with its roles. */
export function operatorObjects({ url, authority }: WebhookAddress): readonly object[] {
  const client = (path: string): object => ({ url: `${url}${path}`, caBundle: Buffer.from(authority).toString("base64") });
  const hook = (name: string, path: string, operations: readonly string[]): object => ({
    name,
    admissionReviewVersions: ["v1"],
    sideEffects: "None",
    clientConfig: client(path),
    // Equivalent, the default: requests for v1beta1 are converted to v1 before they are sent.
    rules: [{ apiGroups: [group], apiVersions: ["v1"], operations, resources: ["sites"] }],
  });
  return [
    ...rights,
    {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: `sites.${group}` },
      spec: {
        group,
        scope: "Namespaced",
        names: { plural: "sites", singular: "site", kind: "Site", listKind: "SiteList" },
        conversion: { strategy: "Webhook", webhook: { conversionReviewVersions: ["v1"], clientConfig: client("/convert") } },
        versions: [
          version("v1", { replicas: { type: "integer", format: "int32", minimum: 0 } }, true),
          version("v1beta1", { size: { type: "string" } }, false),
        ],
      },
    },
    {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "MutatingWebhookConfiguration",
      metadata: { name: "site-operator" },
      webhooks: [hook("default.shop.drover.dev", "/mutate-shop-drover-dev-v1-site", ["CREATE", "UPDATE"])],
    },
    {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata: { name: "site-operator" },
      webhooks: [hook("validate.shop.drover.dev", "/validate-shop-drover-dev-v1-site", ["CREATE", "UPDATE", "DELETE"])],
    },
  ];
}
