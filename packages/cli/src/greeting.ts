/** What `drover up` says when it is ready. */

export interface GreetingOptions {
  readonly url: string;
  /** The path of the kubeconfig, from the root. */
  readonly kubeconfig: string;
  /** From the start of the process until it was ready. */
  readonly startedInMs: number;
  readonly hasKubectl: boolean;
  readonly platform: string;
  readonly nodes: number;
  /** Lines to try, and what they show. @default two that always work */
  readonly hints?: string;
}

/** Lines to be copied into another terminal stand alone, with two spaces before them. */
export function greeting({
  url,
  kubeconfig,
  startedInMs,
  hasKubectl,
  platform,
  nodes,
  hints = "kubectl get nodes\nkubectl create deployment web --image nginx\nkubectl get pods -o wide -w\n",
}: GreetingOptions): string {
  const missing =
    "\nkubectl is not on this machine's PATH. https://kubernetes.io/docs/tasks/tools tells how to install it; 1.20 and later will do.\n";
  return `Kubernetes is ready at ${url}, ${(startedInMs / 1000).toFixed(2)} s after the start. In another terminal:

  ${setVariable(kubeconfig, platform)}
${hints
  .trimEnd()
  .split("\n")
  .map((line) => (line === "" ? "" : `  ${line}`))
  .join("\n")}
${hasKubectl ? "" : missing}
${nodes === 1 ? "One node is" : `${nodes} nodes are`} simulated: pods run, end and fail as annotations say, and no image is ever pulled. Everything is in memory;
Ctrl-C ends it and removes the kubeconfig. What happens from now on, and why (times in UTC):

`;
}

/** The same for a program: one line. */
export function greetingAsJson({ url, kubeconfig, startedInMs, nodes }: GreetingOptions): string {
  return `${JSON.stringify({ ready: true, url, kubeconfig, startedInMs: Math.round(startedInMs), nodes })}\n`;
}

/** The line that makes kubectl use a file, in the shell people have. */
function setVariable(path: string, platform: string): string {
  if (platform === "win32") return `$env:KUBECONFIG = '${path.replaceAll("'", "''")}'`;
  return `export KUBECONFIG=${/^[\w./@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`}`;
}
