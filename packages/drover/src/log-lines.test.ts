import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { createMetrics } from "@drover/machinery";
import { metricValues } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { logLines } from "./log-lines.ts";

/** An output of a test: what it accepted, and whether it fails. */
class Output {
  waitingBytes = 0;
  isFailing: "no" | "throws" | "later" = "no";
  readonly texts: string[] = [];

  write(line: string, failed: () => void): void {
    if (this.isFailing === "throws") throw new Error("ENOSPC");
    if (this.isFailing === "later") failed();
    else this.texts.push(line);
  }
}

function stage() {
  const output = new Output();
  const metrics = createMetrics();
  const write = logLines({ output, metrics, report: (dropped) => `${dropped} lines dropped`, bufferBytesMax: 100 });
  return { output, write, dropped: () => metricValues(metrics, "drover_log_lines_dropped_total"), metrics };
}

describe("logLines", () => {
  it.each(["throws", "later"] as const)("drops lines while a write fails (%s), and reports them with the next line (SEC5)", (how) => {
    const { output, write, dropped } = stage();
    write("one");
    output.isFailing = how;
    write("two");
    write("three");
    output.isFailing = "no";
    write("four");
    write("five");
    expect(output.texts).toEqual(["one\n", "2 lines dropped\nfour\n", "five\n"]);
    expect(Object.values(dropped())).toEqual([2]);
  });

  it("drops lines that would exceed the buffer of a slow reader, and counts the budget (SEC5)", () => {
    const { output, write, dropped, metrics } = stage();
    output.waitingBytes = 98;
    for (const line of ["é", "éé", "abc"]) write(line);
    output.waitingBytes = 0;
    write("after");
    expect(output.texts).toEqual(["é\n", "2 lines dropped\nafter\n"]);
    expect(Object.values(dropped())).toEqual([2]);
    expect(Object.values(metricValues(metrics, "drover_budget_exceeded_total"))).toEqual([2]);
  });
});

const runtimeFile = fileURLToPath(new URL("node-runtime.ts", import.meta.url));
const isLong = process.env["DROVER_LONG"] === "1";

/** Logs `lines` lines of `bytes` bytes, some per turn, and then says on standard output how it went. */
const program = (lines: number, bytes: number, then = ""): string => `
  const { nodeRuntime } = await import(${JSON.stringify(runtimeFile)});
  const { prometheusText } = await import("@drover/machinery");
  const { log, metrics } = nodeRuntime({ logFormat: "json" });
  let slowest = 0;
  for (let line = 0; line < ${lines}; line++) {
    const before = performance.now();
    log.info("line", { line, filling: "x".repeat(${bytes}) });
    slowest = Math.max(slowest, performance.now() - before);
    if (line % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const dropped = Number(/^drover_log_lines_dropped_total (\\d+)$/m.exec(prometheusText(metrics))?.[1] ?? 0);
  process.stdout.write(JSON.stringify({ dropped, slowest }) + "\\n");
  ${then}
  process.exit(0);`;

const exitOf = async (child: ChildProcess): Promise<readonly unknown[]> => (await once(child, "exit")) as unknown[];

interface Told {
  readonly dropped: number;
  readonly slowest: number;
}

function run(code: string, stderr: "pipe" | number) {
  return spawn(process.execPath, ["--conditions=drover-source", "--import", "tsx", "--input-type=module", "-e", code], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    stdio: ["pipe", "pipe", stderr],
  });
}

describe("nodeRuntime in a process of its own", { timeout: 60_000 }, () => {
  it("goes on when the reader of its log is gone, as with head -1 (SEC5)", async () => {
    const child = run(program(300, 1000), "pipe");
    const errors = child.stderr as Readable;
    errors.once("data", () => errors.destroy());
    const [told, [code]] = await Promise.all([text(child.stdout as Readable), exitOf(child)]);
    expect(code).toBe(0);
    expect((JSON.parse(told) as Told).dropped).toBeGreaterThan(100);
  });

  it.runIf(isLong)("goes on when the disk of its log is full (SEC5)", async () => {
    const full = openSync("/dev/full", "w");
    const child = run(program(300, 1000), full);
    const [told, [code]] = await Promise.all([text(child.stdout as Readable), exitOf(child)]);
    closeSync(full);
    expect(code).toBe(0);
    expect((JSON.parse(told) as Told).dropped).toBe(300);
  });

  it.runIf(isLong)("neither stalls nor grows when its log is not read, and reports what was dropped (SEC5)", async () => {
    const again =
      'await new Promise((resolve) => process.stdin.once("data", resolve)); log.info("again"); await new Promise((resolve) => setTimeout(resolve, 50));';
    const child = run(program(1000, 10_000, again), "pipe");
    const [line] = (await once(child.stdout as Readable, "data")) as [Buffer];
    const { dropped } = JSON.parse(String(line)) as Told;
    // 10 MB were logged, 4 MiB may wait, and the pipe holds less than 1 MB.
    expect(dropped).toBeGreaterThan(400);
    const log = text(child.stderr as Readable);
    setTimeout(() => child.stdin?.write("go"), 300);
    const [, [code]] = await Promise.all([log, exitOf(child)]);
    expect(code).toBe(0);
    const lines = (await log)
      .trim()
      .split("\n")
      .map((each) => JSON.parse(each) as { msg: string; lines?: number });
    expect(lines.filter(({ msg }) => msg === "log lines dropped").map((each) => each.lines)).toEqual([dropped]);
    expect(lines.at(-1)?.msg).toBe("again");
  });
});
