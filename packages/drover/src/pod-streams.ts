/**
 * What one does with a pod besides reading and writing it: run commands in it, read its log, reach its ports.
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

/** Which pod, besides its name. */
export interface PodPlace {
  /** The pod's namespace. @default the connection's */
  readonly namespace?: string;
}

/** As of `exec` and `attach` in @drover/client: sinks in place of the two switches. */
type WithSinks<O> = Omit<O, "stdout" | "stderr"> & OutputSinks;

export interface LogOptions extends Omit<PodLogOptions, "resume"> {
  /** Whether to ask again where it stopped when the connection breaks. @default true with `follow`, unless there is a `limitBytes` */
  readonly resume?: boolean;
}

/** A pod is named as verbs name it: its name first, the namespace among the options. */
export interface PodStreams {
  /** Runs a command in a container and resolves to its exit code. What `exec` of @drover/client promises. */
  exec(pod: string, options: WithSinks<ExecOptions> & PodPlace): Promise<number>;
  /** Joins the command that a container runs, and resolves to its exit code. */
  attach(pod: string, options?: WithSinks<AttachOptions> & PodPlace): Promise<number>;
  /** The lines of a container's log; with `follow` also those to come, through broken connections. */
  logs(pod: string, options?: LogOptions & PodPlace): AsyncGenerator<string, void, undefined>;
  /** One connection to a port of a pod. */
  portForward(pod: string, port: number, options?: PortForwardOptions & PodPlace): Promise<ByteConnection>;
  /** A port of this machine that leads to a port of a pod: `"8080:80"`, `":80"` for any free port, or `{ local, remote, … }`. */
  forwardPort(pod: string, ports: string | (ForwardPortOptions & PodPlace)): Promise<ForwardedPort>;
}

export interface PodStreamsDeps extends Pick<Runtime, "clock" | "random" | "log"> {
  readonly transport: Transport;
  readonly connect: WebSocketConnect;
  /** For pods of which none is named. */
  readonly namespace: string;
  /** What logs that are followed and forwarded ports do not outlive. */
  readonly life: Lifetime;
}

export function podStreams({ transport, connect, namespace: own, life, clock, random, log }: PodStreamsDeps): PodStreams {
  const named = (name: string, namespace = own): ObjectName => ({ namespace, name });
  return {
    exec: async (pod, { namespace, ...options }) => exec(connect, named(pod, namespace), options),
    attach: async (pod, { namespace, ...options } = {}) => attach(connect, named(pod, namespace), options),
    logs: (pod, { namespace, resume, ...options } = {}) => {
      const isResumed = resume ?? (options.follow === true && options.limitBytes === undefined);
      // A closed connection must not look like a broken one, after which it would be asked again for ever.
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
