/** Texts of `--help`. */
import { serverFlags } from "./apiserver/server-flags.ts";
import type { ServerFlag } from "./apiserver/server-flags.ts";
import type { HelpTopic } from "./command-line.ts";
import { etcdFlags } from "./envtest/etcd-options.ts";
import { flagLines } from "./flag-lines.ts";
import type { Tool } from "./tool-command.ts";

const drover = `drover: a local Kubernetes for development

  drover up           starts a local Kubernetes and prints how to use kubectl with it
  drover up --help    options of drover up
  drover kinds        generates TypeScript for custom resources from their definitions
  drover kinds --help options of drover kinds
  drover migrate      stores custom resources in the storage version of their definitions
  drover migrate --help options of drover migrate
  drover data         checks, copies and compacts the folder of drover up --data
  drover data --help  options of drover data
  drover apiserver    starts only the API server, with the flags of kube-apiserver
  drover apiserver --help flags of drover apiserver
  drover envtest      lets tests on envtest run on Drover: prints a folder for KUBEBUILDER_ASSETS
  drover envtest --help how to use it
  drover status       what a running operator does: controllers, caches, lease, problems
  drover why KIND/NAME  why an object was reconciled, or why it is not
  drover queue        keys that run, wait, fail or are parked
  drover requests     requests of reconciles and what became of them
  drover trace        reconciles with causes and requests, as they end
  drover tree KIND/NAME  an object and what it owns
  drover top          a screen with controllers, rates and keys that is redrawn every second
  drover tape save FILE  saves what a running operator did to a file; drover tape show and diff read it
  drover plan         what the code of a running operator would change in the cluster, without writing
  drover diff KIND/NAME  the same for one object
  drover reconcile KIND/NAME | --all  makes a running operator reconcile an object, or all
  drover status --help  options of these commands
  drover doctor       checks what an operator needs: kubeconfig, server, clock, credentials, permissions, webhooks
  drover completion SHELL  prints a script with which bash, zsh or fish complete commands and options
  drover explain CODE what a code such as DRV0310 in a message means, and what to do
  drover --version    prints the version

Exit codes: 0 on success, 1 on failure, 2 for an invalid command line, 3 if there is no operator to ask.
`;

const up = `drover up [options]: starts a Kubernetes until Ctrl-C: an API server, controllers, a scheduler and simulated nodes

  --nodes NUMBER       number of simulated nodes                           (default 3)
  --instant            pods start, stop and finish immediately             (default: after a second or two)
  --data FOLDER        keep the cluster in this folder; the next start finds it (default: in memory)
  --etcd URL[,URL]     keep the cluster in this etcd, in the layout of kube-apiserver; needs the package @grpc/grpc-js
  --etcd-prefix PATH   beginning of the keys in etcd (default: /registry)
  --etcd-cafile, --etcd-certfile, --etcd-keyfile FILE
                       authority, client certificate and key for an etcd with https
  --encryption-provider-config FILE
                       encrypt objects in etcd as this EncryptionConfiguration of kube-apiserver says
  --apply PATH         objects to create at the start: a file or a folder of YAML and JSON; repeatable
  --run COMMAND        a program to run beside it, with its kubeconfig; repeatable
  --json               print changes as JSON lines                         (default: text)
  --quiet              do not print changes, only the output of --run programs
  --greeting FILE      lines to print when it is ready
  --port NUMBER        port to listen on                                   (default 0: any free port)
  --host ADDRESS       address to listen on                                (default 127.0.0.1: this machine only)
  --kubeconfig PATH    where to write the kubeconfig                       (default .drover/kubeconfig in this folder)
  --authorization-mode MODES   some of Node, RBAC and AlwaysAllow, with commas   (default Node,RBAC)
  --anonymous          allow requests without credentials to do everything (default: only health and version)
  --allow-everyone     needed for --anonymous at an address that other machines reach
  --enable-admission-plugins NAMES   admission plug-ins of kube-apiserver to run beside its default ones: NodeRestriction,AlwaysPullImages
  --disable-admission-plugins NAMES  default admission plug-ins not to run: PodSecurity
  --audit-policy-file FILE   which requests to record: a Policy of audit.k8s.io/v1, as for kube-apiserver
  --audit-log-path FILE      where to record them, as JSON lines; - is standard output
  --audit-log-maxsize MB     size at which the file is rotated              (default 100)
  --audit-log-maxbackup N    rotated files to keep, 0 for all               (default 100)
  --audit-log-maxage DAYS    age at which rotated files are removed         (default 366, 0 for never)

drover never touches kubectl's own kubeconfig and does not replace a file that it did not write. The kubeconfig grants administrator
access; only you can read it, and it is removed when the server stops. Certificates are created at every start, but those of
--data stay: the kubeconfig of an earlier run works again if its port is free. Only one server can use a folder at a time.
`;

