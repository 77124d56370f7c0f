import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ConnectionPool } from "./connection-pool.ts";
import type { Lease } from "./connection-pool.ts";

interface Wire {
  readonly id: number;
  alive: boolean;
}

function poolOf(callsMax: number): { readonly pool: ConnectionPool<Wire>; readonly made: Wire[] } {
  const made: Wire[] = [];
  const pool = new ConnectionPool<Wire>({
    connect: () => {
      const wire = { id: made.length, alive: true };
      made.push(wire);
      return Promise.resolve(wire);
    },
    isUsable: ({ alive }) => alive,
    close: (wire) => {
      wire.alive = false;
    },
    callsMax,
  });
  return { pool, made };
}

const call = { counted: true, signal: undefined };

describe("ConnectionPool", () => {
  it("returns the most recently used connection, and no dead one", async () => {
    const { pool, made } = poolOf(5);
    const [first, second] = await Promise.all([pool.acquire(call), pool.acquire(call)]);
    second.release();
    first.release();
    first.release();
    expect((await pool.acquire(call)).connection.id).toBe(0);
    const wire = made[1] as Wire;
    wire.alive = false;
    expect((await pool.acquire(call)).connection.id).toBe(2);
  });

  it("grants the slot to the longest waiter, and none to aborted ones", async () => {
    const { pool } = poolOf(1);
    const holder = await pool.acquire(call);
    const controller = new AbortController();
    const order: string[] = [];
    const second = pool.acquire({ ...call, signal: controller.signal }).catch(() => order.push("gave up"));
    const third = pool.acquire(call).then((lease) => (order.push("third"), lease));
    const fourth = pool.acquire(call).then((lease) => (order.push("fourth"), lease));
    controller.abort(new Error("no"));
    await second;
    holder.release();
    (await third).release();
    await fourth;
    expect(order).toEqual(["gave up", "third", "fourth"]);
  });

  it("rejects an aborted caller at once, also when all slots are taken", async () => {
    const { pool } = poolOf(1);
    await pool.acquire(call);
    await expect(pool.acquire({ ...call, signal: AbortSignal.abort(new Error("too late")) })).rejects.toThrow("too late");
  });

  it("is drained when it is retired and all leases, also waiting ones, are released", async () => {
    const { pool } = poolOf(1);
    const [holder, waiting] = [await pool.acquire(call), pool.acquire(call)];
    pool.retire();
    expect(pool.isDrained).toBe(false);
    holder.release();
    expect(pool.isDrained).toBe(false);
    (await waiting).release();
    expect(pool.isDrained).toBe(true);
    expect(poolOf(1).pool.isDrained).toBe(false);
  });

  it("frees the slot when connecting fails", async () => {
    let fails = true;
    const pool = new ConnectionPool<number>({
      connect: () => (fails ? Promise.reject(new Error("refused")) : Promise.resolve(1)),
      isUsable: () => true,
      close: () => undefined,
      callsMax: 1,
    });
    await expect(pool.acquire(call)).rejects.toThrow("refused");
    fails = false;
    expect((await pool.acquire(call)).connection).toBe(1);
  });

  it("retire closes idle connections at once and others on release; close closes all", async () => {
    const { pool, made } = poolOf(5);
    const idle = await pool.acquire(call);
    const used = await pool.acquire(call);
    const other = await pool.acquire({ ...call, counted: false });
    idle.release();
    pool.retire();
    expect(made.map(({ alive }) => alive)).toEqual([false, true, true]);
    used.release();
    expect(made.map(({ alive }) => alive)).toEqual([false, false, true]);
    pool.close();
    expect(other.connection.alive).toBe(false);
  });

  it("never exceeds callsMax nor leases a connection twice, for any sequence", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.constantFrom("call", "stream", "release", "die"), { maxLength: 40 }),
        async (callsMax, steps) => {
          const { pool, made } = poolOf(callsMax);
          const held: { readonly lease: Lease<Wire>; readonly counted: boolean }[] = [];
          for (const step of steps) {
            if (step === "call" || step === "stream")
              void pool
                .acquire({ counted: step === "call", signal: undefined })
                .then((lease) => held.push({ lease, counted: step === "call" }));
            else if (step === "release") held.shift()?.lease.release();
            else for (const wire of made.slice(-1)) wire.alive = false;
            for (let turn = 0; turn < 6; turn++) await Promise.resolve();
            expect(held.filter(({ counted }) => counted).length).toBeLessThanOrEqual(callsMax);
            expect(new Set(held.map(({ lease }) => lease.connection.id)).size).toBe(held.length);
          }
        },
      ),
    );
  });
});
