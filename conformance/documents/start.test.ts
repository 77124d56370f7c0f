/** The first lines of the README, literally: `npm start`, then its kubectl lines in another terminal. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { printsAs } from "./client-readme-blocks.ts";
import { kubectls } from "../kubectl/kubectl.ts";
import { temporaryFolder } from "../servers/real-program.ts";

const root = join(import.meta.dirname, "..", "..");
const own = join(root, ".drover");
const [, lines = "", output = ""] = /```sh\n(.*?)```\n\n```text\n(.*?)```\n/s.exec(readFileSync(join(root, "README.md"), "utf8")) ?? [];

describe("the README's first lines", () => {
  it("are in the README", () => expect(lines).toMatch(/^export KUBECONFIG=\$PWD\/\.drover\/kubeconfig\nkubectl /));

  it.for(kubectls)("work with npm start and $name", { timeout: 60_000 }, async ({ path, missing }, ctx) => {
    if (missing !== undefined) ctx.skip(missing);
    if (existsSync(own)) ctx.skip("an npm start is running in this folder");
    const home = temporaryFolder("start-home");
    const npm = spawn("npm", ["start"], { cwd: root, stdio: ["ignore", "pipe", "pipe"], detached: true });
    // When the last program of the group has closed its output.
    const exit = once(npm, "close");
    let said = "";
    try {
      for (const stream of [npm.stdout, npm.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (said += text));
      // Until the recycler has recorded the configuration: a reader needs longer than that to type the first line.
      while (!/frontend-recycler +created ConfigMap/.test(said))
        if ((await Promise.race([once(npm.stdout, "data"), exit])).length === 2) throw new Error(said);
      expect(said).toContain(`  export KUBECONFIG=${join(own, "kubeconfig")}\n  kubectl get pods -o wide `);
      const env = { HOME: home.path, PATH: [dirname(path), process.env["PATH"]].join(delimiter) };
      const printed = spawnSync("sh", ["-c", `exec 2>&1\n${lines}`], { cwd: root, env, encoding: "utf8", timeout: 30_000 }).stdout;
      expect([printed, printsAs(output, printed)]).toEqual([printed, true]);
    } finally {
      // To every program of the group, as a terminal does.
      process.kill(-(npm.pid ?? 0), "SIGINT");
      home.remove();
      await exit;
    }
    // The typed commands, what the examples did, and why controllers acted.
    for (const line of [
      /kubectl +changed ConfigMap default\/frontend-config\n/,
      /frontend-recycler +ConfigMap default\/frontend-config has changed: deleting 3 pods\n/,
      /pod-node-logger +pod default\/frontend-\S+ is on node-\d\n/,
      /replicaset +created 3 Pods for \S+, because ReplicaSet \S+ was created by deployment-controller\n/,
    ])
      expect(said).toMatch(line);
    expect([said.endsWith("\nEnded.\n"), existsSync(own)]).toEqual([true, false]);
  });
});