const kinds = `drover kinds FILE… [options]: generates TypeScript for custom resources: an interface and a descriptor per kind

  --from-cluster       read the definitions from a cluster instead of files
  --kubeconfig PATH    kubeconfig of the cluster                           (default: the one kubectl uses)
  --context NAME       context of the kubeconfig                           (default: the current one)
  --group GROUP        only kinds of this group; repeatable                (default: all)
  --out FOLDER         write FOLDER/GROUP/VERSION.ts                       (default: standard output)

Files are YAML or JSON with CustomResourceDefinitions of apiextensions.k8s.io/v1; other objects are skipped. Every served version
gets a file, which imports the package drover. Files that drover did not write are not replaced.
`;

const explain = `drover explain [CODE] [options]: prints what a code in a message or log line means, how it comes about, and what to do

  --json               print JSON, one line

Without a code it lists all. It needs no network and no cluster.
Exit codes: 0 printed, 1 there is no such code, 2 invalid command line.
`;

const doctor = `drover doctor [options]: checks what an operator needs before it starts, one line per check; changes nothing

  --kubeconfig PATH    kubeconfig of the cluster                           (default: the one kubectl uses)
  --context NAME       context of the kubeconfig                           (default: the current one)
  --rules FILE         also check the rights in these roles, as app.roles() prints them
  --json               print JSON, one line

It looks at Node, kubeconfig, server, certificates, clock, versions, credentials, rights, custom resource definitions, webhooks and
leases. A server that does not answer is reported after five seconds; all checks end after thirty.
Exit codes: 0 no check failed, 1 a check failed, 2 invalid command line.
`;

const completion = `drover completion bash | zsh | fish: prints a script with which the shell completes commands and options

  bash   source <(drover completion bash), in ~/.bashrc
  zsh    source <(drover completion zsh), in ~/.zshrc after compinit
  fish   drover completion fish > ~/.config/fish/completions/drover.fish

kubectl completes kubectl drover by itself, if kubectl-drover and kubectl_complete-drover are on the PATH.
`;

const migrate = `drover migrate RESOURCE.GROUP… [options]: stores custom resources in the storage version of their definitions, so that
older versions can be removed from the definitions

  --all                all definitions with more than one stored version
  --dry-run            let the server check and convert every object, but write nothing
  --chunk-size NUMBER  objects per list request                            (default 500)
  --kubeconfig PATH    kubeconfig of the cluster                           (default: the one kubectl uses)
  --context NAME       context of the kubeconfig                           (default: the current one)

Every object is written without a change; the server then stores it in the storage version. If all are, the older versions are removed from
status.storedVersions of the definition. If an object fails, it is named, the others are written, the definition stays as it is, and the exit
code is 1. It is safe to interrupt the command and to run it again.
`;

const data = `drover data ACTION FOLDER [options]: works on the folder of drover up --data while no server uses it

  verify     reads all files, changes nothing, and names every damaged file and byte; exit code 1 if there is any
  export     writes the objects as JSON lines, with their revisions and expiry times; without history and keys of the cluster
  import     creates a new folder from an export
  compact    drops the history, so that the folder needs as little space as possible; open watches then start anew

  --file PATH   the export                                                (default: standard output or input)
`;

