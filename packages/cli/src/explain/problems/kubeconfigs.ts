import type { ProblemArea } from "../problem.ts";

const doctor = "`drover doctor` checks file, context, name, port, certificate, clock and credentials one by one.";

export const kubeconfigs: ProblemArea = {
  title: "Start: kubeconfig",
  problems: [
    {
      code: "DRV0301",
      title: "No cluster is configured",
      means: "No file says which cluster to use, or the one that was found names no server, so the program does not start.",
      causes: [
        "`KUBECONFIG` is not set and `~/.kube/config` does not exist.",
        "A kubeconfig without `current-context`, or a cluster entry without `server`.",
        "A container has no home folder, or runs as another user.",
        "In a pod: the service account is not mounted (`automountServiceAccountToken: false`).",
      ],
      find: ["The message lists every place that was tried.", "`kubectl config view` shows what kubectl finds."],
      fixes: [
        "`export KUBECONFIG=PATH`, or `connect({ kubeconfig: PATH })`.",
        "For a cluster on this machine: `npx @drover/cli up`, and the `export` line that it prints.",
      ],
    },
    {
      code: "DRV0302",
      title: "The context does not exist",
      means:
        "A context joins a cluster, a user and a namespace. The requested one, or the one that `current-context` names, is in none of the files.",
      causes: [
        "A misspelt name, or one of a file that `KUBECONFIG` does not list.",
        "The context was deleted or renamed, and `current-context` was not.",
        "There is no `current-context` and no `context` option.",
      ],
      find: ["The message lists the contexts that exist. `kubectl config get-contexts` does too."],
      fixes: ["`kubectl config use-context NAME`, or `connect({ context: NAME })`.", "List further files: `KUBECONFIG=a:b`."],
    },
    {
      code: "DRV0303",
      title: "The kubeconfig has errors",
      means: "A file was found, and an entry in it cannot be used. The message names file, entry, field and fix; nothing was sent.",
      causes: [
        "Invalid YAML, or a file of another kind.",
        "A server that is not a URL, data that is not base64, a certificate without its key.",
        "A file that the entry names cannot be read.",
      ],
      find: [doctor, "`kubectl --kubeconfig FILE config view` reads the same file."],
      fixes: ["Correct the entry, or let the tool that wrote the file write it anew, for example `aws eks update-kubeconfig`."],
    },
    {
      code: "DRV0304",
      title: "A file of the kubeconfig cannot be read or written",
      means: "The kubeconfig, or a file that an entry of it names, does not exist or the operating system refuses access.",
      causes: [
        "The path is wrong or relative to another folder.",
        "The file belongs to another user; a Secret is mounted with a mode that this user cannot read.",
        "It is too large or not a regular file.",
      ],
      find: ["`ls -l FILE` and `id`. In a pod: `kubectl exec POD -- ls -lL FOLDER`."],
      fixes: [
        "Correct path, owner or mode: `chmod 600 FILE`.",
        "In a pod use the service account instead of a file: leave out `kubeconfig`.",
      ],
    },
    {
      code: "DRV0306",
      title: "The program does not run in a pod",
      means: "The service account of the pod was asked for, and its environment and files are missing.",
      causes: [
        "The program runs on your machine, with options that are meant for a cluster.",
        "`automountServiceAccountToken: false`, or `enableServiceLinks` and variables were removed.",
      ],
      find: ["`env | grep KUBERNETES_SERVICE` and `ls /var/run/secrets/kubernetes.io/serviceaccount` inside of the container."],
      fixes: [
        "Leave the choice to `connect()`: it takes the service account in a pod, and a kubeconfig elsewhere.",
        "Set `automountServiceAccountToken: true` in the pod.",
      ],
    },
    {
      code: "DRV0307",
      title: "None of the files in KUBECONFIG exists",
      means:
        "`KUBECONFIG` is set and leads nowhere. As kubectl does, Drover goes on with an empty configuration, which usually fails next.",
      causes: ["A path of another machine or user in a shell profile.", "The file of a `drover up` that has ended, which removes it."],
      find: ["`echo $KUBECONFIG`; several paths are separated by colons, on Windows by semicolons."],
      fixes: ["Correct or `unset KUBECONFIG`."],
    },
  ],
};
