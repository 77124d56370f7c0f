/**
 * Runs a program that ends with this one: signals are forwarded, and the program is asked to end when our own parent is
 * gone. Built-in modules only: with-setup.mjs imports this file before anything is installed.
 *
 *     runChild([program, ...arguments], options) → { status }, once it has ended
 */
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { onParentEnd } from "./end-with-parent.mjs";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
/** Milliseconds until a program without a parent is killed: more than `drover up` gives requests and programs. */
const patienceMs = 15_000;

/** Flags for a Node program that ends when this one does, even by `kill -9`. */
export const tiedToThis = () => ["--import", `${new URL("end-with-parent.mjs", import.meta.url).href}?of=${process.pid}`];

/**
 * Waits for the program also after a signal: it cleans up and exits with its own status. The status of a program that a
 * signal has killed is 128 + the signal's number.
 */
export async function runChild([program, ...args], options = {}) {
  const child = spawn(program, args, { stdio: "inherit", ...options });
  let isAsked = false;
  const forward = (signal) => {
    isAsked = true;
    child.kill(signal);
  };
  for (const signal of signals) process.on(signal, forward);
  onParentEnd(() => {
    if (!isAsked) forward("SIGTERM");
    setTimeout(() => void child.kill("SIGKILL"), patienceMs).unref();
  });
  const status = await new Promise((resolve) => {
    child.once("error", (error) => {
      process.stderr.write(`${program}: ${error.message}\n`);
      resolve(1);
    });
    child.once("exit", (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
  for (const signal of signals) process.off(signal, forward);
  return { status };
}
