/**
 * A kubectl session, line by line: everything an API server without controllers can answer. Each line runs in a shell,
 * in a folder with the files of conformance/kubectl/kubectl-session, and kubectl's namespace is "session".
 */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { maskOutput } from "./kubectl-session-mask.ts";
import { temporaryFolder } from "../servers/real-program.ts";

/** The masked output of a line; both streams together, as a user sees them. */
export interface SessionLine {
  readonly line: string;
  readonly code: number;
  readonly output: string;
}

/** Shows a watch from its first event to the deletion of the watched object. */
const watched = (what: string, changes: string): string =>
  `(kubectl get ${what} -w > watched 2>&1 & echo $! > watcher); for i in $(seq 100); do test -s watched && break; sleep 0.1; done; ${changes}; for i in $(seq 100); do test $(grep -c . watched) -ge 5 && break; sleep 0.1; done; kill $(cat watcher); cat watched`;

export const sessionLines: readonly string[] = [
  "kubectl version",
  "kubectl create -f namespace.yaml",
  "kubectl api-versions",
  "kubectl api-resources",
  "kubectl api-resources --namespaced=false -o name",
  "kubectl get namespaces --show-labels",

  "kubectl create -f objects.yaml",
  "kubectl create -f objects.yaml -l kind=colours",
  "kubectl create -f bad.yaml",
  "kubectl create -f unknown-field.yaml",
  "kubectl create -f unknown-field.yaml --validate=warn",
  "kubectl create -f ssa.yaml --dry-run=server -o yaml",
  "kubectl apply -f web.yaml",
  "kubectl apply -f web.yaml",

  "kubectl get pods,services,deployments,configmaps,secrets,jobs,serviceaccounts",
  "kubectl get pods,services,deployments,jobs -o wide",
  "kubectl get nodes -o wide",
  "kubectl get all",
  "kubectl get all -A --no-headers -o name",
  "kubectl get deployment web -o yaml",
  "kubectl get pod alone -o yaml",
  "kubectl get service web -o json",
  "kubectl get configmaps -o yaml",
  "kubectl get deployment web -o yaml --show-managed-fields",
  "kubectl get deployments -o custom-columns=NAME:.metadata.name,IMAGES:.spec.template.spec.containers[*].image,NONE:.spec.nothing",
  "kubectl get secrets -o jsonpath='{range .items[*]}{.metadata.name} {.data.password}{\"\\n\"}{end}'",
  "kubectl get configmaps -o go-template='{{range .items}}{{.metadata.name}} {{end}}'",
  "kubectl get configmaps -l kind=colours",
  "kubectl get configmaps -l 'kind in (forms)'",
  "kubectl get pods --field-selector status.phase=Pending",
  "kubectl get pods --field-selector spec.nothing=a",
  "kubectl get pods --sort-by=.metadata.name -L app",
  "kubectl get pod nobody",
  "kubectl get nothings",
  "kubectl get deployment.v1.apps web -o name",
  "kubectl get pods --chunk-size=1",
  watched(
    "configmap sky --output-watch-events",
    "kubectl label configmap sky season=summer >/dev/null; kubectl annotate configmap sky note=watched >/dev/null; kubectl delete configmap sky >/dev/null",
  ),
  "kubectl create -f objects.yaml -l kind=colours",

  "kubectl describe deployment web",
  "kubectl describe pod alone",
  // Without Events: the real server's allocators may repair a correct allocation and record it.
  "kubectl describe service web --show-events=false",
  // Sorted: kubectl before 1.33 writes data in the random order of Go's maps.
  "kubectl describe configmap sky | LC_ALL=C sort",
  "kubectl describe secret key",
  "kubectl describe node session-node",
  "kubectl describe namespace session",
  "kubectl describe job once",

  "kubectl diff -f web.yaml",
  "kubectl diff -f web-changed.yaml",
  "kubectl diff --server-side -f web-changed.yaml",
  "kubectl apply -f web-changed.yaml",
  "kubectl get deployment web -o jsonpath='{.spec.replicas} {.spec.template.spec.containers[*].image} {.metadata.generation}'",
  "kubectl apply view-last-applied deployment web",
  "kubectl apply --server-side -f ssa.yaml",
  "kubectl apply --server-side --field-manager=other -f ssa-other.yaml",
  "kubectl apply --server-side --field-manager=other --force-conflicts -f ssa-other.yaml",
  "kubectl apply --server-side -f ssa.yaml",
  "kubectl get configmap shared -o yaml --show-managed-fields",
  "kubectl apply --server-side -f web-changed.yaml",
  "kubectl apply --prune -l app=web -f web-changed.yaml --prune-allowlist=core/v1/ConfigMap",

  'kubectl patch configmap sky --type=merge -p \'{"data":{"colour":"grey","rain":"yes"}}\'',
  'kubectl patch configmap sky --type=json -p \'[{"op":"remove","path":"/data/rain"}]\'',
  'kubectl patch configmap sky --type=json -p \'[{"op":"remove","path":"/data/rain"}]\'',
  'kubectl patch deployment web -p \'{"spec":{"template":{"spec":{"containers":[{"name":"app","image":"nginx:1.31"}]}}}}\'',
  'kubectl patch deployment web -p \'{"spec":{"template":{"spec":{"containers":[{"name":"app","image":"nginx:1.31"}]}}}}\'',
  'kubectl patch deployment web -p \'{"spec":{"replicas":-1}}\'',
  'kubectl patch deployment web -p \'{"spec":{"selector":{"matchLabels":{"app":"other"}}}}\'',
  'kubectl patch deployment web --subresource=status --type=merge -p \'{"status":{"replicas":4,"readyReplicas":3,"updatedReplicas":4,"availableReplicas":3}}\'',
  "kubectl get deployment web",
  "kubectl set image deployment/web app=nginx:1.32",
  "kubectl rollout status deployment/web --watch=false",
  "kubectl label configmap sky season=winter",
  "kubectl label configmap sky season=summer",
  "kubectl label configmap sky season=summer --overwrite",
  "kubectl label configmap sky season-",
  "kubectl label configmap sky 'bad key=1'",
  "kubectl annotate configmap sky note='a long one'",
  "kubectl annotate pods --all note=all",
  "kubectl annotate configmap sky note-",
  "kubectl replace -f ssa.yaml",
  "kubectl taint node session-node reserved-",
  "kubectl cordon session-node",
  "kubectl get nodes",

  "kubectl scale deployment web --replicas=7",
  "kubectl scale deployment web --replicas=9 --current-replicas=3",
  "kubectl get deployment web --subresource=scale -o yaml",
  "kubectl autoscale deployment web --max=3 --dry-run=client -o name",

  // Requests that kubectl makes for itself: since 1.32 in protobuf.
  "kubectl create namespace session-two",
  "kubectl create namespace session-two",
  "kubectl create deployment made --image=nginx --replicas=2 --port=80",
  "kubectl get deployment made -o yaml",
  "kubectl create configmap made --from-literal=a=1 --from-literal=b=ä -o yaml",
  "kubectl create secret generic made --from-literal=password=secret -o yaml",
  "kubectl create serviceaccount made",
  "kubectl create token made --duration=10m > token; grep -cE '^[^.]+[.][^.]+[.][^.]+$' token",
  "kubectl create token nobody",
  "kubectl create role made --verb=get,list --resource=pods -o yaml",
  "kubectl create job made --image=busybox -- true",
  "kubectl create quota made --hard=pods=5 --dry-run=server -o yaml",
  "kubectl create service clusterip made --tcp=80 --dry-run=server",
  "kubectl auth can-i create pods",
  "kubectl auth can-i create pods --subresource=log --as=somebody",
  "kubectl create rolebinding made --role=made --user=somebody",
  "kubectl auth can-i list pods --as=somebody",
  "kubectl auth can-i delete pods --as=somebody",
  "kubectl auth can-i --list --as=somebody",
  "kubectl get pods --as=somebody -o name | wc -l",
  "kubectl get secrets --as=somebody",
  "kubectl get nodes --as=system:node:other --as-group=system:nodes",
  "kubectl get clusterroles --chunk-size=10 -o name",
  "kubectl delete rolebinding made",
  "kubectl auth whoami -o jsonpath='{.kind} {.status.userInfo.username}' | cut -d' ' -f1",
  "kubectl run made --image=nginx -o name",
  "kubectl events --for pod/made",
  "kubectl delete deployment,configmap,secret,serviceaccount,role,job,pod made --cascade=background --now",

  "kubectl wait --for=jsonpath='{.data.colour}'=grey configmap/sky --timeout=5s",
  "kubectl wait --for=condition=Ready pod/alone --timeout=1s",
  "kubectl wait --for=delete configmap/nothing --timeout=5s",
  "kubectl wait --for=create configmap/sky --timeout=5s",

  "kubectl explain deployments.spec",
  "kubectl explain pods.spec.containers.resources --recursive",
  "kubectl explain service.spec.type",
  "kubectl explain pods.nothing",
  "kubectl explain nothings",

  "kubectl get --raw /api/v1/namespaces/session/configmaps/sky",
  "kubectl get --raw /healthz",
  "kubectl get --raw /apis/apps/v1",
  "kubectl get --raw /api/v1/namespaces/session/pods/nobody",
  "kubectl get --raw /nothing",
  "kubectl delete --raw /api/v1/namespaces/session/configmaps/nothing",

  "kubectl apply -f crd.yaml",
  "kubectl wait --for=condition=Established crd/widgets.session.drover.dev --timeout=10s",
  "kubectl get crds",
  "kubectl get crd widgets.session.drover.dev -o yaml",
  "kubectl api-resources --api-group=session.drover.dev",
  "for i in $(seq 100); do kubectl explain widgets.spec >/dev/null 2>&1 && break; sleep 0.2; done; kubectl explain widgets.spec",
  "kubectl create -f widget.yaml",
  "kubectl create -f widget-bad.yaml",
  "kubectl get wd",
  "kubectl get widgets -o wide",
  "kubectl get widget one -o yaml",
  "kubectl describe widget one",
  "kubectl apply -f widget.yaml",
  'kubectl patch widget one --type=merge -p \'{"spec":{"colour":"green"}}\'',
  'kubectl patch widget one -p \'{"spec":{"colour":"red"}}\'',
  "kubectl scale widget one --replicas=5",
  "kubectl get widget one -o jsonpath='{.spec.size} {.metadata.generation}'",
  "kubectl delete widget one",
  "kubectl delete crd widgets.session.drover.dev --timeout=20s",
  "for i in $(seq 100); do kubectl get widgets >/dev/null 2>&1 || break; sleep 0.2; done; kubectl get widgets",

  "kubectl delete deployment web --cascade=foreground --wait=false",
  "kubectl get deployment web -o jsonpath='{.metadata.finalizers} {.metadata.deletionGracePeriodSeconds}'",
  'kubectl patch deployment web --type=merge -p \'{"metadata":{"finalizers":null}}\'',
  "kubectl delete job once --cascade=orphan --wait=false",
  "kubectl get job once -o jsonpath='{.metadata.finalizers}'",
  'kubectl patch job once --type=merge -p \'{"metadata":{"finalizers":null}}\'',
  "kubectl get job once",
  "kubectl delete pod alone --now",
  "kubectl delete secret key --dry-run=server",
  "kubectl delete secret,service --all",
  "kubectl delete configmap sky nothing",
  "kubectl delete configmap nothing --ignore-not-found",
  "kubectl delete -f ssa.yaml --cascade=background",
  "kubectl delete node session-node",
  "kubectl delete serviceaccount robot",
  "kubectl get all",
  "kubectl delete namespace session --wait=false",
  "kubectl create -f ssa.yaml",
  "kubectl get namespace session -o jsonpath='{.status.phase} {.spec.finalizers}'",
  "kubectl delete namespace kube-system --wait=false",
];

