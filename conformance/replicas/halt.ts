/**
 * Loaded into a replica before its program: told by SIGUSR2, the process stops itself with SIGSTOP in the worst moment,
 * when a write of its work has been handed to Node and not a byte of it has been sent.
 *
 * Stopped from outside it would be between two turns of its event loop most of the time, where timers come first when
 * it wakes and no fence is needed. And once in some hundred times it would be stopped behind the fence's last look at
 * the clock, in the microseconds before the system call: there no fence helps, and no test can ask for it.
 */
import http from "node:http";
import { syncBuiltinESMExports } from "node:module";

let isArmed = false;
process.on("SIGUSR2", () => (isArmed = true));

const { request } = http;

function haltingRequest(this: unknown, ...args: unknown[]): unknown {
  const { method = "GET", path = "" } = args[0] as { readonly method?: string; readonly path?: string };
  if (isArmed && method !== "GET" && !path.includes("/leases")) {
    isArmed = false;
    process.kill(process.pid, "SIGSTOP");
  }
  return Reflect.apply(request, this, args);
}

Object.assign(http, { request: haltingRequest });
syncBuiltinESMExports();
