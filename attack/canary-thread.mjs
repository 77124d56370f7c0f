/** The thread of canary.ts. Plain JavaScript, because threads of Node 20 do not load TypeScript. */
import { request } from "node:https";
import { setTimeout as pause } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";

const ask = () =>
  new Promise((resolve, reject) => {
    const sent = request({ ...workerData, path: "/api/v1/namespaces/default", agent: false, timeout: 60_000 }, (response) => {
      response.on("error", reject);
      response.on("end", () => resolve(response.statusCode));
      response.resume();
    });
    sent.on("timeout", () => sent.destroy(new Error("no answer in 60 s")));
    sent.on("error", reject);
    sent.end();
  });

let silentMs = 0;
let failure;
for (;;) {
  const askedAt = Date.now();
  parentPort.postMessage({ silentMs, failure, askedAt });
  try {
    const status = await ask();
    if (status !== 200) failure ??= `a small request was answered with ${status}`;
  } catch (error) {
    failure ??= `a small request failed: ${error.message}`;
  }
  silentMs = Math.max(silentMs, Date.now() - askedAt);
  parentPort.postMessage({ silentMs, failure, askedAt: undefined });
  await pause(20);
}
