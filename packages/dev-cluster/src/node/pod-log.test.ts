import type { ContainerStatus, Pod } from "@drover/api/core/v1";
import type { PodLogOptions } from "@drover/apiserver";
import { definedOnly, formatTime } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { readLog } from "./follow-log.ts";
import { podConduct, promptPods } from "./pod-conduct.ts";
import { linesMax, logAnnotations, logOf } from "./pod-log.ts";

const begin = 1_767_225_600_000;
const running: ContainerStatus = {
  name: "web",
  image: "",
  imageID: "",
  ready: true,
  restartCount: 0,
  state: { running: { startedAt: formatTime(begin) } },
};
const ended: ContainerStatus = {
  ...running,
  state: { terminated: { exitCode: 3, startedAt: formatTime(begin), finishedAt: formatTime(begin + 5000) } },
};
const all: PodLogOptions = { follow: false, previous: false, timestamps: false };

function pod(status: ContainerStatus, annotations: Record<string, string> = {}): Pod {
  return {
    metadata: { name: "web-0", namespace: "shop", uid: "u", annotations },
    spec: { containers: [{ name: "web", image: "w" }] },
    status: { phase: "Running", containerStatuses: [status] },
  };
}

async function read(
  given: Pod,
  options: Partial<PodLogOptions> = {},
  now = begin + 10_000,
): Promise<string | { readonly refusal: string } | undefined> {
  const log = readLog("web", {
    ...all,
    ...options,
    clock: new ManualClock({ nowMs: now }),
    podOf: () => given,
    conductOf: (each) => podConduct(each, promptPods),
  });
  if (log === undefined || "refusal" in log) return log;
  let text = "";
  for await (const line of log) text += line;
  return text;
}

describe("logOf", () => {
  it("shows life events without an annotation", async () => {
    expect(await read(pod(running))).toBe("web started\nweb ready\n");
    expect(await read(pod(ended))).toBe("web started\nweb ready\nweb exited with code 3\n");
  });

  it("shows the annotation of the pod or of the container", async () => {
    expect(await read(pod(running, { [logAnnotations.log]: "one\ntwo\n" }))).toBe("one\ntwo\n");
    expect(await read(pod(running, { [logAnnotations.log]: "one", [`${logAnnotations.log}.web`]: "mine" }))).toBe("mine\n");
  });

  it("repeats lines as the annotation says and drops old ones beyond the limit", async () => {
    const annotations = { [logAnnotations.log]: "tick", [logAnnotations.every]: "2s" };
    expect(await read(pod(running, annotations), {}, begin + 5000)).toBe("tick\ntick\ntick\n");
    expect(await read(pod(ended, annotations), {}, begin + 60_000)).toBe("tick\ntick\ntick\n");
    const log = logOf(pod(running, { ...annotations, [logAnnotations.every]: "1ms" }), "web", all, {
      now: begin + 3_600_000,
      conduct: podConduct(pod(running), promptPods),
    });
    expect("lines" in log ? [log.lines.length, log.lines.at(-1)?.at] : log).toEqual([linesMax, begin + 3_600_000]);
  });

  it("selects lines by time, tail, timestamps and bytes", async () => {
    const ticking = pod(running, { [logAnnotations.log]: "tick", [logAnnotations.every]: "2s" });
    expect(await read(ticking, { sinceMs: begin + 7000 })).toBe("tick\ntick\n");
    expect(await read(ticking, { tailLines: 1, timestamps: true })).toBe("2026-01-01T00:00:10.000000000Z tick\n");
    expect(await read(ticking, { tailLines: 0 })).toBe("");
    expect(await read(ticking, { limitBytes: 7 })).toBe("tick\nti");
  });

  it("shows the previous run on request, or while the container waits for a restart", async () => {
    const again: ContainerStatus = {
      ...running,
      restartCount: 1,
      state: { waiting: { reason: "CrashLoopBackOff" } },
      lastState: ended.state ?? {},
    };
    expect(await read(pod(again))).toBe("web started\nweb ready\nweb exited with code 3\n");
    expect(await read(pod({ ...again, state: { running: { startedAt: formatTime(begin + 9000) } } }), { previous: true })).toBe(
      "web started\nweb ready\nweb exited with code 3\n",
    );
    expect(await read(pod(running), { previous: true })).toEqual({
      refusal: 'previous terminated container "web" in pod "web-0" not found',
    });
  });

  it("is unavailable before the container starts", async () => {
    expect(await read(pod({ ...running, state: { waiting: { reason: "ContainerCreating" } } }))).toEqual({
      refusal: 'container "web" in pod "web-0" is waiting to start: ContainerCreating',
    });
    expect(await read({ ...pod(running), status: { phase: "Pending" } })).toEqual({
      refusal: 'container "web" in pod "web-0" is not available',
    });
  });

  it("follows until the container ends", async () => {
    const clock = new ManualClock({ nowMs: begin });
    let current = pod(running, { [logAnnotations.log]: "tick", [logAnnotations.every]: "1s" });
    const log = readLog("web", { ...all, follow: true, clock, podOf: () => current, conductOf: (each) => podConduct(each, promptPods) });
    if (log === undefined || "refusal" in log) throw new Error("no log");
    const lines: string[] = [];
    const reading = (async () => {
      for await (const line of log) lines.push(line);
    })();
    await clock.advance(2000);
    expect(lines).toEqual(["tick\n", "tick\n", "tick\n"]);
    current = { ...pod(ended), metadata: current.metadata };
    await clock.advance(4000);
    await reading;
    expect(lines).toHaveLength(6);
  });

  it("stops following when the reader or the pod is gone", async () => {
    const clock = new ManualClock({ nowMs: begin });
    const leaving = new AbortController();
    let current: Pod | undefined = pod(running);
    const follow = async (signal?: AbortSignal): Promise<number> => {
      const log = readLog("web", {
        ...all,
        follow: true,
        clock,
        podOf: () => current,
        conductOf: (each) => podConduct(each, promptPods),
        ...definedOnly({ signal }),
      });
      if (log === undefined || "refusal" in log) throw new Error("no log");
      let count = 0;
      for await (const line of log) count += line.length > 0 ? 1 : 0;
      return count;
    };
    const [one, other] = [follow(leaving.signal), follow()];
    await clock.advance(1000);
    leaving.abort();
    expect(await one).toBe(2);
    current = undefined;
    await clock.advance(1000);
    expect(await other).toBe(2);
  });
});
