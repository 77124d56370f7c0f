/** Kubeconfigs: errors name a place and no secret, only named files are read, and printing is read back. */
import { createLog } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import { isCredentialError } from "../../packages/client/src/auth/credential-error.ts";
import { accessFromKubeconfig } from "../../packages/client/src/kubeconfig/access.ts";
import { KubeconfigError } from "../../packages/client/src/kubeconfig/kubeconfig-error.ts";
import { parseKubeconfig, printKubeconfig } from "../../packages/client/src/kubeconfig/kubeconfig-text.ts";
import type { Kubeconfig } from "../../packages/client/src/kubeconfig/kubeconfig.ts";
import { loadKubeconfig } from "../../packages/client/src/kubeconfig/load.ts";
import { redactKubeconfig } from "../../packages/client/src/kubeconfig/redact.ts";
import { memoryHost } from "../../packages/client/src/testing/memory-host.ts";
import { attempt, holds } from "../expect.ts";
import { textOf } from "../parts.ts";
import type { FuzzTarget } from "../target.ts";

const file = "/home/ada/.kube/config";
const secret = "c4n4ry";
const log = createLog({ clock: new ManualClock(), write: () => {} });

export const kubeconfigTarget: FuzzTarget = {
  name: "kubeconfig",
  perSecond: 2000,
  tokens: [
    [
      "apiVersion: v1\n",
      "kind: Config\n",
      "clusters:\n",
      "- name: a\n",
      "  cluster:\n",
      "    server: https://a:6443\n",
      "users:\n",
      "  user:\n",
      "contexts:\n",
    ],
    [
      "  context: {cluster: a, user: a}\n",
      "current-context: a\n",
      `token: ${secret}`,
      "tokenFile: /etc/token",
      "certificate-authority-data: YQ==",
      "exec:",
    ],
    [
      "command: ../x",
      "args: [a]",
      "env: [{name: A, value: b}]",
      "auth-provider:",
      "name: oidc",
      "config: {}",
      "proxy-url: socks5://a",
      `password: ${secret}`,
    ],
    [
      "insecure-skip-tls-verify: true",
      "client-key: ../../etc/shadow",
      "extensions:",
      "as: a",
      "as-groups: [b]",
      "tls-server-name: c",
      "preferences: {}",
    ],
  ].flat(),
  async run(input) {
    const text = textOf(input);
    const parsed = attempt(() => parseKubeconfig(text), KubeconfigError);
    if ("error" in parsed) {
      checkError(parsed.error);
      return;
    }
    const printed = printKubeconfig(parsed.value);
    const again = attempt(() => parseKubeconfig(printed), KubeconfigError);
    holds("value" in again, "parses the kubeconfig it prints", () => printed);
    holds(printKubeconfig(again.value) === printed, "prints the same kubeconfig the same way", () => printed);
    printKubeconfig(redactKubeconfig(parsed.value));
    await access(text, parsed.value);
  },
};

function checkError(error: Error): void {
  holds(error instanceof KubeconfigError && error.problems.length > 0, "an error has problems");
  holds(
    error.problems.every((problem) => problem.startsWith("kubeconfig: ")),
    "an error names its place",
    () => error.message,
  );
  // Names of keys and the type of the document are no secrets.
  const withoutKeys = error.message.replaceAll(/\["(?:[^"\\]|\\.)*"\]|(?:apiVersion|kind) is "(?:[^"\\]|\\.)*"/g, "");
  holds(!withoutKeys.includes(secret), "an error contains no value", () => error.message);
}

async function access(text: string, config: Kubeconfig): Promise<void> {
  const host = memoryHost({ [file]: text });
  try {
    const loaded = await loadKubeconfig({ host, log, path: file });
    await accessFromKubeconfig(loaded, { host, log });
  } catch (error) {
    if (!(error instanceof KubeconfigError) && !isCredentialError(error)) throw error;
  }
  holds(host.runs.length === 0, "starts no program");
  const named = JSON.stringify(config);
  for (const path of host.reads) {
    const base = path.slice(path.lastIndexOf("/") + 1);
    // "." names the folder of the kubeconfig.
    holds(file.startsWith(path) || text.includes(base) || named.includes(base), "reads only named files", () => path);
  }
  holds(!host.trace.some((line) => line.startsWith("write ")), "writes no file");
}
