/** What `drover up` says when it is ready. */

export interface GreetingOptions {
  readonly url: string;
  /** The path of the kubeconfig, from the root. */
  readonly kubeconfig: string;
  /** From the start of the process until it was ready. */
  readonly startedInMs: number;
  readonly hasKubectl: boolean;
  readonly platform: string;
}

/** Lines to be copied into another terminal stand alone, with two spaces before them. */
export function greeting({ url, kubeconfig, startedInMs, hasKubectl, platform }: GreetingOptions): string {
  const missing = "\nkubectl is not on this machine's PATH. https://kubernetes.io/docs/tasks/tools tells how to install it; 1.20 and later will do.\n";
  return `Kubernetes is ready at ${url}, ${(startedInMs / 1000).toFixed(2)} s after the start. In another terminal:

  ${setVariable(kubeconfig, platform)}
  kubectl get namespaces
${hasKubectl ? "" : missing}
It stores, checks and watches every kind of Kubernetes 1.36, and kinds of your own. Nodes and controllers are not part of it yet: a Deployment stays
without Pods. Nor is protobuf, which "kubectl create deployment" and its like send: use "kubectl create -f" and "kubectl apply -f".
Everything is in memory; Ctrl-C ends it and removes the kubeconfig.
`;
}

/** The line that makes kubectl use a file, in the shell people have. */
function setVariable(path: string, platform: string): string {
  if (platform === "win32") return `$env:KUBECONFIG = '${path.replaceAll("'", "''")}'`;
  return `export KUBECONFIG=${/^[\w./@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`}`;
}
