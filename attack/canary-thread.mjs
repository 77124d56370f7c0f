/** The thread of canary.ts. Plain JavaScript, because threads of Node 20 do not load TypeScript. */
import { readFileSync } from "node:fs";
import { request } from "node:https";
import { setTimeout as pause } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";

const { pid, ...target } = workerData;

/** Milliseconds of processor time of the server's main thread; without the time in which other programs or machines had the processor. */
const processorMs = () => {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
  } catch {
    return 0;
  }
};

const ask = () =>
  new Promise((resolve, reject) => {
    const sent = request({ ...target, agent: false, timeout: 60_000 }, (response) => {
      response.on("error", reject);
      response.on("end", () => resolve(response.statusCode));
      response.resume();
    });
    sent.on("timeout", () => sent.destroy(new Error("no answer in 60 s")));
    sent.on("error", reject);
    sent.end();
  });

let silentMs = 0;
let busyMs = 0;
let failure;
for (;;) {
  const askedAt = Date.now();
  const before = processorMs();
  parentPort.postMessage({ silentMs, busyMs, failure, askedAt });
  try {
    const status = await ask();
    if (status !== 200) failure ??= `a small request was answered with ${status}`;
  } catch (error) {
    failure ??= `a small request failed: ${error.message}`;
  }
  silentMs = Math.max(silentMs, Date.now() - askedAt);
  busyMs = Math.max(busyMs, processorMs() - before);
  parentPort.postMessage({ silentMs, busyMs, failure, askedAt: undefined });
  await pause(20);
}
