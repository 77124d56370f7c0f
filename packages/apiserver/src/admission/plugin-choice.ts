/** Which built-in admission plug-ins run, and in which order. */

/** Names of plug-ins, as for `--enable-admission-plugins` and `--disable-admission-plugins` of kube-apiserver. */
export interface AdmissionPluginChoice {
  /** Plug-ins to run beside the default ones. @default none */
  readonly enable?: readonly string[];
  /** Plug-ins not to run. @default none */
  readonly disable?: readonly string[];
}

/** The order of kube-apiserver. The server implements these; the others of kube-apiserver are unknown to it. */
const order: ReadonlyMap<string, { readonly isDefault: boolean }> = new Map([
  ["NamespaceLifecycle", { isDefault: true }],
  ["LimitRanger", { isDefault: true }],
  ["TaintNodesByCondition", { isDefault: true }],
  ["Priority", { isDefault: true }],
  ["DefaultTolerationSeconds", { isDefault: true }],
  ["StorageObjectInUseProtection", { isDefault: true }],
  ["ResourceQuota", { isDefault: true }],
]);

/** Returns the names of the plug-ins to run, in order. Throws a TypeError for an unknown name, or one that is on both lists. */
export function chosenPlugins({ enable = [], disable = [] }: AdmissionPluginChoice): readonly string[] {
  for (const [option, names] of Object.entries({ enable, disable }))
    for (const name of names)
      if (!order.has(name))
        throw new TypeError(
          `admissionPlugins.${option}: unknown plug-in ${JSON.stringify(name)}; known are ${[...order.keys()].join(", ")}`,
        );
  const both = enable.find((name) => disable.includes(name));
  if (both !== undefined) throw new TypeError(`admissionPlugins: ${both} is in both enable and disable; remove it from one of them`);
  return [...order].flatMap(([name, { isDefault }]) => ((isDefault || enable.includes(name)) && !disable.includes(name) ? [name] : []));
}
