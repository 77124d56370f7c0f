/** Which built-in admission plug-ins run, and in which order. */

/** Names of plug-ins, as for `--enable-admission-plugins` and `--disable-admission-plugins` of kube-apiserver. */
export interface AdmissionPluginChoice {
  /** Plug-ins to run beside the default ones. @default none */
  readonly enable?: readonly string[];
  /** Plug-ins not to run. @default none */
  readonly disable?: readonly string[];
}

/** The order of kube-apiserver. */
const order: ReadonlyMap<string, { readonly isDefault: boolean }> = new Map([
  ["AlwaysAdmit", { isDefault: false }],
  ["NamespaceAutoProvision", { isDefault: false }],
  ["NamespaceLifecycle", { isDefault: true }],
  ["NamespaceExists", { isDefault: false }],
  ["LimitPodHardAntiAffinityTopology", { isDefault: false }],
  ["LimitRanger", { isDefault: true }],
  ["ServiceAccount", { isDefault: false }],
  ["NodeRestriction", { isDefault: false }],
  ["TaintNodesByCondition", { isDefault: true }],
  ["AlwaysPullImages", { isDefault: false }],
  ["PodSecurity", { isDefault: true }],
  ["PodNodeSelector", { isDefault: false }],
  ["Priority", { isDefault: true }],
  ["DefaultTolerationSeconds", { isDefault: true }],
  ["PodTolerationRestriction", { isDefault: false }],
  ["ExtendedResourceToleration", { isDefault: false }],
  ["DefaultStorageClass", { isDefault: true }],
  ["StorageObjectInUseProtection", { isDefault: true }],
  ["PodGroupProtection", { isDefault: true }],
  ["OwnerReferencesPermissionEnforcement", { isDefault: false }],
  ["PersistentVolumeClaimResize", { isDefault: true }],
  ["RuntimeClass", { isDefault: true }],
  ["CertificateApproval", { isDefault: true }],
  ["CertificateSigning", { isDefault: true }],
  ["ClusterTrustBundleAttest", { isDefault: true }],
  ["CertificateSubjectRestriction", { isDefault: true }],
  ["DefaultIngressClass", { isDefault: true }],
  ["DenyServiceExternalIPs", { isDefault: false }],
  ["PodTopologyLabels", { isDefault: true }],
  ["PodGroupWorkloadExists", { isDefault: true }],
  ["NodeDeclaredFeatureValidator", { isDefault: true }],
  ["JobValidation", { isDefault: true }],
  ["PodResizeValidator", { isDefault: true }],
  ["MutatingAdmissionPolicy", { isDefault: true }],
  ["MutatingAdmissionWebhook", { isDefault: true }],
  ["ValidatingAdmissionPolicy", { isDefault: true }],
  ["ValidatingAdmissionWebhook", { isDefault: true }],
  ["ResourceQuota", { isDefault: true }],
  ["AlwaysDeny", { isDefault: false }],
]);

/** Plug-ins of kube-apiserver that need a configuration file, and what to use instead. */
const withoutConfiguration: ReadonlyMap<string, string> = new Map([
  ["EventRateLimit", "it needs limits from a configuration file, which is not supported"],
  ["ImagePolicyWebhook", "it needs a configuration file, which is not supported; use a ValidatingWebhookConfiguration"],
]);

function whyNot(name: string): string {
  const reason = withoutConfiguration.get(name);
  if (reason !== undefined) return `${name} cannot run here: ${reason}`;
  return `unknown plug-in ${JSON.stringify(name)}; known are ${[...order.keys()].join(", ")}`;
}

/** Names of the two lists in error messages. */
export interface PluginListNames {
  readonly enable: string;
  readonly disable: string;
}

/** Returns what is wrong with a choice: a name that is unknown or cannot run here, or one on both lists. Undefined for a valid one. */
export function admissionPluginProblem({ enable = [], disable = [] }: AdmissionPluginChoice, lists: PluginListNames): string | undefined {
  for (const [list, names] of [
    [lists.enable, enable],
    [lists.disable, disable],
  ] as const) {
    const wrong = names.find((name) => !order.has(name));
    if (wrong !== undefined) return `${list}: ${whyNot(wrong)}`;
  }
  const both = enable.find((name) => disable.includes(name));
  return both === undefined ? undefined : `${both} is in both ${lists.enable} and ${lists.disable}; remove it from one of them`;
}

/** Returns the names of the plug-ins to run, in order. Throws a TypeError for a wrong choice. */
export function chosenPlugins(choice: AdmissionPluginChoice): readonly string[] {
  const problem = admissionPluginProblem(choice, { enable: "admissionPlugins.enable", disable: "admissionPlugins.disable" });
  if (problem !== undefined) throw new TypeError(problem);
  const { enable = [], disable = [] } = choice;
  return [...order].flatMap(([name, { isDefault }]) => ((isDefault || enable.includes(name)) && !disable.includes(name) ? [name] : []));
}
