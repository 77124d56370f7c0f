/**
 * Loaded into a replica before its program: on SIGUSR2 the process stops itself with SIGSTOP at the worst moment, when
 * a write has been handed to Node and none of its bytes has been sent.
 *
 * A stop from outside would mostly hit the process between two turns of its event loop, where timers run first when it
 * resumes and no fence is needed. Rarely it would hit after the fence's last check of the clock, in the microseconds
 * before the system call: no fence helps there, and no test can require it.
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
