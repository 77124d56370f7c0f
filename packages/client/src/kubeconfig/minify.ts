/**
 * Reduces a kubeconfig to one context.
 */
import { selectContext } from "./overrides.ts";
import type { Kubeconfig } from "./kubeconfig.ts";
import { KubeconfigError } from "./kubeconfig-error.ts";

/** Returns the kubeconfig with only the context, its cluster and its user, to share it. Throws if one of them does not exist. */
export function minifyKubeconfig(
  config: Kubeconfig,
  { context }: { /** The context to keep. @default the current one */ readonly context?: string } = {},
): Kubeconfig {
  const name = context || config["current-context"];
  if (name === "") throw new KubeconfigError("context-not-found", ["the kubeconfig has no current-context; name the context to keep"]);
  const selected = selectContext(config, { context: name });
  return {
    ...config,
    "current-context": name,
    contexts: config.contexts.filter((entry) => entry.name === name),
    clusters: config.clusters.filter((entry) => entry.name === selected.cluster.name),
    users: config.users.filter((entry) => entry.name === selected.user.name),
  };
}
