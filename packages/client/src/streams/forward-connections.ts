/**
 * Forwards accepted connections to a port of a pod. The caller accepts them, from a listening socket or a test.
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
  /** Ends all connections. */
  readonly signal: AbortSignal;
  /** Called when one connection fails; the others continue. */
  readonly onError: (error: unknown) => void;
  /**
   * How long the pod may be silent after the local side has ended, before the connection is closed. The protocol cannot tell
   * the pod that the local side has ended, so the pod may still send, and might keep the connection open forever. @default
   * 10_000
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
 * Runs until `accepted` and all connections have ended, or the signal aborts. Rejects only with what `accepted` throws,
 * never because of a single connection.
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

/** Copies bytes both ways until the pod has ended, or is silent after the local side has ended. Throws what either side threw. */
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
    // oxlint-disable-next-line typescript/only-throw-error -- rethrows what the local side threw
    if (failures.length > 0) throw failures[0];
  } finally {
    over.abort();
    await remote.close();
    await upward;
    linger?.();
  }
}
