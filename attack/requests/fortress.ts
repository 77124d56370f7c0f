/**
 * A cluster of one process with a small heap for hostile requests: RBAC on, an attacker with a role of their own, a quota, and a way to
 * measure the heap.
 *
 *     openFortress → Fortress → token, heap, tidyUp, close
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startServer } from "../arena.ts";
import { ask } from "../exchange.ts";
import type { Answer, Question, Target } from "../exchange.ts";
import type { Victim } from "../victim.ts";
import { hostileNamespace, names } from "./hostile-request.ts";
import { subjects, thingDefinition } from "./objects.ts";

/** Memory of the server after a forced garbage collection, in megabytes. */
export interface HeapReport {
  /** Objects of the program. */
  readonly heapMegabytes: number;
  /** Code of V8's compilers with its metadata: it grows with the functions that were ever called often, not with requests. */
  readonly codeMegabytes: number;
  readonly outsideMegabytes: number;
  readonly residentMegabytes: number;
}

export interface Fortress {
  readonly server: Victim;
  readonly target: Target;
  /** Of the attacker. */
  readonly token: string;
  /** As administrator. */
  ask(question: Question): Promise<Answer>;
  /** Deletes what the requests left, lets the history forget it, collects garbage and measures. */
  heap(): Promise<HeapReport>;
  close(): Promise<void>;
}

const registrations = "/apis/admissionregistration.k8s.io/v1";
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const inCluster: readonly string[] = [
  "validatingadmissionpolicies",
  "mutatingadmissionpolicies",
  "validatingadmissionpolicybindings",
  "mutatingadmissionpolicybindings",
  "validatingwebhookconfigurations",
  "mutatingwebhookconfigurations",
];

