/**
 * What holds up the event loop during one phase of a benchmark, in three ways:
 *  - delay: how late timers are, by the clock. Other programs on the machine make it longer.
 *  - cpu: processor time of the main thread between two looks, about every two milliseconds; other programs hardly change it.
 *    Undefined before Node 23.9.
 *  - gc: pauses of the garbage collector, by the clock. They are part of both.
 *
 *     watchLoop() → phase → end() → { delay, cpu, gc }
 */
import { PerformanceObserver, monitorEventLoopDelay } from "node:perf_hooks";

const resolutionMs = 2;

export function watchLoop() {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  const pauses = [];
  const observer = new PerformanceObserver((list) => void pauses.push(...list.getEntries().map(({ duration }) => duration)));
  const spent = [];
  let last = process.threadCpuUsage?.();
  const look = () => {
    const { user, system } = process.threadCpuUsage(last);
    last = process.threadCpuUsage();
    spent.push((user + system) / 1000);
  };
  histogram.enable();
  observer.observe({ entryTypes: ["gc"] });
  const looking = last === undefined ? undefined : setInterval(look, resolutionMs);
  return {
    async end() {
      // A delay is recorded when it is over.
      await new Promise((resolve) => setTimeout(resolve, 3 * resolutionMs));
      clearInterval(looking);
      histogram.disable();
      pauses.push(...observer.takeRecords().map(({ duration }) => duration));
      observer.disconnect();
      // Without the interval of the timer itself.
      const delay = [50, 99, 100].map((percent) => Math.max(0, histogram.percentile(percent) / 1e6 - resolutionMs));
      spent.sort((a, b) => a - b);
      const cpu = [0.5, 0.99, 1].map((part) => spent[Math.min(spent.length - 1, Math.floor(spent.length * part))] ?? 0);
      const gc = [pauses.length, pauses.reduce((sum, pause) => sum + pause, 0), Math.max(0, ...pauses)];
      return { delay, ...(last === undefined ? {} : { cpu }), gc };
    },
  };
}
