/** Random pods, levels and versions of the Pod Security Standards: a real server and ours decide alike, word for word. */
import { createApiServer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { testRuntime } from "@drover/machinery/testing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { realServerMissing, startRealServer } from "../servers/real-server.ts";
import type { RealRequest, RealServer } from "../servers/real-server.ts";

const isLong = process.env["DROVER_LONG"] === "1";
const podCount = isLong ? 4000 : 150;
/** Each pod is tried in this many namespaces. */
const tries = 4;
/** Every version in which a check changes, one before each, and one that is yet to come. */
const versions = [0, 7, 8, 18, 19, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 40, "latest"] as const;
const levels = ["baseline", "restricted"] as const;

type Send = (request: RealRequest) => Promise<{
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}>;

const namespaces = levels.flatMap((level) => versions.map((version) => ({ name: `${level}-${version}`, level, version })));

/** Absent in `rarity` of `rarity + 1` cases, so that some pods are allowed. */
const maybe = <T>(arbitrary: fc.Arbitrary<T>, rarity = 3): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: rarity, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
const profile = fc.constantFrom({ type: "RuntimeDefault" }, { type: "Unconfined" }, { type: "Localhost", localhostProfile: "p.json" });
const selinux = fc.record(
  {
    type: fc.constantFrom("container_t", "container_init_t", "container_kvm_t", "container_engine_t", "spc_t", ""),
    user: fc.constantFrom("", "u"),
    role: fc.constantFrom("", "r"),
    level: fc.constant("s0"),
  },
  { requiredKeys: [] },
);
const capability = fc.constantFrom("NET_BIND_SERVICE", "CHOWN", "SYS_ADMIN", "NET_RAW", "ALL");
const securityContext = fc.record(
  {
    privileged: fc.boolean(),
    allowPrivilegeEscalation: fc.constant(false),
    capabilities: fc.record(
      { add: fc.uniqueArray(capability, { maxLength: 3 }), drop: fc.constantFrom(["ALL"], ["CHOWN"], []) },
      { requiredKeys: [] },
    ),
    procMount: fc.constantFrom("Default", "Unmasked"),
    runAsNonRoot: fc.boolean(),
    runAsUser: fc.constantFrom(0, 1000),
    seLinuxOptions: selinux,
    seccompProfile: profile,
    appArmorProfile: profile,
  },
  { requiredKeys: [] },
);
const tight = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ["ALL"] },
  runAsNonRoot: true,
  seccompProfile: { type: "RuntimeDefault" },
};
const probe = fc.constantFrom(
  { httpGet: { port: 80 } },
  { httpGet: { port: 80, host: "b.example.com" } },
  { tcpSocket: { port: 80, host: "a.example.com" } },
);
const container = (name: string): fc.Arbitrary<object> =>
  fc.record({
    name: fc.constant(name),
    image: fc.constant("example.com/c:1"),
    securityContext: fc.oneof(
      { weight: 4, arbitrary: fc.constant(tight) },
      { weight: 2, arbitrary: securityContext.map((some) => ({ ...tight, ...some })) },
      { weight: 1, arbitrary: fc.oneof(securityContext, fc.constant(undefined)) },
    ),
    ports: maybe(fc.constantFrom([{ containerPort: 80, hostPort: 8080 }], [{ containerPort: 80 }])),
    livenessProbe: maybe(probe),
    lifecycle: maybe(probe.map((preStop) => ({ preStop }))),
  });