export async function openFortress(heapMegabytes: number): Promise<Fortress> {
  const folder = mkdtempSync(join(tmpdir(), "drover-hostile-"));
  const reportFile = join(folder, "heap.json");
  const { server, target } = await startServer(folder, {
    heapMegabytes,
    nodeArgs: ["--expose-gc", "--import", join(import.meta.dirname, "heap-report.mjs")],
    env: { DROVER_HEAP_REPORT: reportFile },
  });
  const asAdmin = (question: Question): Promise<Answer> => ask(target, question);
  const token = await setUp(asAdmin);
  return {
    server,
    target,
    token,
    ask: asAdmin,
    heap: async () => {
      await tidyUp(asAdmin);
      await fillHistory(asAdmin);
      return await measure(server, reportFile);
    },
    close: async () => {
      await server.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Ask = (question: Question) => Promise<Answer>;

async function setUp(asAdmin: Ask): Promise<string> {
  const post = async (path: string, body: object): Promise<Answer> => {
    const answer = await asAdmin({ method: "POST", path, body });
    if (answer.status > 299) throw new Error(`cannot set up ${path}: ${answer.text.slice(0, 300)}`);
    return answer;
  };
  const inNamespace = `/api/v1/namespaces/${hostileNamespace}`;
  await post("/api/v1/namespaces", { metadata: { name: hostileNamespace } });
  await post(definitions, thingDefinition);
  await post(`${inNamespace}/resourcequotas`, { metadata: { name: "small" }, spec: { hard: quota } });
  await post("/api/v1/namespaces", { metadata: { name: home } });
  await post(`/api/v1/namespaces/${home}/serviceaccounts`, { metadata: { name: "mallory" } });
  await post("/apis/rbac.authorization.k8s.io/v1/clusterroles", { metadata: { name: "hostile-cluster" }, rules: clusterRules });
  await post("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", {
    metadata: { name: "hostile-cluster" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "hostile-cluster" },
    subjects: [mallory],
  });
  await post(`/apis/rbac.authorization.k8s.io/v1/namespaces/${hostileNamespace}/roles`, {
    metadata: { name: "mallory" },
    rules: namespaceRules,
  });
  await post(`/apis/rbac.authorization.k8s.io/v1/namespaces/${hostileNamespace}/rolebindings`, {
    metadata: { name: "mallory" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "mallory" },
    subjects: [mallory],
  });
  await asAdmin(targetPod);
  const { text } = await post(`/api/v1/namespaces/${home}/serviceaccounts/mallory/token`, { spec: { expirationSeconds: 86_400 } });
  return (JSON.parse(text) as { status: { token: string } }).status.token;
}

/** Where upgrades go. */
const targetPod: Question = {
  method: "POST",
  path: `/api/v1/namespaces/${hostileNamespace}/pods`,
  body: { metadata: { name: "target" }, spec: { containers: [{ name: "c", image: "i" }] } },
};

/** In a namespace of its own, where the attacker cannot delete it. */
const home = "home";
const mallory = { kind: "ServiceAccount", name: "mallory", namespace: home };

/** What the namespace may hold, whatever is asked for. */
const quota = {
  pods: "30",
  services: "30",
  secrets: "40",
  configmaps: "40",
  persistentvolumeclaims: "20",
  replicationcontrollers: "20",
  ...Object.fromEntries(
    [
      "deployments.apps",
      "replicasets.apps",
      "statefulsets.apps",
      "daemonsets.apps",
      "jobs.batch",
      "cronjobs.batch",
      "things.hostile.example",
      "events",
      "serviceaccounts",
    ].map((name) => [`count/${name}`, name === "events" ? "500" : "30"]),
  ),
};

const every = ["*"];
const clusterRules = [
  {
    apiGroups: ["apiextensions.k8s.io"],
    resources: ["customresourcedefinitions", "customresourcedefinitions/status"],
    verbs: ["get", "list", "watch", "create"],
  },
  { apiGroups: ["admissionregistration.k8s.io"], resources: every, verbs: every },
  { apiGroups: ["authorization.k8s.io", "authentication.k8s.io"], resources: every, verbs: ["create"] },
  { apiGroups: [""], resources: ["namespaces", "nodes", "configmaps"], verbs: ["get", "list", "watch"] },
  { nonResourceURLs: every, verbs: ["get"] },
];

/** Everything but the quota and the own role. */
const namespaceRules = [
  {
    apiGroups: [""],
    resources: [
      [
        "configmaps",
        "secrets",
        "pods",
        "services",
        "serviceaccounts",
        "persistentvolumeclaims",
        "events",
        "endpoints",
        "replicationcontrollers",
        "bindings",
      ],
      ["pods/*", "services/*", "replicationcontrollers/*", "serviceaccounts/*", "persistentvolumeclaims/*"],
    ].flat(),
    verbs: every,
  },
  {
    apiGroups: [
      "apps",
      "batch",
      "coordination.k8s.io",
      "networking.k8s.io",
      "policy",
      "autoscaling",
      "discovery.k8s.io",
      "hostile.example",
      "events.k8s.io",
    ],
    resources: every,
    verbs: every,
  },
  { apiGroups: ["rbac.authorization.k8s.io"], resources: ["roles", "rolebindings"], verbs: ["get", "list", "watch", "create"] },
  { apiGroups: ["rbac.authorization.k8s.io"], resources: ["roles", "rolebindings"], resourceNames: names, verbs: every },
];

/** Deletes the objects of the attacker, and puts back what the attacker deleted. */
async function tidyUp(asAdmin: Ask): Promise<void> {
  for (const resource of inCluster) await asAdmin({ method: "DELETE", path: `${registrations}/${resource}?labelSelector=!kept` });
  for (const name of ["rules", "laws"]) await asAdmin({ method: "DELETE", path: `${definitions}/${name}.hostile.example` });
  for (const { path, isReview, kind } of subjects) {
    if (isReview === true) continue;
    // The attacker's own role stays, and the account that every pod needs.
    const but =
      kind === "Role" || kind === "RoleBinding"
        ? "?fieldSelector=metadata.name!%3Dmallory"
        : kind === "ServiceAccount"
          ? "?fieldSelector=metadata.name!%3Ddefault"
          : kind === "Pod"
            ? "?gracePeriodSeconds=0"
            : "";
    await asAdmin({ method: "DELETE", path: path + but });
  }
  await asAdmin(targetPod);
}

/**
 * Fills the history of the store, which keeps a sixteenth of the heap, with the same objects before every measurement. Otherwise its size
 * would depend on how fast the last requests came.
 */
async function fillHistory(asAdmin: Ask): Promise<void> {
  const path = `/api/v1/namespaces/${home}/configmaps/filler`;
  for (let round = 0; round < 32; round++) {
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "filler" }, data: { k: `${round} ${"x".repeat(1_000_000)}` } };
    const { status, text } = await asAdmin({
      method: "PATCH",
      path: `${path}?fieldManager=filler&force=true`,
      headers: { "content-type": "application/apply-patch+yaml" },
      body: object,
    });
    if (status > 299) throw new Error(`cannot fill the history: ${text.slice(0, 300)}`);
  }
  await asAdmin({ method: "DELETE", path });
}

async function measure(server: Victim, file: string): Promise<HeapReport> {
  // What deletions and closed connections left is taken first.
  await pause(2000);
  rmSync(file, { force: true });
  server.signal("SIGUSR2");
  for (let waited = 0; waited < 30_000; waited += 50) {
    await pause(50);
    if (server.ended !== undefined) throw new Error(server.ended);
    const text = readIfThere(file);
    if (text === undefined) continue;
    const { heapUsed, codeBytes, external, rss } = JSON.parse(text) as Record<"heapUsed" | "codeBytes" | "external" | "rss", number>;
    return {
      heapMegabytes: (heapUsed - codeBytes) / 2 ** 20,
      codeMegabytes: codeBytes / 2 ** 20,
      outsideMegabytes: external / 2 ** 20,
      residentMegabytes: rss / 2 ** 20,
    };
  }
  throw new Error("the server did not measure its heap in 30 s");
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
