import type { ProblemArea } from "../problem.ts";

export const commands: ProblemArea = {
  title: "Commands",
  problems: [
    {
      code: "DRV0801",
      title: "The port is in use by another program",
      means: "`drover up` or `drover apiserver` cannot listen at the given port, because another program does.",
      causes: [
        "An earlier run still goes on in the background.",
        "Another local cluster or program uses it: 6443 is that of kind, k3s and minikube.",
      ],
      find: ["`ss -ltnp 'sport = :PORT'`, on macOS `lsof -iTCP:PORT -sTCP:LISTEN`"],
      fixes: ["Stop that program, or leave out `--port`: any free port is taken, and the kubeconfig has it."],
    },
    {
      code: "DRV0802",
      title: "The kubeconfig belongs to a running drover up",
      means: "A second cluster would take away the kubeconfig of the first.",
      causes: ["`drover up` runs in this folder already."],
      find: ["The message has its process id."],
      fixes: ["Use the running one, or stop it.", "A second cluster: `drover up --kubeconfig OTHER`, or in another folder."],
    },
    {
      code: "DRV0803",
      title: "The kubeconfig was not written by drover",
      means:
        "`drover up` replaces only files that an earlier run wrote and no other tool has changed, so that no access to another cluster is lost.",
      causes: ["`--kubeconfig` names your own kubeconfig.", "Another tool added a cluster or user to the file of an earlier `drover up`."],
      find: ["`kubectl --kubeconfig FILE config view`"],
      fixes: [
        "Another path with `--kubeconfig`, or move the file.",
        "Several clusters at once: `export KUBECONFIG=~/.kube/config:$PWD/.drover/kubeconfig`.",
      ],
    },
    {
      code: "DRV0804",
      title: "The data folder is in use",
      means: "Only one server at a time can use a folder; two would destroy it.",
      causes: [
        "Another `drover up --data` or `drover data` uses it.",
        "A process on another machine held it and is gone: its lock cannot be checked from here.",
      ],
      find: ["The message names process and machine."],
      fixes: [
        "Stop that process, or use another folder.",
        "If the other machine is gone for good, remove the file that the message names.",
      ],
    },
    {
      code: "DRV0805",
      title: "Some objects were not migrated",
      means:
        "`drover migrate` wrote all objects that the server accepted. The definition keeps its stored versions, because the others may still be stored in an old one.",
      causes: ["Objects are invalid under the current schema.", "A conversion or admission webhook refuses them or does not answer."],
      find: ["The output names each object and the server's answer."],
      fixes: ["Correct or delete the objects, repair the webhook, and run the command again; it continues safely."],
    },
    {
      code: "DRV0806",
      title: "The debug endpoint cannot be opened",
      means: "The operator runs, but `drover status`, `why` and the others cannot ask it.",
      causes: [
        "The port that `debug` or DROVER_DEBUG names is in use, for example by a second operator on this machine.",
        "A read-only file system without a place for the file that names the port.",
      ],
      find: ["The error of the line."],
      fixes: [
        "`app.run({ debug: { port: 0 } })` takes any free port.",
        "In a pod with a read-only root file system: an emptyDir at `/tmp`.",
      ],
    },
  ],
};
