/** Warnings about names of workloads, which become part of pod names. */
import { checkDns1123Label } from "@drover/machinery";
import type { KubeObject } from "@drover/machinery";

/** Returns kube-apiserver's warnings. */
export function workloadNameWarnings({ metadata }: KubeObject): string[] {
  const problems = checkDns1123Label(metadata.name ?? "");
  return problems.length === 0
    ? []
    : [
        `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${problems.join(" ")}]`,
      ];
}