const operatorFlags = `  --operator NAME      name or process id of the operator                  (default: the only one that runs here)
  --port NUMBER        port of its debug endpoint here, or in the pod       (default in a pod: 4679)
  --pod [NAMESPACE/]NAME         ask the operator in this pod, through the API server
  --deployment [NAMESPACE/]NAME  ask a ready pod of this deployment: the one that holds the lease, if there is a lease
  --kubeconfig PATH    kubeconfig of the cluster of --pod and --deployment (default: the one kubectl uses)
  --context NAME       context of the kubeconfig                           (default: the current one)
  --json               print the answer as JSON, one line`;
const namespaceFlag = `  -n, --namespace NAME namespace of the object, and of --pod or --deployment unless they name one
                       (default: that of the operator's connection, or of the kubeconfig)`;
const operatorNamespace = `  -n, --namespace NAME namespace of --pod or --deployment                  (default: that of the kubeconfig)`;
const reach = `An operator that runs on this machine as the same user is found by a file. One in a pod is reached as kubectl port-forward does, for which
your user needs get and create on pods/portforward.
`;
const whereabouts = `${reach.trimEnd()} Nothing is changed by asking.
`;
const exits = `${whereabouts}
Exit codes: 0 answered, 1 the object does not exist or the operator does not answer, 2 invalid command line or several operators,
3 no operator found: also a pod or deployment that does not exist or does not run.
`;

const status = `drover status [options]: prints controllers, caches, lease and problems of a running operator

${operatorNamespace}
${operatorFlags}

${exits}`;

const why = `drover why KIND/NAME [options]: prints why an object was reconciled, what comes next, and what keeps it from running

${namespaceFlag}
  --controller NAME    only this controller                                (default: all of the kind)
  --limit NUMBER       number of runs                                      (default 10)
${operatorFlags}

${exits}`;

const queue = `drover queue [options]: prints keys that run, wait, fail or are parked, with due time, retries, causes and last error

  --controller NAME    only this controller                                (default: all)
  --limit NUMBER       number of keys                                      (default 200)
${operatorNamespace}
${operatorFlags}

${exits}`;

const requests = `drover requests [options]: prints the newest requests of reconciles to the API server, with verdicts

  --failed             only requests without success
  --limit NUMBER       number of requests                                  (default 100)
${operatorNamespace}
${operatorFlags}

${exits}`;

const trace = `drover trace [KIND/NAME] [options]: prints reconciles with causes, requests and results, in the order in which they ended

${namespaceFlag}
  --controller NAME    only this controller                                (default: all)
  -f, --follow         go on with every further run until Ctrl-C
${operatorFlags}

${exits}`;

const tree = `drover tree KIND/NAME [options]: prints an object and what it owns, from the caches of the operator

${namespaceFlag}
${operatorFlags}

${exits}`;

const top = `drover top [options]: shows controllers with reconciles and errors per second, mean duration and wait, and the keys with problems,
redrawn every second until q or Ctrl-C. Without a terminal, or with --json, it prints one state with the rates of a second.

${operatorNamespace}
${operatorFlags}

${exits}`;

const tape = `drover tape ACTION FILES [KIND/NAME] [options]: what an operator did, in a file

  save FILE   writes the runs that the operator remembers, with causes, requests and results; data of Secrets is not in it
  show FILE   prints them, as drover trace does
  diff A B    compares two tapes, for example of two versions of an operator on the same objects: prints for every object the first run
              whose causes, writes or result differ. Ids, resource versions, times and reads are not compared

  --controller NAME    only this controller                                (default: all)
  -n, --namespace NAME namespace of the object, and of --pod or --deployment unless they name one; show and diff: (default: every one)
${operatorFlags}

${whereabouts}
Exit codes: 0 done, and for diff: no differences; 1 the tapes differ, a file cannot be used or the operator does not answer;
2 invalid command line or several operators, 3 no operator found.
`;

const reconcile = `drover reconcile KIND/NAME | --all [options]: makes a running operator reconcile an object, or all of its objects. drover why
then shows the cause "asked by drover reconcile"

  --all                all objects of all controllers, behind changes that arrive meanwhile
  --controller NAME    only this controller                                (default: all of the kind)
  --wait               wait until the runs have ended, and print them; with --all those that failed
  --timeout SECONDS    how long to wait                                    (default 60)
${namespaceFlag}
${operatorFlags}

${reach}
Exit codes: 0 enqueued, with --wait: no run has failed; 1 a run has failed or has not ended in time, the object does not exist or the
operator does not answer; 2 invalid command line or several operators, 3 no operator found.
`;

