/**
 * A network of its own for a server, connected by a pair of virtual interfaces that can be taken down: packets are then dropped, as by a
 * machine that lost its power. Linux, as root.
 */
import { execFileSync, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";

export interface NetworkNamespace {
  readonly host: string;
  /** The command that runs a program inside. */
  readonly through: readonly [string, ...string[]];
  /** Drops all packets, or lets them pass again. */
  readonly drop: (drops: boolean) => void;
  readonly close: () => void;
}

const [inside, outside] = ["drover-soak1", "drover-soak0"];
const host = "10.231.77.2";

const run = (program: string, ...args: readonly string[]): void =>
  void execFileSync(program, args, { stdio: ["ignore", "ignore", "pipe"] });

/** Returns a sentence instead if this machine does not allow it. */
export async function networkNamespace(): Promise<NetworkNamespace | string> {
  let keeper: ChildProcess | undefined;
  try {
    run("ip", "-V");
    // Ends with its input, which ends with this process.
    keeper = spawn("unshare", ["--net", "cat"], { stdio: ["pipe", "ignore", "ignore"] });
    keeper.on("error", () => undefined);
    await delay(200);
    const pid = String(keeper.pid);
    run("ip", "link", "add", outside, "type", "veth", "peer", "name", inside, "netns", pid);
    run("ip", "addr", "add", "10.231.77.1/30", "dev", outside);
    run("ip", "link", "set", outside, "up");
    const through = ["nsenter", "--target", pid, "--net"] as const;
    run(...through, "ip", "addr", "add", `${host}/30`, "dev", inside);
    run(...through, "ip", "link", "set", inside, "up");
    const ended = keeper;
    return {
      host,
      through,
      drop: (drops) => run(...through, "ip", "link", "set", inside, drops ? "down" : "up"),
      close: () => void ended.kill("SIGKILL"),
    };
  } catch {
    keeper?.kill("SIGKILL");
    return "dropping packets needs Linux, root, ip, unshare and nsenter";
  }
}
