import { createHash } from "node:crypto";
import { newControllerRef, safeConcatName } from "drover";
import type { DeepReadonly, KubeObject, Resource } from "drover";
import type { Job } from "drover/kinds";

type Chart = DeepReadonly<KubeObject> & {
  readonly spec: {
    readonly chart: string;
    readonly repo?: string | undefined;
    readonly version?: string | undefined;
    readonly targetNamespace: string;
    readonly set: Readonly<Record<string, string>>;
  };
};

/** Returns the Job that installs a spec. Its name has a hash of the spec, so each spec has one Job, also after a restart. */
export function installJob(chart: Chart): Job {
  const {
    metadata: { name = "" },
    spec: { chart: from, repo, version, targetNamespace, set },
  } = chart;
  const flags = [
    ...(repo === undefined ? [] : ["--repo", repo]),
    ...(version === undefined ? [] : ["--version", version]),
    ...Object.entries(set)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([key, value]) => ["--set-string", `${key}=${value}`]),
  ];
  const args = ["upgrade", "--install", "--wait", "--create-namespace", "--namespace", targetNamespace, ...flags, name, from];
  return helmJob(safeConcatName("helm-install", name, createHash("sha256").update(JSON.stringify(args)).digest("hex").slice(0, 8)), args);
}

/** Returns the Job that uninstalls the release. The chart owns it, so the end of the Job triggers a reconcile. */
export function uninstallJob(chart: Chart, kind: Resource): Job {
  const {
    metadata: { name = "" },
    spec: { targetNamespace },
  } = chart;
  const { metadata, ...job } = helmJob(safeConcatName("helm-uninstall", name), [
    "uninstall",
    "--ignore-not-found",
    "--wait",
    "--namespace",
    targetNamespace,
    name,
  ]);
  return { ...job, metadata: { ...metadata, namespace: chart.metadata.namespace ?? "", ownerReferences: [newControllerRef(chart, kind)] } };
}

function helmJob(name: string, args: readonly string[]): Job {
  return {
    metadata: { name },
    spec: {
      backoffLimit: 3,
      template: {
        spec: {
          restartPolicy: "OnFailure",
          serviceAccountName: "helm",
          containers: [{ name: "helm", image: "alpine/helm:3", args: [...args] }],
        },
      },
    },
  };
}
