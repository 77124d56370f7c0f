/** The greeting that `drover up` prints when it is ready. */

import { jsonLine } from "./terminal-text.ts";

/** Facts for the greeting. */
export interface GreetingOptions {
  readonly url: string;
  /** Absolute path of the kubeconfig. */
  readonly kubeconfig: string;
  /** Milliseconds from process start until ready. */
  readonly startedInMs: number;
  readonly hasKubectl: boolean;
  readonly platform: string;
  readonly nodes: number;
  /** Commands to try. @default three kubectl commands */
  readonly hints?: string;
  /** Folder in which the cluster is stored. @default it is in memory */
  readonly data?: string;
}

/** Builds the greeting. Lines to copy into another terminal are indented by two spaces. */
export function greeting({
  url,
  kubeconfig,
  startedInMs,
  hasKubectl,
  platform,
  nodes,
  data,
  hints = "kubectl get nodes\nkubectl create deployment web --image nginx\nkubectl get pods -o wide -w\n",
}: GreetingOptions): string {
  const missing = "\nkubectl is not on the PATH. See https://kubernetes.io/docs/tasks/tools to install it; 1.20 or later works.\n";
  return `Kubernetes is ready at ${url}, ${(startedInMs / 1000).toFixed(2)} s after the start. In another terminal:

  ${setVariable(kubeconfig, platform)}
${hints
  .trimEnd()
  .split("\n")
  .map((line) => (line === "" ? "" : `  ${line}`))
  .join("\n")}
${hasKubectl ? "" : missing}
${nodes === 1 ? "One node is" : `${nodes} nodes are`} simulated: annotations control how pods run, end and fail; images are never pulled. ${data === undefined ? "Everything is in memory" : `Everything is in ${data}`};
Ctrl-C stops it and removes the kubeconfig. Changes and their causes (times in UTC):

`;
}

/** Same as JSON for programs, on one line. */
export function greetingAsJson({ url, kubeconfig, startedInMs, nodes }: GreetingOptions): string {
  return `${jsonLine({ ready: true, url, kubeconfig, startedInMs: Math.round(startedInMs), nodes })}\n`;
}

/** Shell command that makes kubectl use the file. */
function setVariable(path: string, platform: string): string {
  if (platform === "win32") return `$env:KUBECONFIG = '${path.replaceAll("'", "''")}'`;
  return `export KUBECONFIG=${/^[\w./@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`}`;
}