const planned = `The operator computes the desired objects and sends them to the API server as dry runs, so defaults, admission and refusals are the server's
own. A replica that waits for the lease, such as one of a new version, can be asked as well. What reconcile, status and cleanup of
controllers write is not known.`;
const planExits = `Exit codes: 0 answered, whether there are changes or not; 1 something would fail, the object does not exist or the operator does not
answer; 2 invalid command line or several operators, 3 no operator found.
`;

const plan = `drover plan [options]: prints what the code of a running operator would change in the cluster, without writing

  --controller NAME    only objects of this controller                     (default: all)
  --limit NUMBER       number of objects                                   (default 1000)
${operatorNamespace}
${operatorFlags}

${planned}

${whereabouts}
${planExits}`;

const diff = `drover diff KIND/NAME [options]: prints what the next reconcile of an object would change in the cluster, without writing

${namespaceFlag}
  --controller NAME    only this controller                                (default: all of the kind)
${operatorFlags}

${planned}

${whereabouts}
${planExits}`;

/** Flags of earlier versions would be set by envtest if a line of the help began with them. */
const unlisted: readonly string[] = ["insecure-port"];
const withEffect = (effect: ServerFlag["effect"]): string =>
  flagLines(Object.entries(serverFlags).filter(([name, flag]) => flag.effect === effect && !unlisted.includes(name)));

const apiserver =
  (): string => `drover apiserver [flags]: starts an API server with the flags of kube-apiserver 1.36, without controllers and nodes

${withEffect("used")}
Accepted, and the server behaves so anyway; where that is one value only, others are refused (also --insecure-port=0):

${withEffect("same")}
Accepted with a warning, because they have no effect:

${withEffect("lost")}
All other flags are refused. The server stops on SIGTERM and SIGINT. Exit codes: 0 when stopped, 1 if it cannot start, 2 for a wrong flag.
`;

const envtest = `drover envtest path: prints a folder with kube-apiserver, etcd and kubectl that tests on envtest start instead of the real ones

  export KUBEBUILDER_ASSETS=$(npx @drover/cli envtest path)
  go test ./...

The folder is in your cache folder (XDG_CACHE_HOME, or ~/.cache) and is repaired by every run of the command.

  kube-apiserver   is drover apiserver; drover apiserver --help lists its flags
  etcd             answers health checks, and names the folder in which kube-apiserver keeps its data; etcd --help lists its flags
  kubectl          is the kubectl on your PATH; drover has none of its own

The first two stop on SIGTERM and SIGINT, and when the process that started them ends.
`;

const etcd =
  (): string => `etcd [flags]: the etcd of drover envtest; it stores nothing itself, kube-apiserver keeps its data in the folder of --data-dir

${flagLines(Object.entries(etcdFlags))}
All other flags are refused.
`;

const topics: Readonly<Record<HelpTopic | Tool, () => string>> = {
  drover: () => drover,
  up: () => up,
  kinds: () => kinds,
  explain: () => explain,
  doctor: () => doctor,
  completion: () => completion,
  migrate: () => migrate,
  data: () => data,
  status: () => status,
  why: () => why,
  queue: () => queue,
  requests: () => requests,
  trace: () => trace,
  tree: () => tree,
  top: () => top,
  tape: () => tape,
  plan: () => plan,
  diff: () => diff,
  reconcile: () => reconcile,
  apiserver,
  envtest: () => envtest,
  "envtest etcd": etcd,
};

/** Returns the help of one command, or the overview. */
export function usageOf(about: HelpTopic | Tool): string {
  return topics[about]();
}

/** Returns the help of a command; empty for one that does not exist. */
export function usageNamed(command: string): string {
  return Object.hasOwn(topics, command) ? usageOf(command as HelpTopic | Tool) : "";
}
