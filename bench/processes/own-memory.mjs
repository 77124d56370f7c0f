/** Resident memory of this process in bytes, as the system counts it. */
import { readFileSync } from "node:fs";

export function ownMemory() {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1]) * 1024;
}