export interface SessionPlace {
  /** The path of the kubectl to run. */
  readonly kubectl: string;
  /** The text of a kubeconfig; its context is used. */
  readonly kubeconfig: string;
}

/** Runs every line in turn, with its own home folder. */
export async function runSession({ kubectl, kubeconfig }: SessionPlace): Promise<readonly SessionLine[]> {
  const { path: home, remove } = temporaryFolder("kubectl-session");
  try {
    const [work, bin, config] = [join(home, "work"), join(home, "bin"), join(home, "kubeconfig")];
    cpSync(join(import.meta.dirname, "kubectl-session"), work, { recursive: true });
    mkdirSync(bin);
    symlinkSync(kubectl, join(bin, "kubectl"));
    writeFileSync(config, kubeconfig, { mode: 0o600 });
    const env = { HOME: home, KUBECONFIG: config, PATH: `${bin}:/usr/bin:/bin`, TMPDIR: home, LC_ALL: "C" };
    const type = (line: string): Promise<SessionLine> =>
      new Promise((resolve) => {
        execFile("sh", ["-c", `exec 2>&1\n${line}`], { cwd: work, env, timeout: 40_000, maxBuffer: 1 << 24 }, (error, output) =>
          resolve({ line, code: error === null ? 0 : Number(error.code ?? 1), output: maskOutput(line, output, home) }),
        );
      });
    await type("kubectl config set-context --current --namespace=session");
    const lines: SessionLine[] = [];
    for (const line of sessionLines) lines.push(await type(line));
    return lines;
  } finally {
    remove();
  }
}
