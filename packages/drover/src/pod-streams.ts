/**
 * Streams of a pod: run commands, read logs, reach ports.
 *
 *     Connection → podStreams → exec, attach, logs, portForward, forwardPort
 */
import { attach, exec, logs, parsePortSpec, portForward } from "@drover/client";
import type {
  AttachOptions,
  ByteConnection,
  ExecOptions,
  OutputSinks,
  PodLogOptions,
  PortForwardOptions,
  WebSocketConnect,
} from "@drover/client";
import type { ObjectName, Runtime, Transport } from "@drover/machinery";
import { forwardPort } from "./forward-port.ts";
import type { ForwardPortOptions, ForwardedPort } from "./forward-port.ts";
import type { Lifetime } from "./lifetime.ts";

/** Namespace of a pod. */
export interface PodPlace {
  /** @default the connection's namespace */
  readonly namespace?: string;
}

/** Output sinks replace the two switches of `exec` and `attach` in @drover/client. */
type WithSinks<O> = Omit<O, "stdout" | "stderr"> & OutputSinks;

/** Options of `logs`. */
export interface LogOptions extends Omit<PodLogOptions, "resume"> {
  /** Whether to continue after a broken connection. @default true with `follow` and without `limitBytes` */
  readonly resume?: boolean;
}

/** Takes the pod's name first, and its namespace in the options, like all verbs. */
export interface PodStreams {
  /** Runs a command in a container and resolves with its exit code. See `exec` of @drover/client. */
  exec(pod: string, options: WithSinks<ExecOptions> & PodPlace): Promise<number>;
  /** Attaches to the command of a container and resolves with its exit code. */
  attach(pod: string, options?: WithSinks<AttachOptions> & PodPlace): Promise<number>;
  /** Yields the lines of a container's log; with `follow` also new ones, across broken connections. */
  logs(pod: string, options?: LogOptions & PodPlace): AsyncGenerator<string, void, undefined>;
  /** Opens one connection to a port of a pod. */
  portForward(pod: string, port: number, options?: PortForwardOptions & PodPlace): Promise<ByteConnection>;
  /** Forwards a local port to a port of a pod: `"8080:80"`, `":80"` for any free local port, or `{ local, remote, … }`. */
  forwardPort(pod: string, ports: string | (ForwardPortOptions & PodPlace)): Promise<ForwardedPort>;
}

/** Dependencies of `podStreams`. */
export interface PodStreamsDeps extends Pick<Runtime, "clock" | "random" | "log"> {
  readonly transport: Transport;
  readonly connect: WebSocketConnect;
  /** Default namespace of pods. */
  readonly namespace: string;
  /** Ends followed logs and forwarded ports. */
  readonly life: Lifetime;
}

/** Creates the streams of a connection. */
export function podStreams({ transport, connect, namespace: own, life, clock, random, log }: PodStreamsDeps): PodStreams {
  const named = (name: string, namespace = own): ObjectName => ({ namespace, name });
  return {
    exec: async (pod, { namespace, ...options }) => exec(connect, named(pod, namespace), options),
    attach: async (pod, { namespace, ...options } = {}) => attach(connect, named(pod, namespace), options),
    logs: (pod, { namespace, resume, ...options } = {}) => {
      const isResumed = resume ?? (options.follow === true && options.limitBytes === undefined);
      // Without the signal, a closed connection would look like a broken one and be retried forever.
      return logs(transport, named(pod, namespace), {
        ...options,
        signal: life.signal(options.signal),
        ...(isResumed ? { resume: { clock, random: random.stream("logs") } } : {}),
      });
    },
    portForward: async (pod, port, { namespace, ...options } = {}) => portForward(connect, named(pod, namespace), port, options),
    forwardPort: async (pod, ports) => {
      const { namespace, ...options }: ForwardPortOptions & PodPlace = typeof ports === "string" ? parsePortSpec(ports) : ports;
      const forward = await forwardPort(
        connect,
        named(pod, namespace),
        { ...options, signal: life.signal(options.signal) },
        { clock, log },
      );
      life.hold(forward.closed);
      return forward;
    },
  };
}