const volume = fc.constantFrom(
  { hostPath: { path: "/" } },
  { nfs: { server: "s", path: "/" } },
  { emptyDir: {} },
  { configMap: { name: "c" } },
  { gitRepo: { repository: "r" } },
  { iscsi: { targetPortal: "10.0.0.1", iqn: "iqn.2001-04.com.example:a", lun: 0 } },
  { fc: { targetWWNs: ["a"], lun: 0 } },
  { persistentVolumeClaim: { claimName: "c" } },
);
const sysctl = fc.constantFrom(
  "kernel.shm_rmid_forced",
  "net.ipv4.ip_local_reserved_ports",
  "net.ipv4.tcp_keepalive_time",
  "net.ipv4.tcp_rmem",
  "kernel.msgmax",
);
const pod = fc.record({
  metadata: fc.record({
    name: fc.constant("p"),
    annotations: maybe(
      fc.dictionary(
        fc.constantFrom("seccomp.security.alpha.kubernetes.io/pod", "container.seccomp.security.alpha.kubernetes.io/a", "other"),
        fc.constantFrom("runtime/default", "unconfined", "localhost/x", "docker/default"),
        { maxKeys: 2 },
      ),
    ),
  }),
  spec: fc.record({
    containers: fc.oneof(fc.tuple(container("a")), fc.tuple(container("a"), container("b"))),
    initContainers: maybe(fc.tuple(container("i"))),
    volumes: maybe(
      fc.array(volume, { minLength: 1, maxLength: 3 }).map((all) => all.map((source, index) => ({ name: `v${index}`, ...source }))),
    ),
    hostNetwork: maybe(fc.boolean(), 8),
    hostPID: maybe(fc.boolean(), 8),
    hostIPC: maybe(fc.boolean(), 8),
    hostUsers: maybe(fc.boolean(), 2),
    os: maybe(fc.constantFrom({ name: "linux" }, { name: "windows" }), 8),
    securityContext: maybe(
      fc.record(
        {
          runAsNonRoot: fc.boolean(),
          runAsUser: fc.constantFrom(0, 1000),
          seLinuxOptions: selinux,
          seccompProfile: profile,
          appArmorProfile: profile,
          sysctls: fc.uniqueArray(sysctl, { maxLength: 3 }).map((names) => names.map((name) => ({ name, value: "1" }))),
        },
        { requiredKeys: [] },
      ),
      1,
    ),
  }),
});

async function play(send: Send, namespace: string, body: object): Promise<string> {
  const answer = await send({
    method: "POST",
    path: `/api/v1/namespaces/${namespace}/pods?dryRun=All`,
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(body),
  });
  // Validation comes first, and has suites of its own.
  if (answer.status === 422) return "422";
  const { kind, message = "" } = JSON.parse(answer.body) as { readonly kind: string; readonly message?: string };
  const warnings = [answer.headers["warning"] ?? []].flat().join(", ");
  return `${answer.status} ${kind === "Status" ? message : ""} ${warnings}`;
}

describe("PodSecurity", () => {
  let real: RealServer;
  let ours: Send;
  beforeAll(async () => {
    if (realServerMissing !== undefined) return;
    real = await startRealServer({ authorization: "AlwaysAllow", flags: ["--allow-privileged=true"] });
    const server = await createApiServer({ runtime: testRuntime(), host: nodeHost });
    ours = async ({ headers = {}, ...request }) => {
      const { status, headers: answered, body } = await server.handle({ ...request, headers });
      return { status, headers: answered, body: body as string };
    };
    for (const { name, level, version } of namespaces) {
      const prefix = "pod-security.kubernetes.io/enforce";
      const labels = { [prefix]: level, [`${prefix}-version`]: version === "latest" ? version : `v1.${version}` };
      const request = {
        method: "POST",
        path: "/api/v1/namespaces",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ metadata: { name, labels } }),
      };
      for (const send of [ours, real.send]) expect((await send(request)).status).toBe(201);
    }
  }, 90_000);
  afterAll(() => (realServerMissing === undefined ? real.stop() : undefined), 30_000);

  it("decides random pods as kube-apiserver does, at every level and version", async (ctx) => {
    if (realServerMissing !== undefined) ctx.skip(realServerMissing);
    const seen = { allowed: 0, refused: 0 };
    const places = fc.uniqueArray(fc.constantFrom(...namespaces), { minLength: tries, maxLength: tries });
    await fc.assert(
      fc.asyncProperty(pod, places, async (body, where) => {
        for (const { name } of where) {
          const [mine, theirs] = await Promise.all([play(ours, name, body), play(real.send, name, body)]);
          expect(`${name} ${mine}`).toBe(`${name} ${theirs}`);
          if (mine.startsWith("201")) seen.allowed += 1;
          if (mine.includes("violates PodSecurity")) seen.refused += 1;
        }
      }),
      { numRuns: podCount, seed: 19 },
    );
    expect(seen.allowed).toBeGreaterThan(podCount / 3);
    expect(seen.refused).toBeGreaterThan(podCount);
  }, 600_000);
});
