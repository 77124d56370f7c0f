/**
 * Leads every connection that is accepted here to a port of a pod. Who accepts them (a listening socket, a test) is handed in.
 *
 *     accepted connections → one WebSocket each → port of the pod
 */
import { Group } from "@drover/machinery";
import type { Clock, ObjectName } from "@drover/machinery";
import { portForward } from "./port-forward.ts";
import type { ByteConnection } from "./port-forward.ts";
import { pump } from "./pump.ts";
import type { WebSocketConnect } from "./web-socket.ts";

export interface ForwardConnectionsOptions {
  readonly clock: Clock;
  /** Ends everything. */
  readonly signal: AbortSignal;
  /** Is told when one connection could not be made or broke; the others go on. */
  readonly onError: (error: unknown) => void;
  /**
   * After the local side has ended, how long the pod may be silent before the connection is closed. The protocol cannot tell the pod that
   * nothing more comes, so what it still sends is awaited, and a connection that it would keep alive for ever is not.
   * @default 10_000
   */
  readonly lingerMs?: number;
}

interface Forward {
  readonly port: number;
  readonly clock: Clock;
  readonly lingerMs: number;
  readonly signal: AbortSignal;
}

/**
 * Runs until `accepted` has ended and all connections are over, or until the signal. Never rejects because of a single connection, only
 * with what `accepted` throws.
 */
export async function forwardConnections(
  connect: WebSocketConnect,
  pod: ObjectName,
  port: number,
  accepted: AsyncIterable<ByteConnection>,
  options: ForwardConnectionsOptions,
): Promise<void> {
  const { clock, signal, onError, lingerMs = 10_000 } = options;
  const group = new Group({ signal, onFailure: "isolate", onError });
  const take = async (local: ByteConnection): Promise<void> => {
    if (signal.aborted) return local.close();
    group.spawn(`port ${port}`, (within) => forward(connect, pod, local, { port, clock, lingerMs, signal: within }));
  };
  try {
    await pump(accepted, take, signal);
  } finally {
    await group.done();
  }
}

async function forward(connect: WebSocketConnect, pod: ObjectName, local: ByteConnection, options: Forward): Promise<void> {
  try {
    const remote = await portForward(connect, pod, options.port, { signal: options.signal });
    await join(local, remote, options);
  } finally {
    await local.close();
  }
}

/** Moves bytes both ways until the pod has ended, or is silent after the local side has ended. Throws what either side threw. */
async function join(local: ByteConnection, remote: ByteConnection, { clock, lingerMs }: Forward): Promise<void> {
  const over = new AbortController();
  const failures: unknown[] = [];
  let linger: (() => void) | undefined;
  const lingerAnew = (): void => {
    linger?.();
    linger = clock.timer(lingerMs, () => void remote.close());
  };
  const upward = pump(local.received, (bytes) => remote.send(bytes), over.signal).then(
    (ended) => (ended ? lingerAnew() : undefined),
    (error: unknown) => {
      failures.push(error);
      return remote.close();
    },
  );
  try {
    for await (const bytes of remote.received) {
      if (linger !== undefined) lingerAnew();
      await local.send(bytes);
    }
    // oxlint-disable-next-line typescript/only-throw-error -- what the local side threw is passed on as it is
    if (failures.length > 0) throw failures[0];
  } finally {
    over.abort();
    await remote.close();
    await upward;
    linger?.();
  }
}
