/**
 * A real API server with an audit log, and replicas of examples/mirror on it that authenticate with a token file.
 *
 *     startReplicaScene → ReplicaScene: replicas, their audit, their token
 */
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Namespace, Secret, ServiceAccount } from "@drover/api/core/v1";
import { Role, RoleBinding } from "@drover/api/rbac/v1";
import type { Client } from "@drover/client";
import { isUnauthorized, poll } from "@drover/machinery";
import { connect, nodeRuntime } from "drover";
import type { Connection } from "drover";
import { AuditLog, auditRules } from "./audit.ts";
import type { AuditedRequest } from "./audit.ts";
import { leaseTerms } from "./terms.ts";
import type { LeaseTerm } from "./terms.ts";
import { Replica } from "./replicas.ts";
import { kubeconfigText, tokenBoundTo } from "../servers/real-login.ts";
import { temporaryFolder } from "../servers/real-program.ts";
import { startRealServer } from "../servers/real-server.ts";
import type { RealServer } from "../servers/real-server.ts";

/** Short, so that a failover takes seconds; in the proportions of the defaults. */
export const timing: Readonly<Record<"leaseDurationMs" | "renewDeadlineMs" | "retryPeriodMs", number>> = {
  leaseDurationMs: 3000,
  renewDeadlineMs: 2000,
  retryPeriodMs: 500,
};

const namespace = "mirrored";
const account = "mirror";
const lease = "mirror";
const program = join(import.meta.dirname, "..", "..", "examples", "mirror", "mirror.ts");

/**
 * Waits until there is a result; throws after `timeoutMs`. Meanwhile it supervises the replicas: one that ended because
 * it lost the lease is started again, one that ended for another reason is an error.
 */
type WaitFor = <T>(what: string, look: () => T | undefined | Promise<T | undefined>, timeoutMs?: number) => Promise<T>;

export interface ReplicaScene {
  readonly server: RealServer;
  /** As administrator, in the namespace of the replicas. */
  readonly client: Client;
  /** The replicas that should be running, by name. */
  readonly replicas: ReadonlyMap<string, Replica>;
  readonly lease: string;
  /** Starts one more, with its own name and more arguments. */
  readonly add: (...args: readonly string[]) => Replica;
  /** Ends one in this way, and no longer expects it to run. */
  readonly remove: (replica: Replica, how: "kill" | "end") => Promise<void>;
  /** The audit log so far. */
  readonly audit: () => readonly AuditedRequest[];
  readonly terms: () => LeaseTerm[];
  readonly waitFor: WaitFor;
  /** Gives the replicas a new token and resolves when the server no longer accepts the old one. */
  readonly rotateToken: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Starts the server, without replicas. The caller must stop it. */
export async function startReplicaScene(): Promise<ReplicaScene> {
  const runtime = nodeRuntime({ write: () => undefined });
  const server = await startRealServer({ audit: auditRules(namespace) });
  const { path: folder, remove: removeFolder } = temporaryFolder("replicas");
  const admin = await connect({ kubeconfig: server.kubeconfig, namespace, runtime });
  const replicas = new Map<string, Replica>();
  const token = await tokens(server, admin, join(folder, "token"));
  const kubeconfig = join(folder, "kubeconfig");
  writeFileSync(kubeconfig, kubeconfigText(server, namespace, { tokenFile: token.file }));
  const args = [
    "--lease-duration",
    `${timing.leaseDurationMs}ms`,
    "--renew-deadline",
    `${timing.renewDeadlineMs}ms`,
    "--retry-period",
    `${timing.retryPeriodMs}ms`,
  ];

  let started = 0;
  const add = (...more: readonly string[]): Replica => {
    const replica = new Replica(program, { name: `replica-${++started}`, folder, kubeconfig, args: [...args, ...more] });
    replicas.set(replica.name, replica);
    return replica;
  };
  const remove = async (replica: Replica, how: "kill" | "end"): Promise<void> => {
    replicas.delete(replica.name);
    await replica[how]();
  };
  const waitFor: WaitFor = async (what, look, timeoutMs = 30_000) => {
    const said = (): string => [...replicas.values()].map((replica) => `--- ${replica.name}\n${replica.tail()}`).join("\n");
    for (const deadline = performance.now() + timeoutMs; performance.now() < deadline;) {
      for (const replica of replicas.values()) replica.superviseOnce();
      const found = await look();
      if (found !== undefined) return found;
      await delay(50);
    }
    throw new Error(`${what}: not within ${timeoutMs} ms\n${said()}`);
  };
  const log = new AuditLog(server.auditLog ?? "");
  const audit = (): readonly AuditedRequest[] => log.requests();
  const stop = async (): Promise<void> => {
    await Promise.all([...replicas.values()].map((replica) => replica.end()));
    await admin.close();
    await server.stop();
    removeFolder();
  };
  return {
    server,
    client: admin.client,
    replicas,
    lease,
    add,
    remove,
    audit,
    terms: () => leaseTerms(audit(), lease),
    waitFor,
    rotateToken: token.rotate,
    stop,
  };
}

/** A service account with the permissions the example needs, and its token in a file. */
async function tokens(
  server: RealServer,
  { client, runtime }: Connection,
  file: string,
): Promise<{ readonly file: string; readonly rotate: () => Promise<void> }> {
  await client.create(Namespace, { metadata: { name: namespace } });
  await client.create(ServiceAccount, { metadata: { name: account } });
  await client.create(Role, {
    metadata: { name: account },
    rules: [
      { apiGroups: [""], resources: ["configmaps"], verbs: ["list", "watch", "create", "update"] },
      { apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["get", "create", "update"] },
    ],
  });
  await client.create(RoleBinding, {
    metadata: { name: account },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: account },
    subjects: [{ kind: "ServiceAccount", name: account, namespace }],
  });
  let issued = 0;
  const issue = async (): Promise<string> => {
    const token = await tokenBoundTo(client, account, `token-${++issued}`);
    // Atomically, as the kubelet does.
    writeFileSync(`${file}.new`, token);
    renameSync(`${file}.new`, file);
    return token;
  };
  let current = await issue();
  const rotate = async (): Promise<void> => {
    const old = await connect({ kubeconfig: { text: kubeconfigText(server, namespace, { token: current }) }, runtime });
    const secret = `token-${issued}`;
    current = await issue();
    await client.delete(Secret, secret);
    // The server itself caches for about ten seconds that a token is valid.
    await poll(runtime.clock, { interval: 250, timeout: 60_000, immediate: true }, () =>
      old.client.list(Secret).then(() => false, isUnauthorized),
    );
    await old.close();
  };
  return { file, rotate };
}
