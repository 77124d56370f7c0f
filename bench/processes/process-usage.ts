/** Memory and CPU of processes of this machine, selected by their command lines. Linux only. */
import { readdirSync, readFileSync } from "node:fs";

/** The sum over all processes with this text in their command line, except this one. */
export interface ProcessUsage {
  readonly megabytes: number;
  readonly cpuSeconds: number;
}

const ticksPerSecond = 100;

export function processUsage(mark: string): ProcessUsage {
  let [megabytes, cpuSeconds] = [0, 0];
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name) && name !== String(process.pid))) {
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(mark)) continue;
      const [, kilobytes = "0"] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
      megabytes += Number(kilobytes) / 1024;
      cpuSeconds += (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / ticksPerSecond;
    } catch {
      // The process has ended in the meantime.
    }
  }
  return { megabytes, cpuSeconds };
}
