/**
 * Starts a shell command whose processes do not outlive this one, however it ends: a guard in the command's process
 * group reads from a pipe, which the kernel closes when this process is gone.
 *
 *     command → startTied → child, with its own process group
 */
import { spawn } from "node:child_process";
import type { ChildProcessByStdio } from "node:child_process";
import type { Readable } from "node:stream";
import { Socket } from "node:net";

/** A running command. */
export interface TiedProgram {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  /** Signals the command and everything it has started. Does nothing if all have exited. */
  readonly kill: (name: "SIGTERM" | "SIGKILL") => void;
  /** Ends the guard. With "leftovers" it first ends the processes that the command has left in the background. */
  readonly release: (ending: "guard" | "leftovers") => void;
}

/** The guard is no child of the command, holds none of its output open, and survives what it sends to the group. */
const guarded = `( ( trap '' HUP INT TERM; read -r word <&3 || { kill -s TERM 0; sleep 3; kill -s KILL 0; } ) >/dev/null 2>&1 & )
exec 3<&-
exec /bin/sh -c "$1"`;

/** Starts the command; a command that cannot be started emits "error" on the child. */
export function startTied(command: string, env: NodeJS.ProcessEnv): TiedProgram {
  if (process.platform === "win32") {
    const child = spawn(command, { shell: true, stdio: ["ignore", "pipe", "pipe"], env });
    return { child, kill: (name) => void child.kill(name), release: () => undefined };
  }
  const child = spawn("/bin/sh", ["-c", guarded, "sh", command], { detached: true, stdio: ["ignore", "pipe", "pipe", "pipe"], env });
  const pipe = child.stdio[3];
  // The guard may be gone: killed with the group.
  if (pipe instanceof Socket) pipe.on("error", () => undefined).unref();
  return {
    child: child as ChildProcessByStdio<null, Readable, Readable>,
    kill: (name) => signalGroup(child.pid, name),
    release: (ending) => {
      if (pipe instanceof Socket) pipe.end(ending === "guard" ? "dismissed\n" : "");
    },
  };
}

function signalGroup(pid: number | undefined, name: "SIGTERM" | "SIGKILL"): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, name);
  } catch {
    // All have exited.
  }
}
