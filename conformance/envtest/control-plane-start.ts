/** Starts etcd and kube-apiserver of a folder as envtest does, and measures how long it takes until the API server is healthy. */
import { execFile, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { nodeCrypto } from "@drover/machinery/node";
import { certificateAuthority } from "@drover/machinery/x509";
import { freePorts } from "../servers/real-program.ts";

const run = promisify(execFile);

/** Returns milliseconds. Asks every ten milliseconds, where envtest asks every hundred. */
export async function controlPlaneStart(assets: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "drover-plane-"));
  const children: ChildProcess[] = [];
  const start = (name: string, ...flags: readonly string[]): void =>
    void children.push(spawn(join(assets, name), [...flags], { stdio: "ignore" }));
  try {
    const [client = 0, peer = 0, port = 0] = await freePorts(3);
    const authority = certificateAuthority({ commonName: "ca", crypto: nodeCrypto, clock: { now: () => Date.now() } });
    for (const [name, text] of Object.entries({ "ca.crt": authority.certificatePem, "sa.key": authority.privateKeyPem }))
      writeFileSync(join(folder, name), text);
    const { certificatePem, privateKeyPem } = authority.issue({
      commonName: "s",
      dnsNames: ["localhost"],
      ips: ["127.0.0.1"],
      usage: "server",
    });
    writeFileSync(join(folder, "apiserver.crt"), certificatePem);
    writeFileSync(join(folder, "apiserver.key"), privateKeyPem);
    const started = performance.now();
    await run(join(assets, "etcd"), ["--help"]);
    const url = `http://127.0.0.1:${client}`;
    start(
      "etcd",
      `--listen-client-urls=${url}`,
      `--advertise-client-urls=${url}`,
      `--listen-peer-urls=http://127.0.0.1:${peer}`,
      `--data-dir=${join(folder, "etcd")}`,
      "--unsafe-no-fsync=true",
    );
    await healthy(() => get(`${url}/health`, { agent: false }));
    await run(join(assets, "kube-apiserver"), ["--help"], { maxBuffer: 2 ** 24 });
    start(
      "kube-apiserver",
      `--etcd-servers=${url}`,
      `--secure-port=${port}`,
      "--bind-address=127.0.0.1",
      `--cert-dir=${folder}`,
      `--client-ca-file=${join(folder, "ca.crt")}`,
      "--authorization-mode=RBAC",
      "--allow-privileged=true",
      "--disable-admission-plugins=ServiceAccount",
      "--service-cluster-ip-range=10.0.0.0/24",
      `--service-account-issuer=https://127.0.0.1:${port}/`,
      `--service-account-key-file=${join(folder, "ca.crt")}`,
      `--service-account-signing-key-file=${join(folder, "sa.key")}`,
    );
    await healthy(() => request(`https://127.0.0.1:${port}/healthz`, { agent: false, rejectUnauthorized: false }).end());
    return performance.now() - started;
  } finally {
    for (const child of children.toReversed()) {
      child.kill("SIGTERM");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

async function healthy(ask: () => ReturnType<typeof get>): Promise<void> {
  for (let attempt = 0; attempt < 6000; attempt++) {
    const status = await new Promise((resolve) => {
      ask()
        .on("response", (response) => {
          response.resume();
          resolve(response.statusCode);
        })
        .on("error", () => resolve(undefined));
    });
    if (status === 200) return;
    await delay(10);
  }
  throw new Error("it is not healthy after a minute");
}
