import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WaitingBytes } from "./waiting-bytes.ts";
import type { WaitingStream } from "./waiting-bytes.ts";

/** A client that reads when the test says so. */
class Client implements WaitingStream {
  unread = 0;
  /** Since when bytes wait for it. */
  sinceMs = Infinity;
  isEnded = false;
  readonly waitingBytes = (): number => this.unread;
  readonly end = (): void => {
    this.isEnded = true;
    this.unread = 0;
  };
}

const bytesMax = 100_000;
const countedFrom = 4096;
const step = fc.record({
  kind: fc.constantFrom("write" as const, "write" as const, "read" as const, "leave" as const, "wait" as const),
  client: fc.nat(5),
  bytes: fc.nat(60_000),
});

describe("WaitingBytes", () => {
  it("never lets more wait than allowed, ends those first whose bytes wait most and longest, and none without need", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const all = Array.from({ length: 6 }, () => new Client());
        const gone = new Set<Client>();
        let reported = 0;
        let nowMs = 0;
        const waiting = new WaitingBytes({
          bytesMax,
          clock: { monotonic: () => nowMs },
          onEnded: ({ streams }) => (reported += streams),
        });
        const counted = (): Client[] => all.filter(({ unread }) => unread >= countedFrom);
        const sum = (): number => counted().reduce((bytes, { unread }) => bytes + unread, 0);
        for (const { kind, client: index, bytes } of steps) {
          const client = all[index] as Client;
          if (client.isEnded || gone.has(client)) continue;
          if (kind === "wait") nowMs += bytes;
          else if (kind === "read") {
            client.unread = Math.max(0, client.unread - bytes);
            if (client.unread > 0) continue;
            client.sinceMs = Infinity;
            waiting.forget(client);
          } else if (kind === "leave") {
            client.unread = 0;
            gone.add(client);
            waiting.forget(client);
          } else {
            client.unread += bytes;
            if (client.unread >= countedFrom) client.sinceMs = Math.min(client.sinceMs, nowMs);
            const slowness = new Map(all.map((each) => [each, each.unread * (nowMs - each.sinceMs + 1)]));
            const before = new Set(all.filter(({ isEnded }) => isEnded));
            const isNeeded = sum() > bytesMax;
            waiting.note(client);
            const ended = all.filter((each) => each.isEnded && !before.has(each));
            expect(ended.length > 0).toBe(isNeeded);
            const least = Math.min(...ended.map((each) => slowness.get(each) ?? 0));
            for (const each of counted()) expect(slowness.get(each)).toBeLessThanOrEqual(least);
          }
          expect(sum()).toBeLessThanOrEqual(bytesMax);
        }
        expect(reported).toBe(all.filter(({ isEnded }) => isEnded).length);
      }),
    );
  });

  it("ends none of ten thousand clients that each have a small event waiting", () => {
    const waiting = new WaitingBytes({ bytesMax: 1000, clock: { monotonic: () => 0 }, onEnded: () => expect.unreachable() });
    for (let index = 0; index < 10_000; index++) waiting.note({ waitingBytes: () => 700, end: () => expect.unreachable() });
  });

  it("counts what waits now, not what waited when the client was counted", () => {
    const waiting = new WaitingBytes({ bytesMax: 100_000, clock: { monotonic: () => 0 }, onEnded: () => expect.unreachable() });
    const clients = Array.from({ length: 100 }, () => new Client());
    for (const client of clients) {
      client.unread = 60_000;
      waiting.note(client);
      client.unread = 0;
    }
  });

  it("ends a client that reads nothing before those that just got a larger event", () => {
    let nowMs = 0;
    const waiting = new WaitingBytes({ bytesMax: 100_000, clock: { monotonic: () => nowMs }, onEnded: () => undefined });
    const [stalled, ...reading] = Array.from({ length: 4 }, () => new Client());
    const write = (client: Client, bytes: number): void => {
      client.unread = bytes;
      waiting.note(client);
    };
    write(stalled as Client, 20_000);
    nowMs += 1000;
    for (const client of reading) write(client, 27_000);
    expect([stalled?.isEnded, reading.map(({ isEnded }) => isEnded)]).toEqual([true, [false, false, false]]);
  });
});
