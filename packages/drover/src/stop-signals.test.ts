import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { stopSignal } from "./stop-signals.ts";
import type { SignalHost } from "./stop-signals.ts";

function fakeHost() {
  const listeners: { readonly name: string; readonly listener: () => void }[] = [];
  const exits: number[] = [];
  const host: SignalHost = {
    on: (name, listener) => void listeners.push({ name, listener }),
    listeners: (name) => listeners.filter((one) => one.name === name).map(({ listener }) => listener),
    exit: (code) => void exits.push(code),
  };
  const send = (name: string): void => {
    for (const one of listeners) if (one.name === name) one.listener();
  };
  return { host, listeners, exits, send };
}

describe("stopSignal", () => {
  it("aborts on the first SIGINT or SIGTERM and names it; the second exits with 1 (E9, D10, §9.33)", () => {
    for (const [first = "", second = ""] of [
      ["SIGTERM", "SIGTERM"],
      ["SIGINT", "SIGTERM"],
      ["SIGTERM", "SIGINT"],
      ["SIGINT", "SIGINT"],
    ]) {
      const { host, exits, send } = fakeHost();
      const signal = stopSignal(host);
      expect(signal.aborted).toBe(false);
      send(first);
      expect([signal.aborted, String(signal.reason), exits]).toEqual([true, `AbortError: the process received ${first}`, []]);
      send(second);
      expect(exits).toEqual([1]);
    }
  });

  it("installs once and returns the same signal on every call, beside other listeners", () => {
    const { host, listeners } = fakeHost();
    host.on("SIGTERM", () => undefined);
    const signal = stopSignal(host);
    expect(stopSignal(host)).toBe(signal);
    expect(listeners.length).toBe(3);
  });

  it("lets a real process shut down, and exits immediately on the second signal", async () => {
    const file = fileURLToPath(new URL("stop-signals.ts", import.meta.url));
    const program = `const { stopSignal } = await import(${JSON.stringify(file)}); const timer = setInterval(() => {}, 1000);
      stopSignal().addEventListener("abort", () => { console.log("stopping"); if (process.env.HANG !== "yes") clearInterval(timer); }); console.log("ready");`;
    for (const [hangs, code] of [
      ["no", 0],
      ["yes", 1],
    ] as const) {
      const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", program], {
        env: { ...process.env, HANG: hangs },
        stdio: ["ignore", "pipe", "inherit"],
      });
      const exited = once(child, "exit");
      for await (const chunk of child.stdout) {
        const text = String(chunk);
        if (text.includes("ready")) child.kill("SIGTERM");
        if (text.includes("stopping")) {
          if (hangs === "yes") child.kill("SIGINT");
        }
      }
      expect((await exited)[0]).toBe(code);
    }
  }, 60_000);
});
